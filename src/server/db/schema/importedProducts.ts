/** What imported products bring along: their old addresses, and photos to load from the web. */
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { products } from './catalog';
import { at } from './columns';

/** Where products were found in the shop that they were imported from: '/products/{handle}' or '/product/{slug}'. */
export const productAliases = pgTable(
  'product_aliases',
  {
    /** In the spelling of `oldAddressOf` (src/shared/oldAddresses.ts). */
    path: text('path').primaryKey(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    createdAt: at('created_at').notNull(),
  },
  (table) => [index('product_aliases_of').on(table.productId)],
);

export type PhotoFetchState = 'waiting' | 'done' | 'failed' | 'dropped';

/**
 * Photos to load from the web for imported products. The rows stay, so that a later import knows which photos a product
 * already has. `done`: the file was loaded and waits as an upload, or was one before. `dropped`: the import was undone.
 */
export const photoFetches = pgTable(
  'photo_fetches',
  {
    id: uuid('id').primaryKey(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    importId: uuid('import_id'),
    /** The line of the imported file, counted from 1. */
    line: integer('line'),
    /** Its place among the product's photos in the file, from 0. */
    position: smallint('position').notNull(),
    url: text('url').notNull(),
    alt: text('alt'),
    state: text('state').$type<PhotoFetchState>().notNull(),
    tries: integer('tries').notNull().default(0),
    /** Not tried before this time. A claim moves it, so that another process takes over when the first one dies. */
    nextTryAt: at('next_try_at').notNull(),
    /** Why it couldn't be loaded, as a part of a sentence: 'the server said 404'. */
    problem: text('problem'),
    /** The upload of its file. Without a `hash`, the product got the same file in another way. */
    uploadId: uuid('upload_id'),
    /** The id of the photo that it became: the hash of its content. */
    hash: text('hash'),
    byUserId: uuid('by_user_id')
      .notNull()
      .references(() => users.id),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('photo_fetches_known')
      .on(table.productId, sql`md5(${table.url})`) // a link may be too long for an index
      .where(sql`state in ('waiting', 'done')`),
    index('photo_fetches_of_import')
      .on(table.importId, table.state)
      .where(sql`import_id is not null`),
    index('photo_fetches_due')
      .on(table.nextTryAt)
      .where(sql`state = 'waiting'`),
    check('photo_fetches_state', sql`${table.state} in ('waiting', 'done', 'failed', 'dropped')`),
  ],
);
