/** Users' own lists of products. Their ids come from devices, so they are unique for each user alone. */
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
    /** What tells a user's lists apart (shared/lists.ts). */
    nameKey: text('name_key').notNull(),
    /** Among the user's lists: the one that was made last has the highest. */
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
    /** How many should be there; null where nobody has said. */
    par: smallint('par'),
    /** How many were counted, in tenths; null where nobody has counted. */
    onHandTenths: smallint('on_hand_tenths'),
    countedAt: at('counted_at'),
    /** In the list: the one that was put in last has the highest. */
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
