import { and, count, eq, gt, lt, max, min } from 'drizzle-orm';
import { raiseAlarm } from '../alarms/service';
import { orders, paymentEvents } from '../db/schema/tables';
import { transact, type Db } from '../db/core/transact';

const dayMs = 86_400_000;
const tellingTakesMs = 15 * 60_000;

/**
 * Orders were paid during a day and the provider told us of nothing: the webhook is not set up, or its secret is wrong.
 * The sweeper and the return page find each payment all the same, only later. One alarm a day. Of a provider that has told
 * nothing yet the day begins with the first payment: a new shop has a day to set it up.
 */
export async function watchWebhook(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - dayMs);
  const until = new Date(now.getTime() - tellingTakesMs);
  const [paid] = await db
    .select({ orders: count() })
    .from(orders)
    .where(and(gt(orders.paidAt, since), lt(orders.paidAt, until)));
  const [heard] = await db
    .select({ last: max(paymentEvents.receivedAt) })
    .from(paymentEvents)
    .where(eq(paymentEvents.isFetched, false));
  if (!paid?.orders) return;
  const [first] = heard?.last ? [] : await db.select({ paidAt: min(orders.paidAt) }).from(orders);
  const idleSince = heard?.last ?? first?.paidAt;
  if (idleSince && idleSince > since) return;
  const about = `webhook:${now.toISOString().slice(0, 10)}`;
  const detail =
    'Orders were paid, and no event of the payment provider came in for a day. Is its webhook set up, and its secret right?';
  await transact(db, (tx) => raiseAlarm(tx, { kind: 'webhook_silent', about, detail, now }));
}
