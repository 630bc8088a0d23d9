/**
 * What a refund is of: units of lines and the delivery, or another amount, and how much of goods, delivery and tax that
 * is. All of it is reckoned under the order's lock from what the refunds before gave back; a refused one counts nothing.
 * Rule: docs/rules/orders-and-payment.md, Refunds
 */
import { and, asc, eq, inArray, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm';
import { formatMoney } from '../../shared/money';
import { orderStaffMessages as messages } from '../../shared/ordersStaff';
import { goodsOf, refundByLines, refundCents, refundOfAmount, sumCents, type Refundable } from '../../shared/total';
import { orderItems, orderTimeline, refundLines, refunds } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import { conflict, invalid } from '../http/core/problems';
import type { OrderRow } from '../orders/lifecycle';
import type { StockLine } from '../stock/service';

export type RefundLineWish = { orderItemId: string; units: number; restock: boolean };

/** What is to be given back. Without an amount, all that is left. */
export type RefundWish =
  | { lines: readonly RefundLineWish[]; delivery: boolean }
  | { amountCents: number | undefined; restock: boolean };

export type RefundParts = Pick<typeof refunds.$inferSelect, 'amountCents' | 'deliveryCents' | 'taxCents'>;
type RefundLine = Omit<typeof refundLines.$inferInsert, 'refundId'>;

/** Everything that a refund's row and its lines say of what it is for. */
export type RefundOf = RefundParts & { isByLines: boolean; restock: boolean; lines: RefundLine[] };

/**
 * @returns what the wished refund gives back
 * @throws Problem 409 refund_too_large, already_restocked; 400 invalid_request for a line of another order
 */
export async function computeRefund(tx: Tx, order: OrderRow, wish: RefundWish): Promise<RefundOf> {
  const left = await findLeft(tx, order, notFailed);
  const restocks = 'lines' in wish ? wish.lines.some(({ restock }) => restock) : wish.restock;
  // after a refund of the whole order's units no line's can come back, and the other way round
  if (restocks && ((await isRestocked(tx, order.id, 'lines' in wish)) || (await isNeverSold(tx, order))))
    throw alreadyRestocked();
  return 'lines' in wish ? ofLines(tx, order, left, wish) : ofAmount(left, wish);
}

function ofAmount(left: Refundable, { amountCents, restock }: Extract<RefundWish, { restock: boolean }>): RefundOf {
  const leftCents = refundCents(left);
  const given = amountCents ?? leftCents;
  if (leftCents <= 0 || given > leftCents) throw tooLarge(messages.isTooMuch(formatMoney(Math.max(0, leftCents))));
  return { ...partsOfAmount(left, given), isByLines: false, restock, lines: [] };
}

/** Spreads an amount that somebody else decided: the shop itself, or a person at the provider. */
export const partsOfAmount = (left: Refundable, amountCents: number): RefundParts => {
  const { deliveryCents, taxCents } = refundOfAmount(left, Math.min(amountCents, Math.max(0, refundCents(left))));
  return { amountCents, deliveryCents, taxCents };
};

/** What an amount that was given back at the provider was of: it may be more than is left beside what is still asked for. */
export async function partsOfGiven(tx: Tx, order: OrderRow, amountCents: number, butId?: string): Promise<RefundParts> {
  const others = butId === undefined ? notFailed : and(notFailed, ne(refunds.id, butId));
  const left = await findLeft(tx, order, others);
  if (amountCents <= refundCents(left)) return partsOfAmount(left, amountCents);
  return partsOfAmount(await findLeft(tx, order, and(others, eq(refunds.state, 'done'))), amountCents);
}

async function ofLines(
  tx: Tx,
  order: OrderRow,
  left: Refundable,
  { lines: wished, delivery }: Extract<RefundWish, { lines: unknown }>,
): Promise<RefundOf> {
  const items = await findItems(tx, order.id);
  const lines = items.flatMap((line) => {
    const asked = wished.find(({ orderItemId }) => orderItemId === line.id);
    return asked ? [{ line, ...asked }] : [];
  });
  if (lines.length < wished.length) throw invalid(messages.isNoLine);
  for (const { line, units, restock } of lines) {
    const unitsLeft = line.quantity - line.refundedUnits;
    if (units > unitsLeft) throw tooLarge(messages.isTooManyUnits(unitsLeft, line.productName));
    if (restock && units > line.quantity - line.restockedUnits) throw alreadyRestocked();
  }
  if (delivery && left.deliveryCents === 0) throw tooLarge(messages.isNoDelivery);
  const given = refundByLines(left, {
    lines,
    delivery: delivery ? { deliveryCents: order.deliveryCents, taxCents: order.deliveryTaxCents } : null,
  });
  const amountCents = refundCents(given.parts);
  if (amountCents <= 0) throw tooLarge(messages.isNothing);
  const { deliveryCents, taxCents } = given.parts;
  return {
    amountCents,
    deliveryCents,
    taxCents,
    isByLines: true,
    restock: false,
    lines: lines.map(({ orderItemId, units, restock }, place) => {
      const { goodsCents = 0, taxCents: lineTaxCents = 0 } = given.lines[place] ?? {};
      return { orderItemId, quantity: units, restock, goodsCents, taxCents: lineTaxCents };
    }),
  };
}

const tooLarge = (sentence: string) => conflict('refund_too_large', sentence);
const alreadyRestocked = () => conflict('already_restocked', 'The units of this order are back on the shelf already');

/** @param counted the refunds whose parts are gone */
async function findLeft(tx: Tx, order: OrderRow, counted: SQL | undefined): Promise<Refundable> {
  const { amountCents, deliveryCents, taxCents } = refunds;
  const rows = await tx
    .select({ amountCents, deliveryCents, taxCents })
    .from(refunds)
    .where(and(ofOwnPayment(order.id), counted));
  const gone = (part: (row: (typeof rows)[number]) => number) => sumCents(rows.map(part));
  const goneGoods = gone((row) => row.amountCents - row.deliveryCents - row.taxCents);
  return {
    goodsCents: Math.max(0, goodsOf(order) - order.discountCents - goneGoods),
    deliveryCents: Math.max(0, order.deliveryCents - gone((row) => row.deliveryCents)),
    taxCents: Math.max(0, order.taxCents - gone((row) => row.taxCents)),
  };
}

/** The order's lines, with the units that refunds by lines gave back or are about to, and those that stand on the shelf. */
async function findItems(tx: Tx, orderId: string) {
  // with names of its own: a column of the outer query is written without its table
  const refundedUnits = sql<number>`(
    select coalesce(sum(given.quantity), 0)::int from refund_lines given join refunds on refunds.id = given.refund_id
    where given.order_item_id = order_items.id and refunds.state <> 'failed')`;
  const restockedUnits = sql<number>`(
    select coalesce(sum(given.quantity), 0)::int from refund_lines given join refunds on refunds.id = given.refund_id
    where given.order_item_id = order_items.id and given.restock
      and (refunds.state <> 'failed' or refunds.done_at is not null))`;
  const { id, productName, quantity, totalCents, discountCents, taxCents } = orderItems;
  return tx
    .select({ id, productName, quantity, cents: totalCents, discountCents, taxCents, refundedUnits, restockedUnits })
    .from(orderItems)
    .where(eq(orderItems.orderId, orderId))
    .orderBy(asc(orderItems.position));
}

/** @param ofWhole only whether a refund put all of the order's units back, or is about to */
async function isRestocked(tx: Tx, orderId: string, ofWhole: boolean): Promise<boolean> {
  const ofLine = inArray(
    refunds.id,
    tx.select({ id: refundLines.refundId }).from(refundLines).where(eq(refundLines.restock, true)),
  );
  const [former] = await tx
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), restocks, or(eq(refunds.restock, true), ofWhole ? undefined : ofLine)))
    .limit(1);
  return former !== undefined;
}

/** Paid too late, when its goods were gone: its units went back on the shelf when it was cancelled. */
async function isNeverSold(tx: Tx, { id, status }: OrderRow): Promise<boolean> {
  if (status !== 'REFUNDED') return false; // every other one that can be given back was sold
  const [sold] = await tx
    .select({ id: orderTimeline.id })
    .from(orderTimeline)
    .where(and(eq(orderTimeline.orderId, id), eq(orderTimeline.status, 'PAID')))
    .limit(1);
  return sold === undefined;
}

/** Writes the lines of a refund anew: one that was refused may have had others. */
export async function writeRefundLines(tx: Tx, refundId: string, lines: readonly RefundLine[]): Promise<void> {
  await tx.delete(refundLines).where(eq(refundLines.refundId, refundId));
  if (lines.length > 0) await tx.insert(refundLines).values(lines.map((line) => ({ refundId, ...line })));
}

/** The units that a refund by lines puts back on the shelf. */
export const findUnitsBack = (connection: Connection, refundId: string): Promise<StockLine[]> =>
  connection
    .select({ productId: orderItems.productId, units: refundLines.quantity })
    .from(refundLines)
    .innerJoin(orderItems, eq(orderItems.id, refundLines.orderItemId))
    .where(and(eq(refundLines.refundId, refundId), eq(refundLines.restock, true)))
    .orderBy(asc(orderItems.position));

const notFailed = ne(refunds.state, 'failed');
/** Units that went back with a refund stay there when the bank sends its money back later. */
const restocks = or(notFailed, isNotNull(refunds.doneAt));

export const ofOwnPayment = (orderId: string) => and(eq(refunds.orderId, orderId), isNull(refunds.strayPaymentId));
