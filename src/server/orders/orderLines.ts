/**
 * Orders as a file with a row per line. What belongs to an order as a whole is distributed over its lines in whole cents,
 * so that each column of amounts adds up to the order's. Rule: docs/rules/back-office.md, Orders
 */
import { eq, inArray } from 'drizzle-orm';
import { statusLabels } from '../../shared/orders';
import { unitsOf } from '../../shared/orderUnits';
import { sizeOf } from '../../shared/sizes';
import { fromRatePpm, goodsOfRefund, spread, sumCents } from '../../shared/total';
import type { Units } from '../../shared/unitPrice';
import { orders, paymentSessions, products, users } from '../db/schema/tables';
import type { Connection } from '../db/core/transact';
import { type Column, saveText } from '../http/csv/csvDownload';
import { findOrders, type FullOrder, type OrderItemRow } from './repository';

export const orderLinesFile = { name: 'order-lines', loggedAs: 'orders' } as const;

type Shares = {
  deliveryCents: number;
  /** With the line's share of the tax on delivery. */
  taxCents: number;
  refundedCents: number;
  refundedTaxCents: number;
};
type Facts = { email: string; paymentId: string | null };
/** `id` is the order's: its lines are several rows. */
export type OrderLineRow = {
  id: string;
  order: FullOrder & Facts;
  item: OrderItemRow;
  sku: string | null;
  refundedUnits: number;
  shares: Shares;
};

/** The lines of the orders with these ids, each order's in their own order. */
export async function findLinesOfOrders(connection: Connection, ids: string[]): Promise<OrderLineRow[]> {
  const found = await findOrders(connection, ids);
  const facts = await connection
    .select({ id: orders.id, email: users.email, paymentId: paymentSessions.paymentIntentId })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .leftJoin(paymentSessions, eq(paymentSessions.orderId, orders.id))
    .where(inArray(orders.id, ids));
  const productIds = new Set(found.flatMap(({ items }) => items.map(({ productId }) => productId)));
  const skus = await connection
    .select({ id: products.id, sku: products.sku })
    .from(products)
    .where(inArray(products.id, [...productIds]));
  const factsOf = new Map(facts.map(({ id, ...more }) => [id, more]));
  const skuOf = new Map(skus.map(({ id, sku }) => [id, sku]));
  return found.flatMap((order) => {
    const more: Facts = factsOf.get(order.id) ?? { email: '', paymentId: null };
    const units = unitsOf(order);
    return sharesOf(order).map(({ item, ...shares }) => ({
      id: order.id,
      order: { ...order, ...more },
      item,
      sku: skuOf.get(item.productId) ?? null,
      refundedUnits: units.get(item.id)?.refunded ?? 0,
      shares,
    }));
  });
}

type Shared = Pick<FullOrder, 'items' | 'refunds' | 'deliveryCents' | 'deliveryTaxCents'>;

/** Delivery is distributed by the lines' prices, its tax by their tax, and a refund without lines by what was left. */
function sharesOf({ items, refunds, deliveryCents, deliveryTaxCents }: Shared): (Shares & { item: OrderItemRow })[] {
  const prices = items.map(({ totalCents }) => totalCents);
  const over = (cents: number, weights: readonly number[]) =>
    spread(cents, weights.some((weight) => weight > 0) ? weights : prices);
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
    const item = items[line] as OrderItemRow;
    return { item, deliveryCents: deliveries[line] ?? 0, taxCents, refundedCents, refundedTaxCents };
  });
}

/** @param units of sizes, as the shop shows them */
export const orderLineColumns = (units: Units): Column<OrderLineRow>[] => [
  { header: 'Order ID', cell: ({ order }) => `#${order.orderNumber}` },
  { header: 'Order Date', cell: ({ order }) => order.createdAt },
  { header: 'Paid', cell: ({ order }) => order.paidAt },
  { header: 'Status', cell: ({ order }) => statusLabels[order.status] },
  { header: 'Customer Name', cell: ({ order }) => order.customer },
  { header: 'Email', cell: ({ order }) => order.email },
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
  { header: 'Payment ID', cell: ({ order }) => order.paymentId },
];
