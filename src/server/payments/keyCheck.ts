import { eq } from 'drizzle-orm';
import type { Logger } from 'pino';
import { recordAlarm } from '../alarms/service';
import { settings } from '../db/schema/tables';
import { transact, type Connection } from '../db/core/transact';
import { paymentKeyMessages } from '../../shared/ordersStaff';
import type { PaymentParts } from './provider';

/** The provider's last answer about a secret key. */
type KeyCheck = { keyId: string; isAccepted: boolean; checkedAt: string };

const settingName = 'payment_key_check';

/**
 * Checks the secret key with the provider at start, hourly, and when the owner asks; raises or resolves the alarm about
 * it. While the provider is unreachable, the alarm and the last answer stay as they are.
 * Rule: docs/rules/orders-and-payment.md, The secret key
 */
export async function checkPaymentKey(
  { db, clock, payments }: Omit<PaymentParts, 'mail'>,
  logger: Pick<Logger, 'error'>,
): Promise<void> {
  const isAccepted = await payments.isKeyAccepted();
  if (isAccepted === undefined) return;
  if (!isAccepted) logger.error(paymentKeyMessages);
  const now = clock.now();
  const value: KeyCheck = { keyId: payments.keyId, isAccepted, checkedAt: now.toISOString() };
  const rejection = { about: `payment_key:${now.toISOString().slice(0, 10)}`, detail: paymentKeyMessages };
  await transact(db, async (tx) => {
    await tx
      .insert(settings)
      .values({ name: settingName, value })
      .onConflictDoUpdate({ target: settings.name, set: { value } });
    await recordAlarm(tx, 'payment_key_refused', isAccepted ? undefined : rejection, now);
  });
}

/** @returns the provider's last answer about this key; undefined before the first one */
export async function readKeyCheck(connection: Connection, keyId: string): Promise<KeyCheck | undefined> {
  const [row] = await connection.select({ value: settings.value }).from(settings).where(eq(settings.name, settingName));
  const check = row?.value as KeyCheck | undefined;
  return check?.keyId === keyId ? check : undefined;
}
