/**
 * Orders as a file with a row per line. What belongs to an order as a whole is distributed over its lines in whole cents,
 * so that each column of amounts adds up to the order's. Rule: docs/rules/back-office.md, Orders
 */
import { asc, eq, inArray } from 'drizzle-orm';
import { statusLabels } from '../../shared/orders';
import { refundedUnitsOf } from '../../shared/orderUnits';
import { sizeOf } from '../../shared/sizes';
import { fromRatePpm, goodsOfRefund, spread, sumCents } from '../../shared/total';
import type { Units } from '../../shared/unitPrice';
import { orderItems, orders, paymentSessions, products, users } from '../db/schema/tables';
import type { Connection } from '../db/core/transact';
import { type Column, saveText } from '../http/csv/csvDownload';
import { findRefundsOf, type OrderRefund } from './repository';

export const orderLinesFile = { name: 'order-lines', loggedAs: 'orders' } as const;

type Shares = {
  deliveryCents: number;
  /** With the line's share of the tax on delivery. */
  taxCents: number;
  refundedCents: number;
  refundedTaxCents: number;
};
/** `id` is the order's: its lines are several rows. */
export type OrderLineRow = Awaited<ReturnType<typeof readLines>>[number] & {
  id: string;
  refundedUnits: number;
  shares: Shares;
};

/** The lines of the orders with these ids, each order's in their own order. */
export async function findLinesOfOrders(connection: Connection, ids: string[]): Promise<OrderLineRow[]> {
  const rows = await readLines(connection, ids);
  const refundsOf = await findRefundsOf(connection, ids);
  const byOrder = new Map<string, typeof rows>();
  for (const row of rows) {
    const own = byOrder.get(row.order.id);
    if (own) own.push(row);
    else byOrder.set(row.order.id, [row]);
  }
  return [...byOrder].flatMap(([id, own]) => {
    const refunds = refundsOf.get(id) ?? [];
    const { status, deliveryCents, deliveryTaxCents } = (own[0] as (typeof own)[number]).order;
    const shares = sharesOf({ items: own.map(({ item }) => item), refunds, deliveryCents, deliveryTaxCents });
    return own.map((row, line) => ({
      ...row,
      id,
      refundedUnits: refundedUnitsOf({ status, refunds }, row.item),
      shares: shares[line] as Shares,
    }));
  });
}

const readLines = (connection: Connection, ids: string[]) =>
  connection
    .select({
      order: {
        id: orders.id,
        orderNumber: orders.orderNumber,
        createdAt: orders.createdAt,
        paidAt: orders.paidAt,
        status: orders.status,
        customer: orders.customer,
        state: orders.state,
        postalCode: orders.postalCode,
        discountCode: orders.discountCode,
        deliveryName: orders.deliveryName,
        deliveryCents: orders.deliveryCents,
        deliveryTaxCents: orders.deliveryTaxCents,
        taxState: orders.taxState,
        taxRatePpm: orders.taxRatePpm,
      },
      item: {
        id: orderItems.id,
        productName: orderItems.productName,
        unitSize: orderItems.unitSize,
        netGrams: orderItems.netGrams,
        netMillilitres: orderItems.netMillilitres,
        quantity: orderItems.quantity,
        unitPriceCents: orderItems.unitPriceCents,
        totalCents: orderItems.totalCents,
        discountCents: orderItems.discountCents,
        taxCents: orderItems.taxCents,
      },
      email: users.email,
      sku: products.sku,
      paymentId: paymentSessions.paymentIntentId,
    })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .innerJoin(users, eq(users.id, orders.userId))
    .innerJoin(products, eq(products.id, orderItems.productId))
    .leftJoin(paymentSessions, eq(paymentSessions.orderId, orders.id))
    .where(inArray(orderItems.orderId, ids))
    .orderBy(asc(orderItems.orderId), asc(orderItems.position));

type Item = OrderLineRow['item'];
type Shared = Pick<OrderLineRow['order'], 'deliveryCents' | 'deliveryTaxCents'> & {
  items: readonly Item[];
  refunds: readonly OrderRefund[];
};

/** Delivery is distributed by the lines' prices, its tax by their tax, and a refund without lines by what was left. */
function sharesOf({ items, refunds, deliveryCents, deliveryTaxCents }: Shared): Shares[] {
  const prices = items.map(({ totalCents }) => totalCents);
  const over = (cents: number, weights: readonly number[]) =>
    cents === 0 ? weights.map(() => 0) : spread(cents, weights.some((weight) => weight > 0) ? weights : prices);
  const deliveries = over(deliveryCents, prices);
  const deliveryTaxes = over(
    deliveryTaxCents,
    items.map(({ taxCents }) => taxCents),
  );
  const done = refunds.filter(({ state, strayPaymentId }) => state === 'done' && strayPaymentId === null);
  const charged = items.map(({ id, totalCents, discountCents, taxCents }, line) => {
    const given = done.flatMap(({ lines }) => lines).filter(({ orderItemId }) => orderItemId === id);
    return {
      goodsCents: totalCents - discountCents,
      taxCents: taxCents + (deliveryTaxes[line] ?? 0),
      givenGoods: sumCents(given.map(({ goodsCents }) => goodsCents)),
      givenTax: sumCents(given.map((part) => part.taxCents)),
    };
  });
  const withoutLines = (all: number[], ofLines: number[]) => sumCents(all) - sumCents(ofLines);
  const goodsBeside = over(
    withoutLines(
      done.map(goodsOfRefund),
      charged.map(({ givenGoods }) => givenGoods),
    ),
    charged.map(({ goodsCents, givenGoods }) => goodsCents - givenGoods),
  );
  const taxBeside = over(
    withoutLines(
      done.map(({ taxCents }) => taxCents),
      charged.map(({ givenTax }) => givenTax),
    ),
    charged.map(({ taxCents, givenTax }) => taxCents - givenTax),
  );
  const deliveryBack = over(sumCents(done.map((refund) => refund.deliveryCents)), deliveries);
  return charged.map(({ taxCents, givenGoods, givenTax }, line) => {
    const refundedTaxCents = givenTax + (taxBeside[line] ?? 0);
    const refundedCents = givenGoods + (goodsBeside[line] ?? 0) + (deliveryBack[line] ?? 0) + refundedTaxCents;
    return { deliveryCents: deliveries[line] ?? 0, taxCents, refundedCents, refundedTaxCents };
  });
}

/** @param units of sizes, as the shop shows them */
export const orderLineColumns = (units: Units): Column<OrderLineRow>[] => [
  { header: 'Order ID', cell: ({ order }) => `#${order.orderNumber}` },
  { header: 'Order Date', cell: ({ order }) => order.createdAt },
  { header: 'Paid', cell: ({ order }) => order.paidAt },
  { header: 'Status', cell: ({ order }) => statusLabels[order.status] },
  { header: 'Customer Name', cell: ({ order }) => order.customer },
  { header: 'Email', cell: ({ email }) => email },
  { header: 'State', cell: ({ order }) => order.state },
  { header: 'ZIP code', cell: ({ order }) => order.postalCode },
  { header: 'SKU', cell: ({ sku }) => sku && saveText(sku) },
  { header: 'Product', cell: ({ item }) => item.productName },
  { header: 'Size', cell: ({ item }) => sizeOf(item, units) },
  { header: 'Units', cell: ({ item }) => item.quantity },
  { header: 'Unit price', cell: ({ item }) => ({ cents: item.unitPriceCents }) },
  { header: 'Subtotal', cell: ({ item }) => ({ cents: item.totalCents }) },
  { header: 'Discount', cell: ({ item }) => ({ cents: -item.discountCents }) },
  { header: 'Discount code', cell: ({ order }) => order.discountCode },
  { header: 'Delivery', cell: ({ shares }) => ({ cents: shares.deliveryCents }) },
  { header: 'Delivery method', cell: ({ order }) => order.deliveryName },
  { header: 'Tax', cell: ({ shares }) => ({ cents: shares.taxCents }) },
  { header: 'Tax state', cell: ({ order }) => order.taxState },
  { header: 'Tax rate', cell: ({ order: { taxRatePpm: ppm } }) => (ppm === null ? null : String(fromRatePpm(ppm))) },
  {
    header: 'Amount',
    cell: ({ item, shares }) => ({
      cents: item.totalCents - item.discountCents + shares.deliveryCents + shares.taxCents,
    }),
  },
  { header: 'Refunded units', cell: ({ refundedUnits }) => refundedUnits },
  { header: 'Refunded', cell: ({ shares }) => ({ cents: -shares.refundedCents }) },
  { header: 'Refunded tax', cell: ({ shares }) => ({ cents: -shares.refundedTaxCents }) },
  { header: 'Payment ID', cell: ({ paymentId }) => paymentId },
];
