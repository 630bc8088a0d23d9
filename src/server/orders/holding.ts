/**
 * How long a customer's unpaid orders hold stock. The first order starts a hold; an order that replaces another one
 * continues it, so that replacing orders again and again cannot extend it. A hold ends at its time, with a payment, or when
 * staff end it. A hold that ended unpaid is counted when the next one begins: nothing has to be written when it ends, which
 * may be while the shop is down, and it is counted once, whether an event, the sweeper or the next order canceled the order.
 * Rule: docs/rules/orders-and-payment.md, Reserving stock
 */
import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import {
  holdMinutes,
  holdMessages,
  isLarge,
  largeHoldProducts,
  lastHoldMinutes,
  unpaidLimitHours,
  waitMinutes,
} from '../../shared/holds';
import { raiseAlarm } from '../alarms/service';
import { holds, type orders, type paymentSessions } from '../db/schema/tables';
import type { Db, Tx } from '../db/core/transact';
import { tooManyRequests } from '../http/core/problems';

export type Hold = Pick<typeof holds.$inferSelect, 'since' | 'until' | 'isExtended' | 'unpaidEnds'>;

/** What a customer holds and held, read under the cart's lock. */
export type Holding = {
  /** The order awaiting payment: at most one. */
  open: { order: typeof orders.$inferSelect; payment: typeof paymentSessions.$inferSelect } | undefined;
  /** The open order's hold, or else the customer's last one. */
  hold: typeof holds.$inferSelect | undefined;
  lastPaidAt: Date | null;
};

const minuteMs = 60_000;

/**
 * The hold of an order placed now.
 * @throws Problem 429 order_again_later
 */
export function nextHold(holding: Holding, now: Date): Hold {
  const { hold: last, lastPaidAt } = holding;
  if (!last || (lastPaidAt && lastPaidAt >= last.since)) return beginHold(0, now);
  if (last.until > now) return continueHold(last, now);
  const isForgotten = addMinutes(last.until, unpaidLimitHours * 60) <= now;
  const unpaidEnds = isForgotten ? 0 : last.unpaidEnds + 1;
  requireWaitElapsed(last.until, unpaidEnds, now);
  return beginHold(unpaidEnds, now);
}

const beginHold = (unpaidEnds: number, now: Date): Hold => ({
  since: now,
  until: addMinutes(now, holdMinutes),
  isExtended: false,
  unpaidEnds,
});

/** A customer who changes the cart at the last moment gets time to pay, but only once. */
function continueHold(hold: Hold, now: Date): Hold {
  const minUntil = addMinutes(now, lastHoldMinutes);
  return hold.isExtended || hold.until >= minUntil ? hold : { ...hold, until: minUntil, isExtended: true };
}

/** @param unpaidEnds how many holds in a row ended unpaid, including the one that ended at `endedAt` */
function requireWaitElapsed(endedAt: Date, unpaidEnds: number, now: Date): void {
  const minutes = waitMinutes[Math.min(unpaidEnds, waitMinutes.length) - 1] ?? 0;
  const leftMs = addMinutes(endedAt, minutes).getTime() - now.getTime();
  if (leftMs <= 0) return;
  throw tooManyRequests(leftMs / 1000, holdMessages.orderAgainIn(Math.ceil(leftMs / minuteMs)), 'order_again_later');
}

const addMinutes = (time: Date, minutes: number) => new Date(time.getTime() + minutes * minuteMs);

type NewHold = {
  orderId: string;
  userId: string;
  since: Date;
  /** The quantity held of each product, and the stock available to this customer: without what others hold. */
  lines: readonly { productId: string; quantity: number; stock: number }[];
  now: Date;
};

/** The lines of open orders, each with all unsold units of its product: in stock, or held by any open order. */
export const heldLines = sql`
  select order_id, product_id, product_name, order_items.unit_size, order_items.net_grams, order_items.net_millilitres,
    order_items.quantity as units, position,
    (products.quantity + sum(order_items.quantity) over (partition by product_id))::int as stock
  from orders join order_items on order_id = orders.id join products on products.id = product_id
  where status = 'PENDING_PAYMENT'`;

type Share = {
  /** All unsold units: in stock or held by any customer. */
  stock: number;
  /** Units held by other customers on the network who never paid. */
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

/** Deletes the networks of holds that ended before the given time. */
export const deleteOldNetworks = (db: Db, endedBefore: Date) =>
  db
    .update(holds)
    .set({ network: null })
    .where(and(isNotNull(holds.network), lt(holds.until, endedBefore)));

/** Alerts staff to a hold that leaves little for others: once per hold, however often its orders are replaced. */
export async function alarmLargeHold(tx: Tx, { orderId, userId, since, lines, now }: NewHold): Promise<void> {
  // what others hold can only make the shares smaller, so the second query is rarely needed
  const candidateIds = lines
    .filter(({ quantity, stock }) => isLarge(quantity, stock))
    .map(({ productId }) => productId);
  const largeCount = candidateIds.length < largeHoldProducts ? 0 : await countLarge(tx, orderId, candidateIds);
  if (largeCount < largeHoldProducts) return;
  const about = `large_hold:${userId}:${since.toISOString()}`;
  await raiseAlarm(tx, { kind: 'large_hold', about, orderId, detail: holdMessages.large(largeCount), now });
}

async function countLarge(tx: Tx, orderId: string, productIds: readonly string[]): Promise<number> {
  const { rows } = await tx.execute<{ units: number; stock: number }>(sql`
    select units, stock from (${heldLines}) as line
    where order_id = ${orderId} and product_id = any(${sql.param([...productIds])}::uuid[])`);
  return rows.filter(({ units, stock }) => isLarge(units, stock)).length;
}

/**
 * Called when the session could only be opened now and ends later than first requested. A first order's hold moves with
 * it, since it could not be paid until now; the hold of a replacement order stays.
 */
export const moveHold = (tx: Tx, { orderId, from, to }: { orderId: string; from: Date; to: Date }) =>
  tx
    .update(holds)
    .set({ until: to })
    .where(and(eq(holds.orderId, orderId), eq(holds.until, from)));

/**
 * Ends an open order's hold now. The order is locked; the caller must end its payment next.
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
  // another process may have ended it with a later clock reading
  if (!held || held.until <= now || held.endedBy !== null) return undefined;
  await tx.update(holds).set({ until: now, endedBy }).where(isHeld);
  return held.until;
}
