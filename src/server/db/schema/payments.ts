/** Payment sessions, provider events and refunds. */
import { sql } from 'drizzle-orm';
import { boolean, check, date, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { at } from './columns';
import { orderItems, orders } from './orders';

export type PaymentSessionState = 'creating' | 'open' | 'paid' | 'expired' | 'refunded';

/** The provider's payment session of an order. The row is written before the provider call. */
export const paymentSessions = pgTable(
  'payment_sessions',
  {
    orderId: uuid('order_id')
      .primaryKey()
      .references(() => orders.id),
    /** The provider's id and page; null until its response arrives. */
    sessionId: text('session_id').unique(),
    url: text('url'),
    state: text('state').$type<PaymentSessionState>().notNull(),
    amountCents: integer('amount_cents').notNull(),
    /** Part of the idempotency key; incremented when the provider failed permanently under the previous key. */
    attempt: integer('attempt').notNull().default(1),
    paymentIntentId: text('payment_intent_id'),
    refundId: text('refund_id'),
    expiresAt: at('expires_at').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    index('payment_sessions_waiting')
      .on(table.createdAt)
      .where(sql`state in ('creating', 'open')`),
    index('payment_sessions_payment').on(table.paymentIntentId),
    check('payment_sessions_state', sql`${table.state} in ('creating', 'open', 'paid', 'expired', 'refunded')`),
  ],
);

export type PaymentEventOutcome = 'done' | 'ignored' | 'refused';

/** Every provider event, stored once, in the transaction of its effect. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    orderId: uuid('order_id').references(() => orders.id),
    outcome: text('outcome').$type<PaymentEventOutcome>().notNull(),
    /** Why it was rejected, or why the payment was declined. */
    reason: text('reason'),
    /** Whether the shop found it in the provider's list and no webhook has delivered it. */
    isFetched: boolean('is_fetched').notNull().default(false),
    receivedAt: at('received_at').notNull(),
  },
  (table) => [
    index('payment_events_order')
      .on(table.orderId)
      .where(sql`order_id is not null`),
    index('payment_events_by_webhook')
      .on(table.receivedAt)
      .where(sql`not is_fetched`),
  ],
);

/** One row: the time, on the provider's clock, up to which events are processed. Missing before the first event. */
export const paymentEventsCursor = pgTable('payment_events_cursor', {
  only: boolean('only').primaryKey().default(true),
  takenUntil: at('taken_until').notNull(),
});

export type RefundState = 'asked' | 'done' | 'failed';

/** Refunds. The row is written before the provider call, and its id is the provider's idempotency key. */
export const refunds = pgTable(
  'refunds',
  {
    id: uuid('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    amountCents: integer('amount_cents').notNull(),
    state: text('state').$type<RefundState>().notNull(),
    /** Whether all units of the order go back on the shelf. */
    restock: boolean('restock').notNull().default(false),
    reason: text('reason').notNull(),
    /** The refunded delivery and tax; the rest of the amount is goods. */
    deliveryCents: integer('delivery_cents').notNull().default(0),
    taxCents: integer('tax_cents').notNull().default(0),
    /** Whether it refunds lines and delivery; otherwise it is a custom amount, spread over all that was left. */
    isByLines: boolean('is_by_lines').notNull().default(false),
    /** Staff's note to the customer, in the mail and on the receipt. */
    customerNote: text('customer_note'),
    providerRefundId: text('provider_refund_id').unique(),
    /** A second payment of the order, refunded in full; null: refunds the order's payment. */
    strayPaymentId: text('stray_payment_id').unique(),
    /** Null: the shop itself, for a late or a second payment. */
    byUserId: uuid('by_user_id').references(() => users.id),
    /** How often the provider has rejected it. */
    rejections: integer('refusals').notNull().default(0),
    /** Claimed by a process, or due for a retry, until then; null: due now. */
    tryAfter: at('try_after'),
    createdAt: at('created_at').notNull(),
    doneAt: at('done_at'),
  },
  (table) => [
    index('refunds_order').on(table.orderId, table.createdAt),
    index('refunds_done').on(table.doneAt),
    index('refunds_asked')
      .on(table.createdAt)
      .where(sql`state = 'asked'`),
    check('refunds_amount', sql`${table.amountCents} > 0`),
    check(
      'refunds_parts',
      sql`least(${table.deliveryCents}, ${table.taxCents}) >= 0
        and ${table.amountCents} >= ${table.deliveryCents} + ${table.taxCents}`,
    ),
    check('refunds_state', sql`${table.state} in ('asked', 'done', 'failed')`),
  ],
);

/** The units of an order line in a refund, with their goods (after the discount) and tax in cents. */
export const refundLines = pgTable(
  'refund_lines',
  {
    refundId: uuid('refund_id')
      .notNull()
      .references(() => refunds.id),
    orderItemId: uuid('order_item_id')
      .notNull()
      .references(() => orderItems.id),
    quantity: integer('quantity').notNull(),
    /** Whether these units go back on the shelf. */
    restock: boolean('restock').notNull(),
    goodsCents: integer('goods_cents').notNull(),
    taxCents: integer('tax_cents').notNull(),
    /** How many of the units were not shipped; null in refunds made before parcels existed. */
    unshippedQuantity: integer('unshipped_quantity'),
  },
  (table) => [
    primaryKey({ columns: [table.refundId, table.orderItemId] }),
    index('refund_lines_item').on(table.orderItemId),
    check('refund_lines_quantity', sql`${table.quantity} > 0`),
    check('refund_lines_unshipped', sql`${table.unshippedQuantity} between 0 and ${table.quantity}`),
    check('refund_lines_parts', sql`least(${table.goodsCents}, ${table.taxCents}) >= 0`),
  ],
);

/**
 * Money by line: a row for each line of an order when it is paid, and for each line of a completed refund. Written by
 * triggers (0000_baseline.sql), so that the orders behind a row of a report are found in one narrow table. Refunded second
 * payments are not included.
 */
export const moneyByLine = pgTable(
  'money_by_line',
  {
    at: at('at').notNull(),
    orderId: uuid('order_id').notNull(),
    productId: uuid('product_id').notNull(),
    /** Copied from the order line. */
    categoryId: uuid('category_id').notNull(),
    /** Sold units and amounts; 0 in a refund's row. */
    units: integer('units').notNull(),
    goodsCents: integer('goods_cents').notNull(),
    discountCents: integer('discount_cents').notNull(),
    taxCents: integer('tax_cents').notNull(),
    /** Refunded goods and tax; 0 in a payment's row. */
    refundCents: integer('refund_cents').notNull(),
  },
  (table) => [index('money_by_line_at').on(table.at)],
);

export type MoneyPart = 'product' | 'category' | 'state' | 'code';

/**
 * The money of each day in the shop's time zone, by product, category, state and discount code: what reports sum up. The
 * sums of every part are the same. A job fills it (reports/keepDays.ts) with what daily_money_anew gives; read it by
 * daily_money_of, which takes days in money_touched from there.
 */
export const dailyMoney = pgTable(
  'daily_money',
  {
    day: date('day').notNull(),
    part: text('part').$type<MoneyPart>().notNull(),
    /** An id or a state; `delivery` and `none` for what has no line or no code. */
    key: text('key').notNull(),
    /** Counted at their delivery by product and category. */
    orders: integer('orders').notNull(),
    units: integer('units').notNull(),
    goodsCents: integer('goods_cents').notNull(),
    discountCents: integer('discount_cents').notNull(),
    deliveryCents: integer('delivery_cents').notNull(),
    taxCents: integer('tax_cents').notNull(),
    /** The parts of completed refunds, without those of second payments. */
    returnedCents: integer('returned_cents').notNull(),
    returnedDeliveryCents: integer('returned_delivery_cents').notNull(),
    returnedTaxCents: integer('returned_tax_cents').notNull(),
    /** Of sold units, and of restocked ones. */
    costCents: integer('cost_cents').notNull(),
    restockedCostCents: integer('restocked_cost_cents').notNull(),
    /** Sold or restocked. */
    unitsWithoutCost: integer('units_without_cost').notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.day, table.key] })],
);

/** Moments of payments and refunds that were written since their day was summed up. Triggers add them. */
export const moneyTouched = pgTable('money_touched', { at: at('at').notNull() });

/** One row: the time zone of the days in daily_money. Missing before the first. */
export const dailyMoneyZone = pgTable('daily_money_zone', {
  only: boolean('only').primaryKey().default(true),
  timeZone: text('time_zone').notNull(),
});
