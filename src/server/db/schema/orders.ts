/** Stock, carts and orders. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgSequence,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { DiscountKind } from '../../../shared/total';
import { users } from './accounts';
import { products } from './catalog';
import { at, bytes } from './columns';
import { deliveryMethods, discounts } from './selling';

export type StockMovementKind = 'hold' | 'sale' | 'release' | 'adjustment';

/**
 * The stock ledger, append only. `shelf` summed over a product is its quantity, `held` summed is what open orders hold;
 * a hold moves units from shelf to held, a sale takes them out of held (or, when a cancelled order turns out to be paid,
 * from the shelf), a release puts them back on the shelf.
 */
export const stockMovements = pgTable(
  'stock_movements',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    kind: text('kind').$type<StockMovementKind>().notNull(),
    shelf: integer('shelf').notNull(),
    held: integer('held').notNull(),
    orderId: uuid('order_id').references(() => orders.id),
    byUserId: uuid('by_user_id').references(() => users.id),
    reason: text('reason'),
    at: at('at').notNull(),
  },
  (table) => [
    index('stock_movements_product').on(table.productId, table.id),
    index('stock_movements_order').on(table.orderId),
    // a second release or sale of the same units would be a duplicate row, which the index rejects
    uniqueIndex('stock_movements_once')
      .on(table.orderId, table.productId, table.kind)
      .where(sql`kind in ('hold', 'sale', 'release')`),
    check(
      'stock_movements_kind',
      sql`(${table.kind} = 'hold' and ${table.shelf} < 0 and ${table.held} = -${table.shelf})
        or (${table.kind} = 'sale' and ${table.shelf} + ${table.held} < 0 and ${table.shelf} * ${table.held} = 0)
        or (${table.kind} = 'release' and ${table.shelf} > 0 and ${table.held} = -${table.shelf})
        or (${table.kind} = 'adjustment' and ${table.shelf} <> 0 and ${table.held} = 0)`,
    ),
  ],
);

export const carts = pgTable('carts', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: 'cascade' }),
  createdAt: at('created_at').notNull(),
});

export const cartItems = pgTable(
  'cart_items',
  {
    /** UUID v5 of user and product (shared/cart.ts): devices know it before they contact the server. */
    id: uuid('id').primaryKey(),
    cartId: uuid('cart_id')
      .notNull()
      .references(() => carts.id, { onDelete: 'cascade' }),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    quantity: integer('quantity').notNull(),
    confirmedPriceCents: integer('confirmed_price_cents').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('cart_items_product').on(table.cartId, table.productId),
    check('cart_items_quantity', sql`${table.quantity} between 1 and 99`),
  ],
);

export type OrderStatus = 'PENDING_PAYMENT' | 'PAID' | 'OUT_FOR_DELIVERY' | 'DELIVERED' | 'CANCELLED' | 'REFUNDED';

export const orderNumbers = pgSequence('order_numbers', { startWith: 1001 });

export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey(),
    orderNumber: text('order_number').notNull().unique(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    cartId: uuid('cart_id').notNull(),
    customer: text('customer').notNull(),
    street: text('street').notNull(),
    city: text('city').notNull(),
    state: text('state').notNull(),
    postalCode: text('postal_code').notNull(),
    company: text('company').notNull().default(''),
    street2: text('street2').notNull().default(''),
    phone: text('phone').notNull().default(''),
    status: text('status').$type<OrderStatus>().notNull(),
    totalCents: integer('total_cents').notNull(),
    /** A hash of lines, prices and address: placing the same again returns the same order. */
    contentHash: bytes('content_hash').notNull(),
    shipmentTrackingUrl: text('shipment_tracking_url'),
    createdAt: at('created_at').notNull(),
    paidAt: at('paid_at'),
    refundedCents: integer('refunded_cents').notNull().default(0),
    // The parts of the total. Goods are total + discount - delivery - tax. Names, codes and rates are copies. Rule: The total
    discountId: uuid('discount_id').references(() => discounts.id),
    discountCode: text('discount_code'),
    discountKind: text('discount_kind').$type<DiscountKind>(),
    discountCents: integer('discount_cents').notNull().default(0),
    deliveryMethodId: uuid('delivery_method_id').references(() => deliveryMethods.id),
    deliveryName: text('delivery_name'),
    deliveryCents: integer('delivery_cents').notNull().default(0),
    taxState: text('tax_state'),
    taxRatePpm: integer('tax_rate_ppm'),
    /** The taxable amount. */
    taxedCents: integer('taxed_cents').notNull().default(0),
    taxCents: integer('tax_cents').notNull().default(0),
    /** The tax on the delivery. */
    deliveryTaxCents: integer('delivery_tax_cents').notNull().default(0),
    deliveryNote: text('delivery_note'),
  },
  (table) => [
    // an order that was not cancelled counts as a use of its code
    index('orders_discount')
      .on(table.discountId, table.userId)
      .where(sql`discount_id is not null`),
    index('orders_user').on(table.userId, table.createdAt, table.id),
    index('orders_newest').on(table.createdAt, table.id),
    index('orders_status').on(table.status, table.createdAt, table.id),
    // covers the columns that staff's lists need to find a late page: an index-only scan
    index('orders_by_number').on(sql`length(${table.orderNumber})`, table.orderNumber, table.id),
    index('orders_by_customer').on(sql`lower(${table.customer})`, table.id, table.customer),
    index('orders_by_total').on(table.totalCents, table.id),
    // covers the columns that the dashboard and the reports sum up
    index('orders_paid_sums')
      .on(table.paidAt, table.id, table.totalCents, table.deliveryCents, table.deliveryTaxCents)
      .where(sql`paid_at is not null`),
    index('orders_words').using('gin', table.customer.op('gin_trgm_ops'), table.orderNumber.op('gin_trgm_ops')),
    // two open orders of a customer would hold the same goods twice
    uniqueIndex('orders_one_open')
      .on(table.userId)
      .where(sql`status = 'PENDING_PAYMENT'`),
    // whether a customer ever paid, and when last
    index('orders_paid_by')
      .on(table.userId, table.paidAt)
      .where(sql`paid_at is not null`),
    check(
      'orders_status',
      sql`${table.status} in ('PENDING_PAYMENT', 'PAID', 'OUT_FOR_DELIVERY', 'DELIVERED', 'CANCELLED', 'REFUNDED')`,
    ),
    check('orders_total', sql`${table.totalCents} > 0`),
    check('orders_refunded', sql`${table.refundedCents} between 0 and ${table.totalCents}`),
    check(
      'orders_parts',
      sql`least(${table.discountCents}, ${table.deliveryCents}, ${table.taxedCents}, ${table.deliveryTaxCents}) >= 0
        and ${table.taxCents} >= ${table.deliveryTaxCents}
        and ${table.totalCents} >= ${table.deliveryCents} + ${table.taxCents}`,
    ),
  ],
);

/**
 * How long a customer's unpaid orders hold goods: one row per customer, changed under the cart's lock. An order that replaces
 * another one inherits its hold. An order without a row was placed by an older release: its hold ends with its payment
 * session.
 */
export const holds = pgTable('holds', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The newest order of the hold. */
  orderId: uuid('order_id')
    .notNull()
    .unique()
    .references(() => orders.id),
  /** When the first order of the hold was placed. */
  since: at('since').notNull(),
  until: at('until').notNull(),
  /** Whether an order that replaced another one late already got its final extension. */
  isExtended: boolean('is_extended').notNull(),
  /** How many consecutive holds before this one ended unpaid. */
  unpaidEnds: integer('unpaid_ends').notNull(),
  /** The staff member who ended it; null: none. */
  endedBy: uuid('ended_by').references(() => users.id),
  /** The network of its newest order, while it is recent; null: unknown. */
  network: text('network'),
});

/** Copies of the purchased products: a later name, price or picture changes no order. */
export const orderItems = pgTable(
  'order_items',
  {
    id: uuid('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    productName: text('product_name').notNull(),
    // the size at the sale; null in orders placed before these columns existed
    unitSize: text('unit_size'),
    netGrams: integer('net_grams'),
    netMillilitres: integer('net_millilitres'),
    imageUrl: text('image_url'),
    unitPriceCents: integer('unit_price_cents').notNull(),
    unitCostCents: integer('unit_cost_cents'),
    quantity: integer('quantity').notNull(),
    totalCents: integer('total_cents').notNull(),
    /** Shares of the order's discount and tax. */
    discountCents: integer('discount_cents').notNull().default(0),
    taxCents: integer('tax_cents').notNull().default(0),
    /** The product's category at the sale. */
    categoryId: uuid('category_id').notNull(),
    position: smallint('position').notNull(),
  },
  (table) => [
    index('order_items_order').on(table.orderId, table.position),
    index('order_items_product').on(table.productId, table.orderId),
    check('order_items_total', sql`${table.totalCents} = ${table.unitPriceCents} * ${table.quantity}`),
    check(
      'order_items_shares',
      sql`${table.discountCents} between 0 and ${table.totalCents} and ${table.taxCents} >= 0`,
    ),
  ],
);

export type Carrier = 'usps' | 'ups' | 'fedex' | 'dhl' | 'other';

/**
 * Parcels of an order. An order that was shipped before this table existed has none: all that was left then is shipped.
 * Rule: docs/rules/orders-and-payment.md, Parcels
 */
export const parcels = pgTable(
  'parcels',
  {
    id: uuid('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    carrier: text('carrier').$type<Carrier>().notNull(),
    trackingNumber: text('tracking_number'),
    /** As staff set it; null: the carrier's page for the number. */
    trackingUrl: text('tracking_url'),
    /** Whether a status change made it, of all that was left. */
    isAutomatic: boolean('is_automatic').notNull().default(false),
    /** The status that the order got with this parcel; null: it kept its own. */
    madeStatus: text('made_status').$type<OrderStatus>(),
    /** How many mails about it were written. */
    mails: integer('mails').notNull().default(0),
    byUserId: uuid('by_user_id')
      .notNull()
      .references(() => users.id),
    shippedAt: at('shipped_at').notNull(),
  },
  (table) => [
    index('parcels_order').on(table.orderId, table.shippedAt, table.id),
    check('parcels_carrier', sql`${table.carrier} in ('usps', 'ups', 'fedex', 'dhl', 'other')`),
  ],
);

/** The units of an order line in a parcel. */
export const parcelLines = pgTable(
  'parcel_lines',
  {
    parcelId: uuid('parcel_id')
      .notNull()
      .references(() => parcels.id, { onDelete: 'cascade' }),
    orderItemId: uuid('order_item_id')
      .notNull()
      .references(() => orderItems.id),
    quantity: integer('quantity').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.parcelId, table.orderItemId] }),
    index('parcel_lines_item').on(table.orderItemId),
    check('parcel_lines_quantity', sql`${table.quantity} > 0`),
  ],
);

/** Internal notes of staff on an order. */
export const orderNotes = pgTable(
  'order_notes',
  {
    id: uuid('id').primaryKey(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    byUserId: uuid('by_user_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    at: at('at').notNull(),
  },
  (table) => [index('order_notes_order').on(table.orderId, table.at)],
);

/** Each status of an order, with its time and author (null: the shop itself). */
export const orderTimeline = pgTable(
  'order_timeline',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    status: text('status').$type<OrderStatus>().notNull(),
    byUserId: uuid('by_user_id').references(() => users.id),
    note: text('note'),
    at: at('at').notNull(),
  },
  (table) => [index('order_timeline_order').on(table.orderId, table.id)],
);
