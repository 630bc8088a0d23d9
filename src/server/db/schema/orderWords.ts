/** What staff's search of orders reads. */
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns';
import { orders } from './orders';

/**
 * The texts by which staff find an order, in lower case, each on a line of its own. Written by triggers
 * (migration order_words) in the transaction of each change, so that a search reads one narrow table.
 * Rule: docs/rules/back-office.md, Orders
 */
export const orderWords = pgTable(
  'order_words',
  {
    orderId: uuid('order_id')
      .primaryKey()
      .references(() => orders.id, { onDelete: 'cascade' }),
    /** That of the order, so that the newest found ones are read without it. */
    createdAt: at('created_at').notNull(),
    /** Number, customer, email, company, street and products. */
    words: text('words').notNull(),
    /** Payment ids and tracking numbers, without spaces and hyphens. */
    ids: text('ids').notNull(),
  },
  (table) => [
    index('order_words_newest').on(table.createdAt, table.orderId),
    index('order_words_parts').using('gin', table.words.op('gin_trgm_ops'), table.ids.op('gin_trgm_ops')),
  ],
);
