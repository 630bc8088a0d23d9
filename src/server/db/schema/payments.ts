/** What the payment provider was asked and what it told. */
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { at } from './columns';
import { orderItems, orders } from './orders';

export type PaymentSessionState = 'creating' | 'open' | 'paid' | 'expired' | 'refunded';

/** The provider's payment session of an order. The row exists before the provider is asked. */
export const paymentSessions = pgTable(
  'payment_sessions',
  {
    orderId: uuid('order_id')
      .primaryKey()
      .references(() => orders.id),
    /** The provider's id and page; null until its answer arrived. */
    sessionId: text('session_id').unique(),
    url: text('url'),
    state: text('state').$type<PaymentSessionState>().notNull(),
    amountCents: integer('amount_cents').notNull(),
    /** Part of the key under which it is opened; raised when the provider failed for good under the last one. */
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

/** Every event the provider told us, once: its id is stored in the transaction of its effect. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    orderId: uuid('order_id').references(() => orders.id),
    outcome: text('outcome').$type<PaymentEventOutcome>().notNull(),
    /** Why it was refused; of a declined payment, why it was declined. */
    reason: text('reason'),
    /** The shop found it in the provider's list, and no webhook has told of it. */
    isFetched: boolean('is_fetched').notNull().default(false),
    receivedAt: at('received_at').notNull(),
  },
  (table) => [
    index('payment_events_order')
      .on(table.orderId)
      .where(sql`order_id is not null`),
  ],
);

/** One row: up to which time, by the provider's clock, its events are taken. None before the first event. */
export const paymentEventsCursor = pgTable('payment_events_cursor', {
  only: boolean('only').primaryKey().default(true),
  takenUntil: at('taken_until').notNull(),
});

export type RefundState = 'asked' | 'done' | 'failed';

/** Money given back. The row is written before the provider is asked, and its id is the provider's idempotency key. */
export const refunds = pgTable(
  'refunds',
  {
    id: uuid('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    amountCents: integer('amount_cents').notNull(),
    state: text('state').$type<RefundState>().notNull(),
    /** Whether the whole order's units go back on the shelf. */
    restock: boolean('restock').notNull().default(false),
    reason: text('reason').notNull(),
    /** What it gives back of delivery and tax; the rest of the amount is goods. */
    deliveryCents: integer('delivery_cents').notNull().default(0),
    taxCents: integer('tax_cents').notNull().default(0),
    /** Whether it is of lines and delivery; else of another amount, spread over all that was left. */
    isByLines: boolean('is_by_lines').notNull().default(false),
    /** What staff wrote for the customer, in the mail and on the receipt. */
    customerNote: text('customer_note'),
    providerRefundId: text('provider_refund_id').unique(),
    /** A second payment of the order, given back whole; null: of the payment that the order has. */
    strayPaymentId: text('stray_payment_id').unique(),
    /** Null: the shop itself, for a late or a second payment. */
    byUserId: uuid('by_user_id').references(() => users.id),
    /** How often the provider has refused it. */
    rejections: integer('refusals').notNull().default(0),
    /** Somebody asks the provider until then, or it is to be asked again then; null: now. */
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

/** Units of an order's line that a refund gives back, and the cents of goods (after the discount) and tax for them. */
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
  },
  (table) => [
    primaryKey({ columns: [table.refundId, table.orderItemId] }),
    index('refund_lines_item').on(table.orderItemId),
    check('refund_lines_quantity', sql`${table.quantity} > 0`),
    check('refund_lines_parts', sql`least(${table.goodsCents}, ${table.taxCents}) >= 0`),
  ],
);

/**
 * Money by line: a row for each line of an order that was paid, at that time, and for each line of a refund that was made.
 * Triggers write it (0000_baseline.sql), so that a report of a year reads one narrow table and joins none.
 * A second payment that was given back is no part of it.
 */
export const moneyByLine = pgTable(
  'money_by_line',
  {
    at: at('at').notNull(),
    orderId: uuid('order_id').notNull(),
    productId: uuid('product_id').notNull(),
    /** As the order's line has it. */
    categoryId: uuid('category_id').notNull(),
    /** What was sold; 0 in a row of a refund. */
    units: integer('units').notNull(),
    goodsCents: integer('goods_cents').notNull(),
    discountCents: integer('discount_cents').notNull(),
    taxCents: integer('tax_cents').notNull(),
    /** Goods and tax that a refund gave back; 0 in a row of a payment. */
    refundCents: integer('refund_cents').notNull(),
  },
  (table) => [index('money_by_line_at').on(table.at)],
);
