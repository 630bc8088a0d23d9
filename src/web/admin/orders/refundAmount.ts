import * as z from '../../../shared/zod';
import { requiredText } from '../../../shared/addressForms';
import { formatMoney, toCents } from '../../../shared/money';
import { amountTextRule } from '../../../shared/moneyForms';
import { maxOrderCents } from '../../../shared/orders';
import { orderStaffMessages } from '../../../shared/ordersStaff';
import type { Order } from './queries';

/** @returns what can still be given back, in cents: a refund that is on its way counts as given */
export function leftCents({ totalAmount, refunds }: Order): number {
  const given = refunds.filter(({ state }) => state !== 'failed').map(({ amount }) => toCents(amount));
  return toCents(totalAmount) - given.reduce((sum, cents) => sum + cents, 0);
}

const maxReason = 500;
const maxNote = 500;

/** @param left what can still be given back, in cents */
export const refundForm = (left: number) =>
  z.object({
    amount: z
      .string()
      .pipe(amountTextRule(maxOrderCents, orderStaffMessages.isNoAmount))
      .refine((amount) => toCents(Number(amount)) > 0, { error: orderStaffMessages.isNoAmount, abort: true })
      .refine((amount) => toCents(Number(amount)) <= left, orderStaffMessages.isTooMuch(formatMoney(left))),
    reason: requiredText(maxReason),
    customerNote: z.string().trim().max(maxNote, orderStaffMessages.noteTooLong(maxNote)),
    restock: z.boolean(),
  });
