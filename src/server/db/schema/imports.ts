/** Imports of products from files: docs/rules/catalog.md, Importing a file. */
import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Schema } from '../../../shared/contract';
import { users } from './accounts';
import { products } from './catalog';
import { at } from './columns';

/** An import from its preview on. Its rows are deleted after 30 days; what it was stays. */
export const productImports = pgTable(
  'product_imports',
  {
    id: uuid('id').primaryKey(),
    state: text('state').$type<Schema<'Import'>['state']>().notNull(),
    source: text('source').$type<Schema<'Import'>['source']>().notNull(),
    fileName: text('file_name'),
    /** The file's columns in their order. */
    columns: jsonb('columns').$type<Schema<'ImportColumn'>[]>().notNull(),
    /** A hash of the column names, whatever their order, to find a mapping again. */
    headerHash: text('header_hash').notNull(),
    /** The field of each column, as staff chose it. */
    mapping: jsonb('mapping').$type<Record<string, string>>(),
    counts: jsonb('counts').$type<Schema<'ImportCounts'>>().notNull(),
    newCategories: jsonb('new_categories').$type<string[]>().notNull().default([]),
    /** Rows that the job has finished, and all that it has to do: of the import, then of its undoing. */
    doneRows: integer('done_rows').notNull().default(0),
    ofRows: integer('of_rows').notNull().default(0),
    /** The creation time of the first new product; each further one is a millisecond later. */
    firstCreatedAt: at('first_created_at'),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => users.id),
    /** Who ran it, or undid it. */
    runBy: uuid('run_by').references(() => users.id),
    createdAt: at('created_at').notNull(),
    finishedAt: at('finished_at'),
  },
  (table) => [
    index('product_imports_newest').on(table.createdAt, table.id),
    index('product_imports_by_header')
      .on(table.headerHash, table.createdAt)
      .where(sql`mapping is not null`),
    index('product_imports_working')
      .on(table.createdAt)
      .where(sql`state in ('running', 'undoing')`),
    check(
      'product_imports_state',
      sql`${table.state} in ('mapping', 'previewed', 'running', 'done', 'failed', 'undoing', 'undone')`,
    ),
  ],
);

/** A photo to fetch for a product. */
export type ImportedPhoto = { url: string; alt: string | null };

/** What a row says besides the columns of the shop's own file. */
export type RowExtras = {
  /** Identifies the product in its source, to find it again in a later file. */
  key: string | null;
  photos: ImportedPhoto[];
  /** How many of them the product does not have yet. */
  newPhotos?: number;
  /** The path of its page in the former shop. */
  oldAddress?: string;
  /** If that leads to its product by this import: the product that it led to before. */
  addressBefore?: string | null;
  /** Whether the former shop did not sell it: then its product starts as deleted. */
  isArchived?: true;
  /** The units of the file, to book the difference of a later one. */
  units?: number;
  /** The file's column and cell of each field. */
  places: Record<string, { column: string; cell: string }>;
};

/** What Undo needs: the texts of the fields that the row changed, before and after, and the units that it booked. */
export type RowUndo = {
  before: Record<string, string>;
  after: Record<string, string>;
  units: number;
  /** The units that its entry had in the file before; missing if it had no entry. */
  sourceUnits?: number | null;
  /** Whether no product had had its readable address before. */
  isNewSlug?: true;
};

export const productImportRows = pgTable(
  'product_import_rows',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => productImports.id, { onDelete: 'cascade' }),
    /** Its place among the file's products, from 0. */
    position: integer('position').notNull(),
    /** The order of the job: rows with an address of their own first, before a new product's name takes it. */
    turn: integer('turn').notNull(),
    line: integer('line').notNull(),
    name: text('name').notNull(),
    unitSize: text('unit_size').notNull(),
    action: text('action').$type<Schema<'ImportAction'>>().notNull(),
    state: text('state').$type<Schema<'ImportRow'>['state']>().notNull(),
    productId: uuid('product_id').references(() => products.id),
    /** Its cells by the columns of the shop's own CSV. */
    cells: jsonb('cells').$type<Record<string, string>>().notNull(),
    extras: jsonb('extras').$type<RowExtras>().notNull(),
    changes: jsonb('changes').$type<Schema<'ProductImportChange'>[]>().notNull(),
    problems: jsonb('problems').$type<Schema<'ImportProblem'>[]>().notNull(),
    notes: jsonb('notes').$type<string[]>().notNull(),
    undo: jsonb('undo').$type<RowUndo>(),
    /** Fields that Undo left alone. */
    kept: jsonb('kept').$type<Schema<'ImportProblem'>[]>().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.position] }),
    index('product_import_rows_by_action').on(table.importId, table.action, table.position),
    index('product_import_rows_by_state').on(table.importId, table.state, table.turn),
    index('product_import_rows_product').on(table.productId),
  ],
);

/** Which product an entry of a former shop's file became, so that importing it again changes that product. */
export const productSources = pgTable(
  'product_sources',
  {
    source: text('source').$type<Schema<'Import'>['source']>().notNull(),
    key: text('key').notNull(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    /** The units of its last file; null if it had none. */
    units: integer('units'),
  },
  (table) => [primaryKey({ columns: [table.source, table.key] }), index('product_sources_product').on(table.productId)],
);
