/**
 * Every table of the shop on one page. Money is whole cents, ids are UUIDs, and no time has a default: all of them come
 * from the shop's one clock (server/clock.ts). What a table cannot say in Drizzle (the catalog's trigger) stands in
 * db/migrations.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Secrets and switches that every process shares: signing key, sandbox keys. */
export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').notNull(),
});

export type UserRole = 'ROLE_CUSTOMER' | 'ROLE_ADMIN' | 'ROLE_OWNER';

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    /** The address as accounts are told apart by: NFKC, lower case. */
    emailKey: text('email_key').notNull(),
    fullName: text('full_name').notNull(),
    role: text('role').$type<UserRole>().notNull(),
    isEnabled: boolean('is_enabled').notNull().default(true),
    passwordHash: text('password_hash').notNull(),
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    imageUrl: text('image_url'),
    phoneNumber: text('phone_number'),
    dob: date('dob', { mode: 'string' }),
    description: text('description'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email_key').on(table.emailKey),
    check('users_role', sql`${table.role} in ('ROLE_CUSTOMER', 'ROLE_ADMIN', 'ROLE_OWNER')`),
  ],
);

export const addresses = pgTable(
  'addresses',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    street: text('street').notNull(),
    city: text('city').notNull(),
    state: text('state').notNull(),
    postalCode: text('postal_code').notNull(),
    country: text('country').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [index('addresses_user').on(table.userId, table.createdAt)],
);

/**
 * One signed-in device: the chain of refresh tokens that began at one login. Only the newest token and the one before
 * it are known (as SHA-256), since any other ends the family.
 */
export const sessionFamilies = pgTable(
  'session_families',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: bytes('token_hash').notNull(),
    previousTokenHash: bytes('previous_token_hash'),
    /** How often it was refreshed; an access token carries the number of the refresh that issued it. */
    refreshNumber: integer('refresh_number').notNull().default(0),
    /** Whether the newest token, or an access token issued with it, was ever used. */
    successorUsed: boolean('successor_used').notNull().default(false),
    rememberMe: boolean('remember_me').notNull(),
    createdAt: at('created_at').notNull(),
    refreshedAt: at('refreshed_at').notNull(),
    endedAt: at('ended_at'),
    endReason: text('end_reason'),
  },
  (table) => [
    index('session_families_user').on(table.userId),
    index('session_families_ended').on(table.endedAt),
    index('session_families_refreshed').on(table.refreshedAt),
  ],
);

/** Failed attempts within a window, per account or address: counted up before the attempt, so no burst slips past. */
export const attempts = pgTable(
  'attempts',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    windowEndsAt: at('window_ends_at').notNull(),
  },
  (table) => [index('attempts_window').on(table.windowEndsAt)],
);

/** The answer kept for a mutation sent with an Idempotency-Key. `scope` is the user's id, for visitors the operation. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    scope: text('scope').notNull(),
    key: uuid('key').notNull(),
    requestHash: bytes('request_hash').notNull(),
    status: smallint('status'),
    answer: jsonb('answer'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.key] }), index('idempotency_keys_age').on(table.createdAt)],
);

export const categories = pgTable(
  'categories',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    title: text('title'),
    description: text('description').notNull(),
    /** Position in the change feed; set by a trigger from catalog_cursor. */
    changeCursor: bigint('change_cursor', { mode: 'number' }).notNull().default(0),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('categories_name').on(sql`lower(${table.name})`),
    index('categories_change').on(table.changeCursor),
    check('categories_name_pattern', sql`${table.name} ~ '^[a-z0-9-]{1,40}$'`),
  ],
);

/** A picture is a set of files under /pictures named by its hash; the row says which were made. */
export const pictures = pgTable('pictures', {
  hash: text('hash').primaryKey(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  /** Nominal widths of the files, in pixels: 160, 320, 640, 1280. */
  widths: integer('widths').array().notNull(),
  placeholder: text('placeholder').notNull(),
  createdAt: at('created_at').notNull(),
});

export const products = pgTable(
  'products',
  {
    id: uuid('id').primaryKey(),
    categoryId: uuid('category_id')
      .notNull()
      .references(() => categories.id),
    name: text('name').notNull(),
    description: text('description').notNull(),
    priceCents: integer('price_cents').notNull(),
    /** What staff set; a product can be bought when this is set and quantity is above 0. */
    availability: boolean('availability').notNull(),
    /** Units on the shelf, not held by an open order. The stock ledger's sum. */
    quantity: integer('quantity').notNull(),
    pictureHash: text('picture_hash').references(() => pictures.hash),
    pictureAlt: text('picture_alt'),
    unitSize: text('unit_size'),
    origin: text('origin'),
    heatLevel: smallint('heat_level'),
    allergens: text('allergens').array().notNull().default([]),
    otherNames: text('other_names').array().notNull().default([]),
    unitCostCents: integer('unit_cost_cents'),
    /** Raised by a trigger at each changed fact (not by stock). */
    version: integer('version').notNull().default(1),
    /** Position in the change feed; moved by a trigger at a changed fact or when stock is or was 10 or less. */
    changeCursor: bigint('change_cursor', { mode: 'number' }).notNull().default(0),
    createdAt: at('created_at').notNull(),
    archivedAt: at('archived_at'),
  },
  (table) => [
    index('products_category')
      .on(table.categoryId, table.createdAt, table.id)
      .where(sql`archived_at is null`),
    index('products_listed')
      .on(table.createdAt, table.id)
      .where(sql`archived_at is null`),
    index('products_change').on(table.changeCursor),
    check('products_price', sql`${table.priceCents} >= 0`),
    check('products_quantity', sql`${table.quantity} >= 0`),
    check('products_heat', sql`${table.heatLevel} between 0 and 5`),
  ],
);

/** One row: the last position given out in the change feed. Its lock makes positions appear in the order of commits. */
export const catalogCursor = pgTable('catalog_cursor', {
  only: boolean('only').primaryKey().default(true),
  position: bigint('position', { mode: 'number' }).notNull(),
});

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
    // a second release or sale of the same units is a second row of its kind: the database refuses it
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
    /** UUID v5 of user and product (shared/cart.ts): known before the server was asked. */
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
    status: text('status').$type<OrderStatus>().notNull(),
    totalCents: integer('total_cents').notNull(),
    /** Lines, prices and address as one hash: the same again is the same order, not a second one. */
    contentHash: bytes('content_hash').notNull(),
    shipmentTrackingUrl: text('shipment_tracking_url'),
    createdAt: at('created_at').notNull(),
    paidAt: at('paid_at'),
    refundedCents: integer('refunded_cents').notNull().default(0),
  },
  (table) => [
    index('orders_user').on(table.userId, table.createdAt.desc(), table.id.desc()),
    index('orders_newest').on(table.createdAt.desc(), table.id.desc()),
    index('orders_status').on(table.status, table.createdAt.desc(), table.id.desc()),
    // two open orders of one customer would hold the same goods twice
    uniqueIndex('orders_one_open')
      .on(table.userId)
      .where(sql`status = 'PENDING_PAYMENT'`),
    check(
      'orders_status',
      sql`${table.status} in ('PENDING_PAYMENT', 'PAID', 'OUT_FOR_DELIVERY', 'DELIVERED', 'CANCELLED', 'REFUNDED')`,
    ),
    check('orders_total', sql`${table.totalCents} > 0`),
    check('orders_refunded', sql`${table.refundedCents} between 0 and ${table.totalCents}`),
  ],
);

/** What was bought, copied: a product's later name, price or picture changes no order. */
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
    imageUrl: text('image_url'),
    unitPriceCents: integer('unit_price_cents').notNull(),
    unitCostCents: integer('unit_cost_cents'),
    quantity: integer('quantity').notNull(),
    totalCents: integer('total_cents').notNull(),
    position: smallint('position').notNull(),
  },
  (table) => [
    index('order_items_order').on(table.orderId, table.position),
    check('order_items_total', sql`${table.totalCents} = ${table.unitPriceCents} * ${table.quantity}`),
  ],
);

/** Each status an order had, when, and by whom (nobody: the shop itself). */
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
    check('payment_sessions_state', sql`${table.state} in ('creating', 'open', 'paid', 'expired', 'refunded')`),
  ],
);

export type PaymentEventOutcome = 'done' | 'ignored' | 'refused';

/** Every event the provider told us, once: its id is stored in the transaction of its effect. */
export const paymentEvents = pgTable('payment_events', {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  orderId: uuid('order_id').references(() => orders.id),
  outcome: text('outcome').$type<PaymentEventOutcome>().notNull(),
  reason: text('reason'),
  receivedAt: at('received_at').notNull(),
});
