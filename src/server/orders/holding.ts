/**
 * How long a customer's unpaid orders hold goods. The first order begins a hold; an order that replaces another one goes
 * on with it, so that replacing without end keeps nothing from others. A hold ends at its time, with a payment, or when
 * staff end it. One that ended unpaid counts when the next one begins: nothing has to be written at that moment, which
 * may be while the shop is down, and whoever cancelled the order (an event, the sweeper, the next order) counts nothing
 * twice.
 * Rule: docs/rules/orders-and-payment.md, Holding goods
 */
import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import {
  holdMinutes,
  holdMessages,
  isLarge,
  largeHoldProducts,
  lastHoldMinutes,
  unpaidEndsHours,
  waitMinutes,
} from '../../shared/holds';
import { raiseAlarm } from '../alarms/service';
import { holds, type orders, type paymentSessions } from '../db/schema/tables';
import type { Db, Tx } from '../db/core/transact';
import { tooManyRequests } from '../http/core/problems';

export type Hold = Pick<typeof holds.$inferSelect, 'since' | 'until' | 'isExtended' | 'unpaidEnds'>;

/** What a customer holds and held, read under the lock of the cart. */
export type Holding = {
  /** The order that waits for its payment: there is one at most. */
  open: { order: typeof orders.$inferSelect; payment: typeof paymentSessions.$inferSelect } | undefined;
  /** Of the open order, or the last one that there was. */
  hold: typeof holds.$inferSelect | undefined;
  lastPaidAt: Date | null;
};

const minuteMs = 60_000;

/**
 * The hold of an order that is placed now.
 * @throws Problem 429 order_again_later
 */
export function nextHold(holding: Holding, now: Date): Hold {
  const { hold: last, lastPaidAt } = holding;
  if (!last || (lastPaidAt && lastPaidAt >= last.since)) return beginHold(0, now);
  if (last.until > now) return continueHold(last, now);
  const isForgotten = after(last.until, unpaidEndsHours * 60) <= now;
  const unpaidEnds = isForgotten ? 0 : last.unpaidEnds + 1;
  requireWaited(last.until, unpaidEnds, now);
  return beginHold(unpaidEnds, now);
}

const beginHold = (unpaidEnds: number, now: Date): Hold => ({
  since: now,
  until: after(now, holdMinutes),
  isExtended: false,
  unpaidEnds,
});

/** Whoever changes the cart at the last moment gets the time to pay, but only once. */
function continueHold(hold: Hold, now: Date): Hold {
  const leastUntil = after(now, lastHoldMinutes);
  return hold.isExtended || hold.until >= leastUntil ? hold : { ...hold, until: leastUntil, isExtended: true };
}

/** @param unpaidEnds how many holds in a row ended unpaid, the one that ended at `endedAt` included */
function requireWaited(endedAt: Date, unpaidEnds: number, now: Date): void {
  const minutes = waitMinutes[Math.min(unpaidEnds, waitMinutes.length) - 1] ?? 0;
  const leftMs = after(endedAt, minutes).getTime() - now.getTime();
  if (leftMs <= 0) return;
  throw tooManyRequests(leftMs / 1000, holdMessages.orderAgainIn(Math.ceil(leftMs / minuteMs)), 'order_again_later');
}

const after = (time: Date, minutes: number) => new Date(time.getTime() + minutes * minuteMs);

type NewHold = {
  orderId: string;
  userId: string;
  since: Date;
  /** What is held of each product, and what there was for this customer: without what others hold. */
  lines: readonly { productId: string; quantity: number; stock: number }[];
  now: Date;
};

/** The lines of open orders, each with all units of its product that are not sold: on the shelf, or held by anybody. */
export const heldLines = sql`
  select order_id, product_id, product_name, order_items.quantity as units, position,
    (products.quantity + sum(order_items.quantity) over (partition by product_id))::int as stock
  from orders join order_items on order_id = orders.id join products on products.id = product_id
  where status = 'PENDING_PAYMENT'`;

type Share = {
  /** All units that are not sold, in stock or held by anyone. */
  stock: number;
  /** What other customers of the network hold who never paid. */
  held: number;
};

/** For each locked product, the units held by other customers on the network who never paid. */
export async function findShares(
  tx: Tx,
  { userId, network, productIds }: { userId: string; network: string; productIds: readonly string[] },
): Promise<Map<string, Share>> {
  const { rows } = await tx.execute<Share & { productId: string }>(sql`
    select products.id as "productId", (products.quantity + coalesce(sum(line.quantity), 0))::int as stock,
      coalesce(sum(line.quantity) filter (where holds.network = ${network} and orders.user_id <> ${userId} and not exists (
        select from orders as paid where paid.user_id = orders.user_id and paid.paid_at is not null)), 0)::int as held
    from products left join (order_items as line join orders on orders.id = line.order_id and status = 'PENDING_PAYMENT'
      left join holds on holds.order_id = orders.id) on line.product_id = products.id
    where products.id = any(${sql.param([...productIds])}::uuid[]) group by products.id`);
  return new Map(rows.map(({ productId, ...share }) => [productId, share]));
}

/** Deletes the networks of holds that ended a day ago. */
export const deleteOldNetworks = (db: Db, endedBefore: Date) =>
  db
    .update(holds)
    .set({ network: null })
    .where(and(isNotNull(holds.network), lt(holds.until, endedBefore)));

/** Tells staff of a hold that leaves little for others, once, however often its orders are replaced. */
export async function alarmLargeHold(tx: Tx, { orderId, userId, since, lines, now }: NewHold): Promise<void> {
  // what others hold can only make the shares smaller, so that it is rarely asked for
  const perhaps = lines.filter(({ quantity, stock }) => isLarge(quantity, stock)).map(({ productId }) => productId);
  const large = perhaps.length < largeHoldProducts ? 0 : await countLarge(tx, orderId, perhaps);
  if (large < largeHoldProducts) return;
  const about = `large_hold:${userId}:${since.toISOString()}`;
  await raiseAlarm(tx, { kind: 'large_hold', about, orderId, detail: holdMessages.large(large), now });
}

async function countLarge(tx: Tx, orderId: string, productIds: readonly string[]): Promise<number> {
  const { rows } = await tx.execute<{ units: number; stock: number }>(sql`
    select units, stock from (${heldLines}) as line
    where order_id = ${orderId} and product_id = any(${sql.param([...productIds])}::uuid[])`);
  return rows.filter(({ units, stock }) => isLarge(units, stock)).length;
}

/**
 * The session of an order could only be opened now and ends later than was asked for first. The hold of a first order,
 * which nobody could pay until now, moves with it; that of an order which replaced another one stays.
 */
export const moveHold = (tx: Tx, { orderId, from, to }: { orderId: string; from: Date; to: Date }) =>
  tx
    .update(holds)
    .set({ until: to })
    .where(and(eq(holds.orderId, orderId), eq(holds.until, from)));

/**
 * Moves the end of an open order's hold to this moment. The order is locked; its payment must be ended next.
 * @returns when the hold would have ended; undefined when it is over already
 */
export async function endHoldNow(
  tx: Tx,
  { id: orderId }: Pick<typeof orders.$inferSelect, 'id'>,
  endedBy: string,
  now: Date,
): Promise<Date | undefined> {
  const isHeld = eq(holds.orderId, orderId);
  const [held] = await tx.select({ until: holds.until, endedBy: holds.endedBy }).from(holds).where(isHeld);
  // who came first may have read the clock later
  if (!held || held.until <= now || held.endedBy !== null) return undefined;
  await tx.update(holds).set({ until: now, endedBy }).where(isHeld);
  return held.until;
}
