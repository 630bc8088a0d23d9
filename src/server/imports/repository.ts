/** The SQL of imports. */
import { and, asc, count, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { importLimits } from '../../shared/imports';
import type { Connection, Tx } from '../db/core/transact';
import { productImportRows, productImports, products, productSources, users } from '../db/schema/tables';
import type { PageRequest } from '../http/contract/paging';
import type { Mapping, Source } from './fileColumns';

export type ImportRecord = typeof productImports.$inferSelect;
export type StoredRow = typeof productImportRows.$inferSelect;
export type ListedImport = ImportRecord & { createdByName: string | null };

const selectImports = (connection: Connection) =>
  connection
    .select({ import: productImports, createdByName: users.fullName })
    .from(productImports)
    .leftJoin(users, eq(users.id, productImports.createdBy));

export async function findImport(connection: Connection, id: string): Promise<ListedImport | undefined> {
  const [found] = await selectImports(connection).where(eq(productImports.id, id));
  return found && { ...found.import, createdByName: found.createdByName };
}

/** Locks it for the rest of the transaction. */
export async function lockImport(tx: Tx, id: string): Promise<ImportRecord | undefined> {
  const [found] = await tx.select().from(productImports).where(eq(productImports.id, id)).for('no key update');
  return found;
}

export async function findImports(connection: Connection, { page, size }: PageRequest): Promise<ListedImport[]> {
  const rows = await selectImports(connection)
    .orderBy(desc(productImports.createdAt), desc(productImports.id))
    .limit(size)
    .offset(page * size);
  return rows.map(({ import: found, createdByName }) => ({ ...found, createdByName }));
}

export const countImports = (connection: Connection): Promise<number> => connection.$count(productImports);

export async function insertImport(tx: Tx, row: typeof productImports.$inferInsert): Promise<void> {
  await tx.insert(productImports).values(row);
}

export async function changeImport(tx: Tx, id: string, fields: Partial<ImportRecord>): Promise<void> {
  await tx.update(productImports).set(fields).where(eq(productImports.id, id));
}

/** The mapping that staff last chose for a file with these columns. */
export async function findMapping(connection: Connection, headerHash: string): Promise<Mapping | undefined> {
  const [found] = await connection
    .select({ mapping: productImports.mapping })
    .from(productImports)
    .where(and(eq(productImports.headerHash, headerHash), isNotNull(productImports.mapping)))
    .orderBy(desc(productImports.createdAt))
    .limit(1);
  return found?.mapping ?? undefined;
}

/** The oldest import that the job works on, locked. */
export async function lockNextImport(tx: Tx): Promise<ImportRecord | undefined> {
  const [found] = await tx
    .select()
    .from(productImports)
    .where(sql`${productImports.state} in ('running', 'undoing')`)
    .orderBy(asc(productImports.createdAt))
    .limit(1)
    .for('no key update');
  return found;
}

export async function insertRows(tx: Tx, rows: (typeof productImportRows.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(productImportRows).values(rows);
}

/** The next rows in the order of the job. */
export const findRowsToDo = (
  tx: Tx,
  importId: string,
  state: StoredRow['state'],
  limit: number,
): Promise<StoredRow[]> =>
  tx
    .select()
    .from(productImportRows)
    .where(and(eq(productImportRows.importId, importId), eq(productImportRows.state, state), isToDo))
    .orderBy(asc(productImportRows.turn))
    .limit(limit);

/** Wrong rows and those without a change are left alone; a row that failed has become wrong. */
const isToDo = inArray(productImportRows.action, ['new', 'changed']);

/** Saves the outcome of rows in one statement. */
export async function saveRows(tx: Tx, rows: readonly StoredRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(productImportRows)
    .values([...rows])
    .onConflictDoUpdate({
      target: [productImportRows.importId, productImportRows.position],
      set: {
        action: sql`excluded.action`,
        state: sql`excluded.state`,
        productId: sql`excluded.product_id`,
        problems: sql`excluded.problems`,
        extras: sql`excluded.extras`,
        undo: sql`excluded.undo`,
        kept: sql`excluded.kept`,
      },
    });
}

export const countRows = async (tx: Tx, importId: string, where: SQL): Promise<number> =>
  tx.$count(productImportRows, and(eq(productImportRows.importId, importId), where));

export async function countActions(tx: Tx, importId: string): Promise<Schema<'ImportCounts'>> {
  const rows = await tx
    .select({ action: productImportRows.action, rows: count() })
    .from(productImportRows)
    .where(eq(productImportRows.importId, importId))
    .groupBy(productImportRows.action);
  const counts = { new: 0, changed: 0, unchanged: 0, wrong: 0 };
  for (const row of rows) counts[row.action] = row.rows;
  return counts;
}

export const findRows = (
  connection: Connection,
  importId: string,
  action: StoredRow['action'] | undefined,
  { page, size }: PageRequest,
): Promise<StoredRow[]> =>
  connection
    .select()
    .from(productImportRows)
    .where(and(eq(productImportRows.importId, importId), action && eq(productImportRows.action, action)))
    .orderBy(asc(productImportRows.position))
    .limit(size)
    .offset(page * size);

/** The first errors, or the first fields that Undo left alone. */
export async function findProblems(
  connection: Connection,
  importId: string,
  of: 'problems' | 'kept',
): Promise<Schema<'ImportProblem'>[]> {
  const column = productImportRows[of];
  const isOf = of === 'problems' ? eq(productImportRows.action, 'wrong') : sql`${column} <> '[]'`;
  const rows = await connection
    .select({ found: column })
    .from(productImportRows)
    .where(and(eq(productImportRows.importId, importId), isOf))
    .orderBy(asc(productImportRows.position))
    .limit(importLimits.problems);
  return rows.flatMap(({ found }) => found).slice(0, importLimits.problems);
}

/** What an entry of a source became, and the units of its last file. */
export type SourceProduct = { productId: string; units: number | null };

/** @returns what each entry of the source became, by key */
export async function findSourceProducts(
  connection: Connection,
  source: Source,
  keys: readonly string[],
): Promise<Map<string, SourceProduct>> {
  if (keys.length === 0) return new Map();
  const { key, productId, units } = productSources;
  const found = await connection
    .select({ key, productId, units })
    .from(productSources)
    .where(and(eq(productSources.source, source), sql`${key} = any(${sql.param(keys)})`));
  return new Map(found.map((row) => [row.key, row]));
}

export async function saveSources(tx: Tx, rows: readonly (typeof productSources.$inferInsert)[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(productSources)
    .values([...rows])
    .onConflictDoUpdate({
      target: [productSources.source, productSources.key],
      set: { productId: sql`excluded.product_id`, units: sql`excluded.units` },
    });
}

/** Remembers the entries of rows that changed nothing, as those of the others, so that a later file changes them. */
export async function saveUnchangedSources(tx: Tx, { id, source }: ImportRecord): Promise<void> {
  await tx.execute(sql`
    insert into ${productSources} (source, key, product_id, units)
    select distinct on (extras ->> 'key') ${source}, extras ->> 'key', product_id, (extras ->> 'units')::int
    from ${productImportRows}
    where import_id = ${id} and action = 'unchanged' and extras ->> 'key' is not null and product_id is not null
    on conflict (source, key) do update set units = coalesce(excluded.units, ${productSources.units})`);
}

/** The stock cells of a row of an export that was imported. `version` is null if the file had no such column. */
export type BookedRow = { productId: string; units: string; unitsWas: string; version: string | null };

/** @returns the rows of these products with units of an export, that were imported and not undone, the latest first */
export async function findBookedRows(connection: Connection, productIds: readonly string[]): Promise<BookedRow[]> {
  if (productIds.length === 0) return [];
  const { cells, productId, importId, state } = productImportRows;
  const units = sql<string>`${cells} ->> 'quantity'`;
  const unitsWas = sql<string>`${cells} ->> 'quantityWas'`;
  const version = sql<string | null>`${cells} ->> 'version'`;
  return connection
    .select({ productId: sql<string>`${productId}`, units, unitsWas, version })
    .from(productImportRows)
    .innerJoin(productImports, eq(productImports.id, importId))
    .where(
      and(
        sql`${productId} = any(${sql.param(productIds)}::uuid[])`,
        eq(state, 'done'),
        sql`${unitsWas} <> '' and ${units} <> ''`,
      ),
    )
    .orderBy(sql`${productImports.finishedAt} desc nulls first`);
}

/** Forgets what entries became, so that importing them again creates new products. */
export async function deleteSources(tx: Tx, source: Source, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.delete(productSources).where(and(eq(productSources.source, source), inArray(productSources.key, [...keys])));
}

/** @param skus in small letters @returns the ids of the products on sale with them, by SKU */
export async function findSkuOwners(connection: Connection, skus: readonly string[]): Promise<Map<string, string>> {
  if (skus.length === 0) return new Map();
  const sku = sql<string>`lower(${products.sku})`;
  const found = await connection
    .select({ sku, id: products.id })
    .from(products)
    .where(and(isNull(products.archivedAt), sql`lower(${products.sku}) = any(${sql.param(skus)})`));
  return new Map(found.map((row) => [row.sku, row.id]));
}

/** @returns 'product address' for each old address of these products that another finished import has in its file */
export async function findAddressesElsewhere(
  connection: Connection,
  importId: string,
  productIds: readonly string[],
): Promise<Set<string>> {
  if (productIds.length === 0) return new Set();
  const { rows } = await connection.execute<{ found: string }>(sql`
    select product_id || ' ' || (extras ->> 'oldAddress') as found
    from ${productImportRows} join ${productImports} on ${productImports.id} = import_id
    where product_id = any(${sql.param(productIds)}::uuid[]) and import_id <> ${importId}
      and ${productImports.state} = 'done' and ${productImportRows.action} <> 'wrong' and extras ->> 'oldAddress' is not null`);
  return new Set(rows.map(({ found }) => found));
}
