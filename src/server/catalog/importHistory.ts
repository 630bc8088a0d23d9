/**
 * Hashes of imported product rows, to recognize a file again even if another program saved it. They are stored with
 * the idempotency keys, and expire with them after 35 days.
 * Rule: docs/rules/catalog.md, CSV of products
 */
import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { idempotencyKeys } from '../db/schema/tables';
import type { Tx } from '../db/core/transact';
import type { CsvRow } from '../http/csv/csvFile';

const scope = 'products imported';

/** @returns when exactly these rows were last imported */
export async function findFormerImport(tx: Tx, rows: readonly CsvRow[]): Promise<Date | undefined> {
  const [found] = await tx.select({ createdAt: idempotencyKeys.createdAt }).from(idempotencyKeys).where(isOf(rows));
  return found?.createdAt;
}

/**
 * Records the import of rows. With two concurrent imports of the same rows, the second waits for the first.
 * @returns when they were previously imported
 */
export async function noteImport(tx: Tx, rows: readonly CsvRow[], now: Date): Promise<Date | undefined> {
  const row = { ...nameOf(rows), scope, createdAt: now };
  const noted = await tx
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (noted.length > 0) return undefined;
  const before = await findFormerImport(tx, rows);
  await tx.update(idempotencyKeys).set({ createdAt: now }).where(isOf(rows));
  return before;
}

const isOf = (rows: readonly CsvRow[]) =>
  and(eq(idempotencyKeys.scope, scope), eq(idempotencyKeys.key, nameOf(rows).key));

/** @returns the hash of the rows, and a UUID derived from it */
function nameOf(rows: readonly CsvRow[]) {
  const hash = createHash('sha256');
  for (const { cells } of rows) {
    const columns = [...cells].map(([column, cell]) => [column, plain(cell)] as const);
    hash.update(JSON.stringify(columns.sort(([one], [other]) => (one < other ? -1 : 1))));
  }
  const requestHash = hash.digest();
  const key = requestHash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { key, requestHash };
}

/** Undoes the conversions of spreadsheets: '4.50' becomes 4.5, and true becomes TRUE. */
function plain(cell: string): string {
  const text = cell.trim();
  if (/^\d{1,9}\.\d{1,2}$/.test(text)) return String(Number(text));
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() : text;
}
