/** The cards of lists that show one product per group of sizes. */
import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { products } from './catalog';
import { at } from './columns';

/**
 * The cards of the lists: of each category, and of all products (`list` is then `allProducts`). A card stands for the sizes
 * of a group. Maintained by triggers when a transaction commits. A separate table, because an order that sells out one
 * size must not lock the others. Rule: docs/rules/catalog.md, Cards
 */
export const productCards = pgTable(
  'product_cards',
  {
    /** The product that is shown. */
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    list: uuid('list').notNull(),
    priceCents: integer('price_cents').notNull(),
    /** In small letters. */
    name: text('name').notNull(),
    heatLevel: smallint('heat_level'),
    createdAt: at('created_at').notNull(),
    /** The best one of its sizes. */
    bestsellerRank: integer('bestseller_rank'),
    /** Of its oldest size. */
    firstAt: at('first_at').notNull(),
    firstId: uuid('first_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.productId, table.list] }),
    // for each sort; with the product, so that a late page reads only the index
    index('product_cards_by_first').on(table.list, table.firstAt, table.firstId, table.productId),
    index('product_cards_by_rank').on(table.list, table.bestsellerRank, table.firstAt, table.firstId, table.productId),
    index('product_cards_by_price').on(table.list, table.priceCents, table.productId),
    index('product_cards_by_heat').on(table.list, table.heatLevel, table.createdAt, table.productId),
    index('product_cards_by_name').on(table.list, sql`${table.name} collate "C"`, table.productId),
  ],
);
/** A row while products from before this table have no cards yet: those with larger ids. See fillCards.ts. */
export const cardsToFill = pgTable('cards_to_fill', { after: uuid('after').notNull() });

export const allProducts = '00000000-0000-0000-0000-000000000000';
