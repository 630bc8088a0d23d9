import type { Logger } from 'pino';
import { recordAlarm } from '../alarms/service';
import { transact } from '../db/core/transact';
import { paymentKeyMessages } from '../../shared/ordersStaff';
import type { PaymentParts } from './provider';

/**
 * Checks the secret key with the provider at start and hourly, and raises or resolves the alarm about it. While the
 * provider is unreachable, the alarm stays as it is. Rule: docs/rules/orders-and-payment.md, The secret key
 */
export async function checkPaymentKey(
  { db, clock, payments }: PaymentParts,
  logger: Pick<Logger, 'error'>,
): Promise<void> {
  const isAccepted = await payments.isKeyAccepted();
  if (isAccepted === undefined) return;
  if (!isAccepted) logger.error(paymentKeyMessages);
  const now = clock.now();
  const rejection = { about: `payment_key:${now.toISOString().slice(0, 10)}`, detail: paymentKeyMessages };
  await transact(db, (tx) => recordAlarm(tx, 'payment_key_refused', isAccepted ? undefined : rejection, now));
}
