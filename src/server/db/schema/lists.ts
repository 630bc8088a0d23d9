/** Users' product lists. Their ids come from devices, so they are unique only per user. */
import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { products } from './catalog';
import { at } from './columns';

export const lists = pgTable(
  'lists',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    /** The normalized name, unique per user (shared/lists.ts). */
    nameKey: text('name_key').notNull(),
    /** Order among the user's lists: the newest has the highest. */
    position: integer('position').notNull(),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    uniqueIndex('lists_name').on(table.userId, table.nameKey),
    check('lists_name_length', sql`char_length(${table.name}) between 1 and 60`),
  ],
);

export const listItems = pgTable(
  'list_items',
  {
    userId: uuid('user_id').notNull(),
    listId: uuid('list_id').notNull(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    /** Par: how many should be there; null if not set. */
    par: smallint('par'),
    /** The counted number, in tenths; null if never counted. */
    onHandTenths: smallint('on_hand_tenths'),
    countedAt: at('counted_at'),
    /** Order in the list: the newest has the highest. */
    position: integer('position').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.listId, table.productId] }),
    foreignKey({
      name: 'list_items_list',
      columns: [table.userId, table.listId],
      foreignColumns: [lists.userId, lists.id],
    }).onDelete('cascade'),
    index('list_items_product').on(table.productId),
    check('list_items_par', sql`${table.par} between 0 and 999`),
    check('list_items_on_hand', sql`${table.onHandTenths} between 0 and 9990`),
    check('list_items_counted', sql`(${table.onHandTenths} is null) = (${table.countedAt} is null)`),
  ],
);
