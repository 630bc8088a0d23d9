import { and, count, eq, gt, lt, max, min } from 'drizzle-orm';
import { raiseAlarm } from '../alarms/service';
import { orders, paymentEvents } from '../db/schema/tables';
import { transact, type Connection, type Db } from '../db/core/transact';

const dayMs = 86_400_000;
const webhookDelayMs = 15 * 60_000;

/**
 * Raises an alarm, at most once a day, if orders were paid but no webhook arrived for a day: the webhook is not set up, or
 * its secret is wrong. The sweeper and the return page still find each payment, only later. Before the first webhook ever,
 * the day starts at the first payment: a new shop has a day to set it up.
 */
export async function watchWebhook(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - dayMs);
  const until = new Date(now.getTime() - webhookDelayMs);
  const [paid] = await db
    .select({ orders: count() })
    .from(orders)
    .where(and(gt(orders.paidAt, since), lt(orders.paidAt, until)));
  if (!paid?.orders) return;
  const last = await readLastWebhook(db);
  const [first] = last ? [] : await db.select({ paidAt: min(orders.paidAt) }).from(orders);
  const idleSince = last ?? first?.paidAt;
  if (idleSince && idleSince > since) return;
  const about = `webhook:${now.toISOString().slice(0, 10)}`;
  const detail =
    'Orders were paid, but no payment event arrived in the past day. Check that the webhook is set up and its secret is correct.';
  await transact(db, (tx) => raiseAlarm(tx, { kind: 'webhook_silent', about, detail, now }));
}

/** @returns when the provider last sent an event; undefined before the first one */
export async function readLastWebhook(connection: Connection): Promise<Date | undefined> {
  const [webhook] = await connection
    .select({ last: max(paymentEvents.receivedAt) })
    .from(paymentEvents)
    .where(eq(paymentEvents.isFetched, false));
  return webhook?.last ?? undefined;
}
