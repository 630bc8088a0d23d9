/** The owner's own texts. */
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns';

/** Deleted pages stay, so that they can be restored and the audit log can name them. */
export const pages = pgTable(
  'pages',
  {
    id: uuid('id').primaryKey(),
    /** The end of its address, /pages/… */
    slug: text('slug').notNull(),
    title: text('title').notNull(),
    markdown: text('markdown').notNull(),
    isPublished: boolean('is_published').notNull(),
    /** The order of the pages in the footer. */
    position: integer('position').notNull(),
    /** Rises with each change, except of the position. */
    version: integer('version').notNull().default(1),
    changedAt: at('changed_at').notNull(),
    archivedAt: at('archived_at'),
  },
  (table) => [
    uniqueIndex('pages_slug')
      .on(table.slug)
      .where(sql`archived_at is null`),
    index('pages_position').on(table.position, table.id),
  ],
);
