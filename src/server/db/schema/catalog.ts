/** Categories, products, their pictures and their search. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Schema } from '../../../shared/contract';
import { users } from './accounts';
import { at, lexemes } from './columns';

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

/** A picture is a set of files under /pictures named by its hash. The row lists their widths. */
export const pictures = pgTable('pictures', {
  hash: text('hash').primaryKey(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  /** Nominal widths of the files, in pixels: 160, 320, 640, 1280. */
  widths: integer('widths').array().notNull(),
  placeholder: text('placeholder').notNull(),
  /** Sizes of the files that devices save for offline use (`keptWidth`); null until a job has measured them. */
  keptAvifBytes: integer('kept_avif_bytes'),
  keptWebpBytes: integer('kept_webp_bytes'),
  createdAt: at('created_at').notNull(),
});

/** A ready photo of a product. It repeats its row in `pictures`, which never changes. */
export type StoredPhoto = Pick<typeof pictures.$inferSelect, 'hash' | 'widths' | 'placeholder'> & {
  alt: string | null;
};

export type ProductForm = NonNullable<Schema<'Product'>['form']>;

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
    /** Set by staff. A product can be bought when this is set and quantity is above 0. */
    availability: boolean('availability').notNull(),
    /** Units on the shelf, not held by an open order. The stock ledger's sum. */
    quantity: integer('quantity').notNull(),
    pictureHash: text('picture_hash').references(() => pictures.hash),
    pictureAlt: text('picture_alt'),
    /** The photos after the first, which is `pictureHash`, in their order. */
    photos: jsonb('photos').$type<StoredPhoto[]>().notNull().default([]),
    unitSize: text('unit_size'),
    origin: text('origin'),
    heatLevel: smallint('heat_level'),
    allergens: text('allergens').array().notNull().default([]),
    otherNames: text('other_names').array().notNull().default([]),
    unitCostCents: integer('unit_cost_cents'),
    /** Whether sales tax applies where a rate is set: groceries are often exempt. */
    taxable: boolean('taxable').notNull().default(true),
    /** The former price of a sale, above the price. */
    compareAtCents: integer('compare_at_cents'),
    netGrams: integer('net_grams'),
    netMillilitres: integer('net_millilitres'),
    sku: text('sku'),
    barcode: text('barcode'),
    shippingGrams: integer('shipping_grams'),
    form: text('form').$type<ProductForm>(),
    /** A month, as in '2028-05'. */
    bestBefore: text('best_before'),
    ingredients: text('ingredients'),
    supplier: text('supplier'),
    tags: text('tags').array().notNull().default([]),
    /** Its place in the store room. `shelf` is a column of stock_movements. */
    shelf: text('shelf_place'),
    pageTitle: text('page_title'),
    /** Products with the same group are sizes of one another. A group needs no row of its own. */
    sizeGroup: uuid('size_group'),
    /** The present one of its addresses in product_slugs. */
    slug: text('slug'),
    /** Its place among the bestsellers; null below the first 100. Written by a nightly job. */
    bestsellerRank: integer('bestseller_rank'),
    /** Incremented by a trigger with each changed fact (not stock). */
    version: integer('version').notNull().default(1),
    /** The version of the last change to the form's facts: a new picture does not make an open form stale. */
    editedVersion: integer('edited_version').notNull().default(1),
    /** Position in the change feed. A trigger moves it when a fact changes, or when stock is or was 10 or less. */
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
    // staff's lists; quantity has no index: every sale would then lose the cheaper HOT update
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
    // the sorts of the storefront; the others read the indexes above, some backwards
    index('products_listed_by_name')
      .on(sql`lower(${table.name}) collate "C"`, table.id)
      .where(sql`archived_at is null`),
    index('products_listed_by_heat')
      .on(table.heatLevel, table.createdAt, table.id)
      .where(sql`archived_at is null`),
    index('products_listed_by_rank')
      .on(table.bestsellerRank, table.createdAt, table.id)
      .where(sql`archived_at is null`),
    index('products_category_by_name')
      .on(table.categoryId, sql`lower(${table.name}) collate "C"`, table.id)
      .where(sql`archived_at is null`),
    index('products_category_by_price')
      .on(table.categoryId, table.priceCents, table.id)
      .where(sql`archived_at is null`),
    index('products_category_by_heat')
      .on(table.categoryId, table.heatLevel, table.createdAt, table.id)
      .where(sql`archived_at is null`),
    index('products_category_by_rank')
      .on(table.categoryId, table.bestsellerRank, table.createdAt, table.id)
      .where(sql`archived_at is null`),
    index('products_archived')
      .on(table.archivedAt, table.id)
      .where(sql`archived_at is not null`),
    index('products_all_of_category').on(table.categoryId),
    uniqueIndex('products_sku')
      .on(sql`lower(${table.sku})`)
      .where(sql`archived_at is null`),
    index('products_barcode')
      .on(table.barcode)
      .where(sql`barcode is not null`),
    index('products_supplier')
      .on(table.supplier)
      .where(sql`supplier is not null`),
    index('products_tags').using('gin', table.tags),
    index('products_size_group')
      .on(table.sizeGroup)
      .where(sql`size_group is not null`),
    check('products_compare_at', sql`${table.compareAtCents} > ${table.priceCents}`),
    check('products_net_amount', sql`${table.netGrams} is null or ${table.netMillilitres} is null`),
    check('products_price', sql`${table.priceCents} >= 0`),
    check('products_quantity', sql`${table.quantity} >= 0`),
    check('products_heat', sql`${table.heatLevel} between 0 and 5`),
    check('products_cost', sql`${table.unitCostCents} >= 0`),
  ],
);

/** The readable addresses of products, /p/{slug}: present and former ones, so that old links keep working. */
export const productSlugs = pgTable(
  'product_slugs',
  {
    slug: text('slug').primaryKey(),
    /** A deferred foreign key: the address is taken before the product is inserted. */
    productId: uuid('product_id').notNull(),
    createdAt: at('created_at').notNull(),
  },
  // for the addresses that begin alike, whatever the database's collation
  (table) => [index('product_slugs_begun').on(table.slug.op('text_pattern_ops'))],
);

/** What was ordered together most, written by a nightly job (catalog/pairs.ts). All sizes of a group count as one. */
export const productPairs = pgTable('product_pairs', {
  /** A group of sizes, or a product without one. */
  key: uuid('key').primaryKey(),
  /** The keys of the others, the most common first. */
  others: uuid('others').array().notNull(),
});

export type PictureUploadState = 'processing' | 'failed' | 'ready' | 'replaced';

/**
 * An uploaded photo until its sizes are made. Its file is in DATA_DIR/uploads under the row's id. `replaced`: a newer
 * upload arrived, or the photo was removed.
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
    /** Its place among the product's photos, from 0; null when it replaces the first. */
    place: smallint('place'),
    /** The hash of its content; null for uploads of an earlier release. */
    hash: text('hash'),
    alt: text('alt'),
    /** The hash of the first photo that it replaces; null if there was none, or for an added photo. */
    replaces: text('replaces'),
    /** When a process last started on it. */
    claimedAt: at('claimed_at'),
    /** Why it could not be used, as a sentence to show. */
    failure: text('failure'),
    byUserId: uuid('by_user_id')
      .notNull()
      .references(() => users.id),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('picture_uploads_current')
      .on(table.productId)
      .where(sql`place is null and state in ('processing', 'failed')`),
    uniqueIndex('picture_uploads_added')
      .on(table.productId, table.hash)
      .where(sql`place is not null and state in ('processing', 'failed')`),
    index('picture_uploads_processing')
      .on(table.createdAt)
      .where(sql`state = 'processing'`),
    check('picture_uploads_state', sql`${table.state} in ('processing', 'failed', 'ready', 'replaced')`),
  ],
);

/** Deleted categories, for devices that still have them. Written by a trigger. */
export const removedCategories = pgTable(
  'removed_categories',
  {
    id: uuid('id').primaryKey(),
    changeCursor: bigint('change_cursor', { mode: 'number' }).notNull(),
  },
  (table) => [index('removed_categories_change').on(table.changeCursor)],
);

/**
 * The search texts of a listed product, folded (search_fold) and maintained by triggers. A separate table, so that a sale
 * does not copy or touch it.
 */
export const productSearch = pgTable(
  'product_search',
  {
    productId: uuid('product_id')
      .primaryKey()
      .references(() => products.id, { onDelete: 'cascade' }),
    /** Its name and other names, each as one text. */
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

/** All searchable words, for finding mistyped ones. Words of former products remain. */
export const searchWords = pgTable('search_words', { word: text('word').primaryKey() }, (table) => [
  index('search_words_alike').using('gin', table.word.op('gin_trgm_ops')),
  index('search_words_begun').on(table.word.op('text_pattern_ops')),
]);

/**
 * Row counters for lists (db/core/lists.ts), maintained by triggers as deltas to sum up. `part` is a category, status or
 * role; `value` divides it further.
 */
export const keptCounts = pgTable(
  'kept_counts',
  {
    list: text('list').$type<KeptList>().notNull(),
    part: text('part').notNull(),
    value: text('value').notNull(),
    /** Below 0 when rows were removed. */
    rows: integer('rows').notNull(),
  },
  (table) => [index('kept_counts_of').on(table.list, table.part, table.value, table.rows)],
);
export type KeptList =
  | 'products'
  | 'cards'
  | 'heatLevels'
  | 'origins'
  | 'allergens'
  | 'forms'
  | 'onSale'
  | 'suppliers'
  | 'tags'
  | 'orders'
  | 'users';

/** One row: the last assigned position of the change feed. Its lock makes positions follow the commit order. */
export const catalogCursor = pgTable('catalog_cursor', {
  only: boolean('only').primaryKey().default(true),
  position: bigint('position', { mode: 'number' }).notNull(),
});
