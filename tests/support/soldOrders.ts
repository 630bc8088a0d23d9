/** Random orders whose parts add up, with all kinds of refunds, written in bulk: input for reports. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { refundByLines, refundCents, refundOfAmount, totalOf, type DiscountTerms } from '../../src/shared/total';
import type { Random } from '../chaos/random';

export type SoldLine = {
  id: string;
  productId: string;
  /** As stored; null for a line without one. */
  categoryId: string;
  quantity: number;
  cents: number;
  discountCents: number;
  taxCents: number;
  /** Null and undefined: unknown. */
  unitCostCents?: number | null;
};
export type SoldRefund = {
  id: string;
  amountCents: number;
  deliveryCents: number;
  taxCents: number;
  isByLines: boolean;
  state: 'done' | 'failed';
  strayPaymentId: string | null;
  doneAt: Date;
  /** Whether all units of the order are restocked. */
  restock?: boolean;
  lines: { itemId: string; quantity: number; goodsCents: number; taxCents: number; restock?: boolean }[];
};
export type SoldOrder = {
  id: string;
  state: string;
  discountId: string | null;
  paidAt: Date | null;
  goodsCents: number;
  discountCents: number;
  deliveryCents: number;
  /** Null: its state had no rate. */
  taxRatePpm: number | null;
  taxedCents: number;
  taxCents: number;
  deliveryTaxCents: number;
  totalCents: number;
  lines: SoldLine[];
  refunds: SoldRefund[];
};
export type Shelf = { productId: string; priceCents: number; categoryId: string };

const states = ['GA', 'NY', 'TX', 'CA'];

/** @param from, until when the orders were paid */
export function randomOrder(
  random: Random,
  {
    shelf,
    discountIds,
    from,
    until,
  }: { shelf: readonly Shelf[]; discountIds: readonly string[]; from: Date; until: Date },
): SoldOrder {
  const one = <T>(values: readonly [T, ...T[]] | readonly T[]): T => values[random.below(values.length)] as T;
  const picked = [...new Set(Array.from({ length: 1 + random.below(4) }, () => one(shelf)))];
  const counted = picked.map((product) => ({ ...product, quantity: 1 + random.below(5) }));
  const discounts: (DiscountTerms | null)[] = [
    null,
    { kind: 'percent', percent: 1 + random.below(60) },
    { kind: 'amount', amountCents: 1 + random.below(900) },
    { kind: 'free_delivery' },
  ];
  const discount = one(discounts);
  const ratePpm = one([57_500, 57_500, 40_000, 0]);
  const tax = random.below(3) > 0 ? { ratePpm, taxesDelivery: random.below(2) > 0 } : null;
  const total = totalOf({
    lines: counted.map(({ priceCents, quantity }) => ({
      cents: priceCents * quantity,
      isTaxable: random.below(4) > 0,
      isEligible: random.below(4) > 0,
    })),
    discount,
    delivery: random.below(3) > 0 ? { priceCents: random.below(900), freeFromCents: 4_000 } : null,
    tax,
  });
  const { lines: shares, ...sums } = total;
  const isPaid = random.below(10) > 0;
  const paidAt = new Date(from.getTime() + random.below(until.getTime() - from.getTime()));
  const order: SoldOrder = {
    ...sums,
    id: randomUUID(),
    state: one(states),
    taxRatePpm: tax?.ratePpm ?? null,
    discountId: discount && discountIds.length > 0 ? one(discountIds) : null,
    paidAt: isPaid ? paidAt : null,
    lines: counted.map(({ productId, categoryId, priceCents, quantity }, place) => ({
      id: randomUUID(),
      productId,
      categoryId,
      quantity,
      cents: priceCents * quantity,
      discountCents: shares[place]?.discountCents ?? 0,
      taxCents: shares[place]?.taxCents ?? 0,
      unitCostCents: random.below(5) > 0 ? random.below(priceCents) : null,
    })),
    refunds: [],
  };
  if (isPaid && random.below(3) === 0) order.refunds.push(...randomRefunds(random, order, paidAt));
  return order;
}

/** A refund of some lines, perhaps with delivery, then one of an amount; some failed, and one of a second payment. */
function randomRefunds(random: Random, order: SoldOrder, paidAt: Date): SoldRefund[] {
  const { goodsCents, discountCents, deliveryCents, taxCents, deliveryTaxCents, lines } = order;
  const left = { goodsCents: goodsCents - discountCents, deliveryCents, taxCents };
  const wished = lines
    .filter(() => random.below(2) > 0)
    .map((line) => ({ line, units: 1 + random.below(line.quantity) }));
  const given = refundByLines(left, {
    lines: wished.map(({ line, units }) => ({ line: { ...line, refundedUnits: 0 }, units })),
    delivery: random.below(2) > 0 ? { deliveryCents, taxCents: deliveryTaxCents } : null,
  });
  const rest = {
    goodsCents: left.goodsCents - given.parts.goodsCents,
    deliveryCents: left.deliveryCents - given.parts.deliveryCents,
    taxCents: left.taxCents - given.parts.taxCents,
  };
  const most = refundCents(rest);
  const another = refundOfAmount(rest, most > 0 ? 1 + random.below(most) : 0);
  const soon = () => new Date(paidAt.getTime() + random.below(40 * 86_400_000));
  const made = (parts: typeof given.parts, own: Partial<SoldRefund>): SoldRefund => ({
    id: randomUUID(),
    amountCents: refundCents(parts),
    deliveryCents: parts.deliveryCents,
    taxCents: parts.taxCents,
    isByLines: false,
    state: 'done',
    strayPaymentId: null,
    doneAt: soon(),
    lines: [],
    ...own,
  });
  const refunds = [
    made(given.parts, {
      isByLines: true,
      lines: wished.map(({ line, units }, place) => ({
        itemId: line.id,
        quantity: units,
        goodsCents: given.lines[place]?.goodsCents ?? 0,
        taxCents: given.lines[place]?.taxCents ?? 0,
        restock: random.below(2) > 0,
      })),
    }),
    made(another, { state: random.below(4) > 0 ? 'done' : 'failed', restock: random.below(4) === 0 }),
    ...(random.below(8) === 0 ? [made(another, { strayPaymentId: randomUUID() })] : []),
  ];
  return refunds.filter(({ amountCents }) => amountCents > 0);
}

/** Writes orders, their lines and refunds. @param userId the customer of all of them */
export async function writeOrders(pool: pg.Pool, orders: readonly SoldOrder[], userId: string): Promise<void> {
  const json = (rows: readonly object[]) => JSON.stringify(rows);
  const totals = orders.filter(({ totalCents }) => totalCents > 0);
  await pool.query(
    `insert into orders (id, order_number, user_id, cart_id, customer, street, city, state, postal_code, status,
       total_cents, content_hash, created_at, paid_at, discount_id, discount_code, discount_cents, delivery_cents,
       tax_state, tax_rate_ppm, taxed_cents, tax_cents, delivery_tax_cents)
     select id, 'T-' || id, $2, gen_random_uuid(), 'Customer', 'a', 'b', state, '30303',
       case when "paidAt" is null then 'CANCELLED' else 'DELIVERED' end, "totalCents", '',
       coalesce("paidAt", now()) - interval '1 minute', "paidAt", "discountId",
       case when "discountId" is not null then 'CODE' end, "discountCents", "deliveryCents",
       case when "taxRatePpm" is not null then state end, "taxRatePpm", "taxedCents", "taxCents", "deliveryTaxCents"
     from jsonb_to_recordset($1) as o (id uuid, state text, "totalCents" int, "paidAt" timestamptz, "discountId" uuid,
       "discountCents" int, "deliveryCents" int, "taxRatePpm" int, "taxedCents" int, "taxCents" int, "deliveryTaxCents" int)`,
    [json(totals), userId],
  );
  const lines = totals.flatMap(({ id: orderId, lines }) =>
    lines.map((line, position) => ({ ...line, orderId, position, price: line.cents / line.quantity })),
  );
  await pool.query(
    `insert into order_items (id, order_id, product_id, product_name, unit_price_cents, unit_cost_cents, quantity,
       total_cents, discount_cents, tax_cents, category_id, position)
     select id, "orderId", "productId", 'Spice', price, "unitCostCents", quantity, cents, "discountCents", "taxCents", "categoryId", position
     from jsonb_to_recordset($1) as l (id uuid, "orderId" uuid, "productId" uuid, price int, quantity int, cents int,
       "discountCents" int, "taxCents" int, "categoryId" uuid, position int, "unitCostCents" int)`,
    [json(lines)],
  );
  const refunds = totals.flatMap(({ id: orderId, refunds }) => refunds.map((refund) => ({ ...refund, orderId })));
  await pool.query(
    `insert into refunds (id, order_id, amount_cents, delivery_cents, tax_cents, is_by_lines, state, reason,
       stray_payment_id, restock, created_at, done_at)
     select id, "orderId", "amountCents", "deliveryCents", "taxCents", "isByLines", state, 'x', "strayPaymentId",
       coalesce(restock, false), "doneAt", case when state = 'done' then "doneAt" end
     from jsonb_to_recordset($1) as r (id uuid, "orderId" uuid, "amountCents" int, "deliveryCents" int, "taxCents" int,
       "isByLines" boolean, restock boolean, state text, "strayPaymentId" text, "doneAt" timestamptz)`,
    [json(refunds)],
  );
  await pool.query(
    `insert into refund_lines (refund_id, order_item_id, quantity, restock, goods_cents, tax_cents)
     select "refundId", "itemId", quantity, coalesce(restock, false), "goodsCents", "taxCents"
     from jsonb_to_recordset($1) as l ("refundId" uuid, "itemId" uuid, quantity int, restock boolean, "goodsCents" int, "taxCents" int)`,
    [json(refunds.flatMap(({ id: refundId, lines }) => lines.map((line) => ({ ...line, refundId }))))],
  );
  await pool.query('analyze orders, order_items, refunds, refund_lines');
}
