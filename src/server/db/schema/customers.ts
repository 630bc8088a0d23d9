/** What staff write about customers. Rule: docs/rules/back-office.md, Notes and tags */
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts';
import { at } from './columns';

/** Deleted with the account that a note is about. Its author's account can't be deleted. */
export const customerNotes = pgTable(
  'customer_notes',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    byUserId: uuid('by_user_id')
      .notNull()
      .references(() => users.id),
    text: text('text').notNull(),
    at: at('at').notNull(),
  },
  (table) => [index('customer_notes_user').on(table.userId, table.at, table.id)],
);

export const customerTags = pgTable(
  'customer_tags',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The tag in lower case: a customer has each tag once. */
    tagKey: text('tag_key').notNull(),
    tag: text('tag').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.tagKey] }),
    // covers what the most common tags are counted from
    index('customer_tags_key').on(table.tagKey, table.userId, table.tag),
  ],
);
