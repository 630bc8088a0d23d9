import * as z from '../../../shared/zod';
import { requiredText } from '../../../shared/addressForms';
import { isReasonRequired } from '../../../shared/required';
import { formatMoney, toCents } from '../../../shared/money';
import { amountTextRule } from '../../../shared/moneyForms';
import { maxOrderCents } from '../../../shared/orders';
import { orderStaffMessages } from '../../../shared/ordersStaff';
import type { Order } from './queries';

/** @returns how much can still be refunded, in cents; a pending refund counts as made */
export function leftCents({ totalAmount, refunds }: Order): number {
  const given = refunds.filter(({ state }) => state !== 'failed').map(({ amount }) => toCents(amount));
  return toCents(totalAmount) - given.reduce((sum, cents) => sum + cents, 0);
}

const maxReason = 500;
const maxNote = 500;
const note = z.string().trim().max(maxNote, orderStaffMessages.noteTooLong(maxNote));

export const cancelForm = z.object({ reason: note, customerNote: note, restock: z.boolean() });

/** @param left how much can still be refunded, in cents */
export const refundForm = (left: number) =>
  z.object({
    amount: z
      .string()
      .pipe(amountTextRule(maxOrderCents, orderStaffMessages.isNoAmount))
      .refine((amount) => toCents(Number(amount)) > 0, { error: orderStaffMessages.isNoAmount, abort: true })
      .refine((amount) => toCents(Number(amount)) <= left, orderStaffMessages.isTooMuch(formatMoney(left))),
    reason: requiredText(maxReason, isReasonRequired),
    customerNote: note,
    restock: z.boolean(),
  });
