/**
 * Every table of the shop on one page. Money is whole cents, ids are UUIDs, and no time has a default: all of them come
 * from the shop's one clock (server/clock.ts). What a table cannot say in Drizzle (the catalog's trigger) stands in
 * db/migrations. Indexes go upwards: `order by … desc` reads them backwards, while one that Drizzle writes with `.desc()`
 * puts its nulls last, where such a query wants them first, and would not be used.
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
const lexemes = customType<{ data: string }>({ dataType: () => 'tsvector' });
const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** What the owner decides about the shop (server/settings); without the one row it is as the shop came. */
export const shopSettings = pgTable(
  'shop_settings',
  {
    only: boolean('only').primaryKey().default(true),
    shopName: text('shop_name').notNull(),
    contactEmail: text('contact_email').notNull(),
    contactPhone: text('contact_phone').notNull(),
    /** A name that both the database and the browser know, as America/New_York. */
    timeZone: text('time_zone').notNull(),
    lowStockThreshold: integer('low_stock_threshold').notNull(),
    newCustomerUnits: integer('new_customer_units').notNull().default(99),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [check('shop_settings_only', sql`${table.only}`)],
);

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
    /** When a link that was mailed to `email` was opened; null: nobody has shown that the address is theirs. */
    emailProvenAt: at('email_proven_at'),
    imageUrl: text('image_url'),
    phoneNumber: text('phone_number'),
    dob: date('dob', { mode: 'string' }),
    description: text('description'),
    /** The second factor's secret, encrypted under the server's key; null when it was never begun. */
    totpSecret: bytes('totp_secret'),
    /** Null until the first code was right: only then is it asked for. */
    totpConfirmedAt: at('totp_confirmed_at'),
    /** The last time step of which a code was taken: none is taken twice. */
    totpLastStep: integer('totp_last_step'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email_key').on(table.emailKey),
    index('users_newest').on(table.createdAt, table.id),
    index('users_by_name').on(sql`lower(${table.fullName})`, table.id, table.fullName),
    index('users_by_role').on(table.role, table.createdAt, table.id),
    index('users_by_state').on(table.isEnabled, table.createdAt, table.id),
    index('users_words').using('gin', table.fullName.op('gin_trgm_ops'), table.email.op('gin_trgm_ops')),
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

/** Ten codes that each stand in for the second factor once, as SHA-256. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: bytes('code_hash').notNull(),
    usedAt: at('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/**
 * A link to set a new password. Its token is an HMAC of the id under the server's key, so that the mail can be written
 * when it is sent and no row keeps the token; only the newest of a user counts.
 */
export const passwordResets = pgTable(
  'password_resets',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: bytes('token_hash').notNull().unique(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** When it was used, or ended by a newer one. */
    endedAt: at('ended_at'),
  },
  (table) => [index('password_resets_user').on(table.userId, table.createdAt)],
);

export type EmailLinkPurpose = 'proof' | 'takeover';

/**
 * A link that shows whose an email address is. As of a password reset no row keeps its token, and only the newest of a
 * user and a purpose counts.
 */
export const emailLinks = pgTable(
  'email_links',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose').$type<EmailLinkPurpose>().notNull(),
    /** Where it was mailed to: the account's address, or the one that is to become it. */
    email: text('email').notNull(),
    tokenHash: bytes('token_hash').notNull().unique(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** When it was used, or ended by a newer one. */
    endedAt: at('ended_at'),
  },
  (table) => [
    index('email_links_user').on(table.userId, table.createdAt),
    check('email_links_purpose', sql`${table.purpose} in ('proof', 'takeover')`),
  ],
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
    /** Browser and system in a few words, for the list of one's own sessions. */
    device: text('device').notNull().default(''),
    /** Of the key that each refresh must prove (RFC 7638), once the session is bound to one. */
    keyThumbprint: bytes('key_thumbprint'),
    /** The token that was exchanged when a proof first came; null when the login brought one. */
    boundTokenHash: bytes('bound_token_hash'),
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
  /** How large the files are of which a device keeps one (`keptWidth`); null until a job has measured them. */
  keptAvifBytes: integer('kept_avif_bytes'),
  keptWebpBytes: integer('kept_webp_bytes'),
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
    /** The version since which the facts of the form are as they are: another picture makes no open form stale. */
    editedVersion: integer('edited_version').notNull().default(1),
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
    // staff's lists; what a sale changes (quantity) has none: it would cost every sale the short way of writing a row
    index('products_names').using('gin', sql`product_names(${table.name}, ${table.otherNames}) gin_trgm_ops`),
    index('products_by_name')
      .on(sql`lower(${table.name})`, table.id)
      .where(sql`archived_at is null`),
    index('products_by_price')
      .on(table.priceCents, table.id)
      .where(sql`archived_at is null`),
    index('products_by_cost')
      .on(table.unitCostCents, table.id)
      .where(sql`archived_at is null`),
    index('products_archived')
      .on(table.archivedAt, table.id)
      .where(sql`archived_at is not null`),
    index('products_all_of_category').on(table.categoryId),
    check('products_price', sql`${table.priceCents} >= 0`),
    check('products_quantity', sql`${table.quantity} >= 0`),
    check('products_heat', sql`${table.heatLevel} between 0 and 5`),
    check('products_cost', sql`${table.unitCostCents} >= 0`),
  ],
);

export type PictureUploadState = 'processing' | 'failed' | 'ready' | 'replaced';

/**
 * A picture as it was sent, until its sizes are made: its file lies in DATA_DIR/uploads under the row's id. `replaced`:
 * another one came, or the picture was taken away.
 */
export const pictureUploads = pgTable(
  'picture_uploads',
  {
    id: uuid('id').primaryKey(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    state: text('state').$type<PictureUploadState>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When a process last began with it. */
    claimedAt: at('claimed_at'),
    /** Why it could not be used: a sentence to show. */
    failure: text('failure'),
    byUserId: uuid('by_user_id')
      .notNull()
      .references(() => users.id),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('picture_uploads_current')
      .on(table.productId)
      .where(sql`state in ('processing', 'failed')`),
    index('picture_uploads_processing')
      .on(table.createdAt)
      .where(sql`state = 'processing'`),
    check('picture_uploads_state', sql`${table.state} in ('processing', 'failed', 'ready', 'replaced')`),
  ],
);

/** Categories that are no more, for devices that still have them. Written by a trigger. */
export const removedCategories = pgTable(
  'removed_categories',
  {
    id: uuid('id').primaryKey(),
    changeCursor: bigint('change_cursor', { mode: 'number' }).notNull(),
  },
  (table) => [index('removed_categories_change').on(table.changeCursor)],
);

/**
 * What a product that is sold can be found by, folded (search_fold): triggers keep it. A table of its own, so that a sale
 * neither copies nor touches it.
 */
export const productSearch = pgTable(
  'product_search',
  {
    productId: uuid('product_id')
      .primaryKey()
      .references(() => products.id, { onDelete: 'cascade' }),
    /** Its name and other names, each as a whole. */
    wholeNames: text('whole_names').array().notNull(),
    /** Their words. */
    names: lexemes('names').notNull(),
    /** The words of its names and text. */
    words: lexemes('words').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    index('product_search_whole_names').using('gin', table.wholeNames),
    index('product_search_names').using('gin', table.names),
    index('product_search_words').using('gin', table.words),
  ],
);

/** Every word that products can be found by: where a mistyped one is looked up. Words of former products stay in it. */
export const searchWords = pgTable('search_words', { word: text('word').primaryKey() }, (table) => [
  index('search_words_alike').using('gin', table.word.op('gin_trgm_ops')),
  index('search_words_begun').on(table.word.op('text_pattern_ops')),
]);

/**
 * How many rows there are of what is counted at every list (db/lists.ts), kept by triggers as changes that add up:
 * `part` is a category, a status or a role, `value` what is told apart within it.
 */
export const keptCounts = pgTable(
  'kept_counts',
  {
    list: text('list').$type<KeptList>().notNull(),
    part: text('part').notNull(),
    value: text('value').notNull(),
    /** Below 0 when rows went. */
    rows: integer('rows').notNull(),
  },
  (table) => [index('kept_counts_of').on(table.list, table.part, table.value, table.rows)],
);
export type KeptList = 'products' | 'heatLevels' | 'origins' | 'allergens' | 'orders' | 'users';

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
    index('orders_user').on(table.userId, table.createdAt, table.id),
    index('orders_newest').on(table.createdAt, table.id),
    index('orders_status').on(table.status, table.createdAt, table.id),
    // with all that the lists of staff read of a row to find a late page: then the index alone is read
    index('orders_by_number').on(sql`length(${table.orderNumber})`, table.orderNumber, table.id),
    index('orders_by_customer').on(sql`lower(${table.customer})`, table.id, table.customer),
    index('orders_by_total').on(table.totalCents, table.id),
    // with what the dashboard sums up
    index('orders_paid')
      .on(table.paidAt, table.id, table.totalCents)
      .where(sql`paid_at is not null`),
    index('orders_words').using('gin', table.customer.op('gin_trgm_ops'), table.orderNumber.op('gin_trgm_ops')),
    // two open orders of one customer would hold the same goods twice
    uniqueIndex('orders_one_open')
      .on(table.userId)
      .where(sql`status = 'PENDING_PAYMENT'`),
    // whether, and when last, a customer paid
    index('orders_paid_by')
      .on(table.userId, table.paidAt)
      .where(sql`paid_at is not null`),
    check(
      'orders_status',
      sql`${table.status} in ('PENDING_PAYMENT', 'PAID', 'OUT_FOR_DELIVERY', 'DELIVERED', 'CANCELLED', 'REFUNDED')`,
    ),
    check('orders_total', sql`${table.totalCents} > 0`),
    check('orders_refunded', sql`${table.refundedCents} between 0 and ${table.totalCents}`),
  ],
);

/**
 * How long a customer's unpaid orders hold goods: one row a customer, changed under the lock of the cart. An order that
 * replaces another one goes on with its hold. An order without a row was placed by a release that had none: what it holds
 * ends with its payment session.
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
  /** When the first order of it was placed. */
  since: at('since').notNull(),
  until: at('until').notNull(),
  /** Whether an order that replaced another one late was given its last minutes. */
  isExtended: boolean('is_extended').notNull(),
  /** How many holds before this one ended unpaid, one after the other. */
  unpaidEnds: integer('unpaid_ends').notNull(),
  /** Who of the staff ended it; null: nobody. */
  endedBy: uuid('ended_by').references(() => users.id),
});

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

/** What staff write for each other at an order. */
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
    providerRefundId: text('provider_refund_id').unique(),
    /** A second payment of the order, given back whole; null: of the payment that the order has. */
    strayPaymentId: text('stray_payment_id').unique(),
    /** Null: the shop itself, for a late or a second payment. */
    byUserId: uuid('by_user_id').references(() => users.id),
    /** How often the provider has refused it. */
    refusals: integer('refusals').notNull().default(0),
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
    check('refunds_state', sql`${table.state} in ('asked', 'done', 'failed')`),
  ],
);

export type MailKind =
  | 'order_confirmation'
  | 'out_for_delivery'
  | 'refund'
  | 'password_reset'
  | 'contact_received'
  | 'security_notice'
  | 'message_reply'
  | 'email_proof'
  | 'account_takeover';
export type MailState = 'waiting' | 'sent' | 'failed' | 'cancelled';

/**
 * Every mail, written with its job in the transaction of what it tells. It is rendered when it is sent, from what it
 * points at and `facts`; neither holds a secret.
 */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').$type<MailKind>().notNull(),
    /** What it tells, named: `order_confirmation:<order>`. The same is never told twice. */
    about: text('about').notNull().unique(),
    recipient: text('recipient').notNull(),
    userId: uuid('user_id').references(() => users.id),
    orderId: uuid('order_id').references(() => orders.id),
    facts: jsonb('facts').notNull().default({}),
    state: text('state').$type<MailState>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull(),
    sentAt: at('sent_at'),
  },
  (table) => [
    index('mails_newest').on(table.createdAt, table.id),
    index('mails_by_state').on(table.state, table.createdAt, table.id),
    index('mails_failed')
      .on(table.createdAt)
      .where(sql`state = 'failed'`),
    index('mails_waiting')
      .on(table.createdAt)
      .where(sql`state = 'waiting'`),
    index('mails_order').on(table.orderId),
    check('mails_state', sql`${table.state} in ('waiting', 'sent', 'failed', 'cancelled')`),
  ],
);

/** The security notices that an address had lately: more than a few of an hour become one mail. */
export const noticeCounts = pgTable('notice_counts', {
  /** SHA-256 of the address as accounts are told apart by. */
  recipientHash: bytes('recipient_hash').primaryKey(),
  /** Those of the last hour that were mailed one by one. */
  mailedAt: timestamp('mailed_at', { withTimezone: true, mode: 'date' }).array().notNull(),
  /** The mail that collects what came since. */
  collectingId: uuid('collecting_id'),
  lastAt: at('last_at').notNull(),
});

/** What visitors wrote to the owner. */
export const contactMessages = pgTable(
  'contact_messages',
  {
    id: uuid('id').primaryKey(),
    fullName: text('full_name').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    reason: text('reason').notNull(),
    userId: uuid('user_id').references(() => users.id),
    createdAt: at('created_at').notNull(),
    readAt: at('read_at'),
    answeredAt: at('answered_at'),
  },
  (table) => [
    index('contact_messages_newest').on(table.createdAt, table.id),
    index('contact_messages_new')
      .on(table.createdAt, table.id)
      .where(sql`read_at is null and answered_at is null`),
    index('contact_messages_read')
      .on(table.createdAt, table.id)
      .where(sql`read_at is not null and answered_at is null`),
    index('contact_messages_answered')
      .on(table.createdAt, table.id)
      .where(sql`answered_at is not null`),
    index('contact_messages_words').using(
      'gin',
      table.fullName.op('gin_trgm_ops'),
      table.email.op('gin_trgm_ops'),
      table.reason.op('gin_trgm_ops'),
    ),
  ],
);

/** What staff answered to a message; its mail is `message_reply:<reply>`. */
export const messageReplies = pgTable(
  'message_replies',
  {
    id: uuid('id').primaryKey(),
    messageId: uuid('message_id')
      .notNull()
      .references(() => contactMessages.id),
    byUserId: uuid('by_user_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    at: at('at').notNull(),
  },
  (table) => [index('message_replies_message').on(table.messageId, table.at)],
);

export type AlarmKind =
  | 'paid_undeliverable'
  | 'paid_twice'
  | 'event_refused'
  | 'mail_failed'
  | 'refund_failed'
  | 'webhook_silent'
  | 'large_hold';

/** What a person should look at. `about` names the thing, so that it is raised once. */
export const alarms = pgTable(
  'alarms',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').$type<AlarmKind>().notNull(),
    about: text('about').notNull().unique(),
    orderId: uuid('order_id').references(() => orders.id),
    detail: text('detail').notNull(),
    createdAt: at('created_at').notNull(),
    settledAt: at('settled_at'),
    settledBy: uuid('settled_by').references(() => users.id),
  },
  (table) => [
    index('alarms_open')
      .on(table.createdAt)
      .where(sql`settled_at is null`),
  ],
);

/**
 * Who did what to which thing, append only (a trigger refuses anything else). Of fields with personal data only the name
 * is kept.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: at('at').notNull(),
    /** Null: the shop itself, or a visitor. */
    actorId: uuid('actor_id').references(() => users.id),
    /** What was done, as `user.role_changed`. */
    action: text('action').notNull(),
    targetKind: text('target_kind').notNull(),
    targetId: text('target_id'),
    before: jsonb('before'),
    after: jsonb('after'),
    requestId: text('request_id'),
  },
  (table) => [
    index('audit_log_at').on(table.at, table.id),
    index('audit_log_target').on(table.targetKind, table.targetId, table.id),
    index('audit_log_actor').on(table.actorId, table.id),
    index('audit_log_action').on(table.action, table.at, table.id),
  ],
);
