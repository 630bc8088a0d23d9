import type { Logger } from 'pino';
import { recordAlarm } from '../alarms/service';
import { transact } from '../db/core/transact';
import { paymentKeyMessages } from '../../shared/ordersStaff';
import type { PaymentParts } from './provider';

/**
 * Checks the secret key with the provider after the start and hourly, and keeps the alarm about it. While the
 * provider is unreachable, the alarm stays as it is. Rule: docs/rules/orders-and-payment.md, The secret key
 */
export async function checkPaymentKey(
  { db, clock, payments }: PaymentParts,
  logger: Pick<Logger, 'error'>,
): Promise<void> {
  const isTaken = await payments.isKeyTaken();
  if (isTaken === undefined) return;
  if (!isTaken) logger.error(paymentKeyMessages);
  const now = clock.now();
  const trouble = { about: `payment_key:${now.toISOString().slice(0, 10)}`, detail: paymentKeyMessages };
  await transact(db, (tx) => recordAlarm(tx, 'payment_key_refused', isTaken ? undefined : trouble, now));
}
