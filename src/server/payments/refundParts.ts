/**
 * What a refund covers: units of lines and the delivery, or another amount, and how that splits into items, delivery and
 * tax. Computed under the order's lock from what earlier refunds gave back; rejected ones do not count.
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
import { findUnshipped, hasShipped } from '../orders/refundedUnits';
import type { StockLine } from '../stock/service';

export type RefundLineSelection = {
  orderItemId: string;
  units: number;
  restock: boolean;
  /** Whether shipped units go first, because they came back. */
  cameBack: boolean;
};

/** What to refund. Without an amount: all that is left. `isCancel`: all of an order, before anything has shipped. */
export type RefundSelection =
  | { isCancel: true; restock: boolean }
  | { lines: readonly RefundLineSelection[]; delivery: boolean }
  | { amountCents: number | undefined; restock: boolean };

export type RefundParts = Pick<typeof refunds.$inferSelect, 'amountCents' | 'deliveryCents' | 'taxCents'>;
type RefundLine = Omit<typeof refundLines.$inferInsert, 'refundId'>;

/** What a refund covers, as stored in its row and lines. */
export type RefundContent = RefundParts & { isByLines: boolean; restock: boolean; lines: RefundLine[] };

/**
 * @returns what the requested refund gives back
 * @throws Problem 409 refund_too_large, already_restocked, order_shipped; 400 invalid_request for a line of another order
 */
export async function computeRefund(tx: Tx, order: OrderRow, selection: RefundSelection): Promise<RefundContent> {
  const left = await findLeft(tx, order, notFailed);
  if ('isCancel' in selection) return fromLines(tx, order, left, await selectAll(tx, order, left, selection.restock));
  const restocks = 'lines' in selection ? selection.lines.some(({ restock }) => restock) : selection.restock;
  // after a refund restocked the whole order, none of its lines can be restocked, and vice versa
  if (restocks && ((await isRestocked(tx, order.id, 'lines' in selection)) || (await wasNeverSold(tx, order))))
    throw alreadyRestocked();
  return 'lines' in selection ? fromLines(tx, order, left, selection) : fromAmount(left, selection);
}

type LinesSelection = Extract<RefundSelection, { lines: unknown }>;
type AmountSelection = Extract<RefundSelection, { amountCents: unknown }>;

/** All that is left, by lines. Lines and delivery together never return more than is left. */
async function selectAll(tx: Tx, order: OrderRow, left: Refundable, restock: boolean): Promise<LinesSelection> {
  if (await hasShipped(tx, order.id)) throw conflict('order_shipped', messages.isShipped);
  const mayRestock = restock && !(await isRestocked(tx, order.id, true));
  const lines = (await findItems(tx, order.id)).flatMap((line) => {
    const units = line.quantity - line.refundedUnits;
    const isRestockable = mayRestock && units <= line.quantity - line.restockedUnits;
    return units > 0 ? [{ orderItemId: line.id, units, restock: isRestockable, cameBack: false }] : [];
  });
  return { lines, delivery: left.deliveryCents > 0 };
}

function fromAmount(left: Refundable, { amountCents, restock }: AmountSelection): RefundContent {
  const leftCents = refundCents(left);
  const given = amountCents ?? leftCents;
  if (leftCents <= 0 || given > leftCents) throw tooLarge(messages.isTooMuch(formatMoney(Math.max(0, leftCents))));
  return { ...partsOfAmount(left, given), isByLines: false, restock, lines: [] };
}

/** Splits an amount that was decided elsewhere: by the shop itself, or by a person at the provider. */
export const partsOfAmount = (left: Refundable, amountCents: number): RefundParts => {
  const { deliveryCents, taxCents } = refundOfAmount(left, Math.min(amountCents, Math.max(0, refundCents(left))));
  return { amountCents, deliveryCents, taxCents };
};

/** Splits an amount refunded at the provider; it may exceed what pending refunds leave. */
export async function partsOfProviderRefund(
  tx: Tx,
  order: OrderRow,
  amountCents: number,
  exceptId?: string,
): Promise<RefundParts> {
  const others = exceptId === undefined ? notFailed : and(notFailed, ne(refunds.id, exceptId));
  const left = await findLeft(tx, order, others);
  if (amountCents <= refundCents(left)) return partsOfAmount(left, amountCents);
  return partsOfAmount(await findLeft(tx, order, and(others, eq(refunds.state, 'done'))), amountCents);
}

async function fromLines(
  tx: Tx,
  order: OrderRow,
  left: Refundable,
  { lines: selectedLines, delivery }: LinesSelection,
): Promise<RefundContent> {
  const items = await findItems(tx, order.id);
  const lines = items.flatMap((line) => {
    const selected = selectedLines.find(({ orderItemId }) => orderItemId === line.id);
    return selected ? [{ line, ...selected }] : [];
  });
  if (lines.length < selectedLines.length) throw invalid(messages.isNoLine);
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
  const unshippedOf = await findUnshipped(tx, order.id);
  return {
    amountCents,
    deliveryCents,
    taxCents,
    isByLines: true,
    restock: false,
    lines: lines.map(({ orderItemId, units, restock, cameBack }, index) => {
      const { goodsCents = 0, taxCents: lineTaxCents = 0 } = given.lines[index] ?? {};
      const unshippedQuantity = unshippedOf(orderItemId, units, cameBack);
      return { orderItemId, quantity: units, restock, goodsCents, taxCents: lineTaxCents, unshippedQuantity };
    }),
  };
}

const tooLarge = (message: string) => conflict('refund_too_large', message);
const alreadyRestocked = () => conflict('already_restocked', 'This order was already restocked');

/** @param counted condition on the refunds to subtract */
async function findLeft(tx: Tx, order: OrderRow, counted: SQL | undefined): Promise<Refundable> {
  const { amountCents, deliveryCents, taxCents } = refunds;
  const rows = await tx
    .select({ amountCents, deliveryCents, taxCents })
    .from(refunds)
    .where(and(ofOwnPayment(order.id), counted));
  const sumOf = (part: (row: (typeof rows)[number]) => number) => sumCents(rows.map(part));
  const refundedGoodsCents = sumOf((row) => row.amountCents - row.deliveryCents - row.taxCents);
  return {
    goodsCents: Math.max(0, goodsOf(order) - order.discountCents - refundedGoodsCents),
    deliveryCents: Math.max(0, order.deliveryCents - sumOf((row) => row.deliveryCents)),
    taxCents: Math.max(0, order.taxCents - sumOf((row) => row.taxCents)),
  };
}

/** The order's lines, with the units refunded by lines (done or pending) and the units restocked. */
async function findItems(tx: Tx, orderId: string) {
  // explicit aliases: drizzle writes a column of the outer query without its table
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

/** @param ofWhole consider only refunds that restocked, or will restock, the whole order */
async function isRestocked(tx: Tx, orderId: string, ofWhole: boolean): Promise<boolean> {
  const ofLine = inArray(
    refunds.id,
    tx.select({ id: refundLines.refundId }).from(refundLines).where(eq(refundLines.restock, true)),
  );
  const [earlier] = await tx
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), restocks, or(eq(refunds.restock, true), ofWhole ? undefined : ofLine)))
    .limit(1);
  return earlier !== undefined;
}

/** Whether it was paid too late, after its stock was gone: its units were released when it was canceled. */
async function wasNeverSold(tx: Tx, { id, status }: OrderRow): Promise<boolean> {
  if (status !== 'REFUNDED') return false; // in every other refundable status the units were sold
  const [sold] = await tx
    .select({ id: orderTimeline.id })
    .from(orderTimeline)
    .where(and(eq(orderTimeline.orderId, id), eq(orderTimeline.status, 'PAID')))
    .limit(1);
  return sold === undefined;
}

/** Replaces the lines of a refund: a rejected request may have had others. */
export async function writeRefundLines(tx: Tx, refundId: string, lines: readonly RefundLine[]): Promise<void> {
  await tx.delete(refundLines).where(eq(refundLines.refundId, refundId));
  if (lines.length > 0) await tx.insert(refundLines).values(lines.map((line) => ({ refundId, ...line })));
}

/** The units that a refund by lines restocks. */
export const findRestockedUnits = (connection: Connection, refundId: string): Promise<StockLine[]> =>
  connection
    .select({ productId: orderItems.productId, units: refundLines.quantity })
    .from(refundLines)
    .innerJoin(orderItems, eq(orderItems.id, refundLines.orderItemId))
    .where(and(eq(refundLines.refundId, refundId), eq(refundLines.restock, true)))
    .orderBy(asc(orderItems.position));

const notFailed = ne(refunds.state, 'failed');
/** Restocked units stay in stock even if the bank later returns the refund's money. */
const restocks = or(notFailed, isNotNull(refunds.doneAt));

export const ofOwnPayment = (orderId: string) => and(eq(refunds.orderId, orderId), isNull(refunds.strayPaymentId));
