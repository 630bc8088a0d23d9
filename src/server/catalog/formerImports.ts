/**
 * Hashes of imported product files. They are stored with the idempotency keys and expire with them after 35 days.
 * Rule: docs/rules/catalog.md, CSV of products
 */
import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { idempotencyKeys } from '../db/schema';
import type { Tx } from '../db/transact';

const scope = 'products imported';

/** @returns when this very file was imported last */
export async function findFormerImport(tx: Tx, file: unknown): Promise<Date | undefined> {
  const [found] = await tx.select({ createdAt: idempotencyKeys.createdAt }).from(idempotencyKeys).where(isOf(file));
  return found?.createdAt;
}

/**
 * Records the import of a file. Of two concurrent imports of the same file, the second waits for the first.
 * @returns when it was imported before
 */
export async function noteImport(tx: Tx, file: unknown, now: Date): Promise<Date | undefined> {
  const row = { ...nameOf(file), scope, createdAt: now };
  const noted = await tx
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (noted.length > 0) return undefined;
  const before = await findFormerImport(tx, file);
  await tx.update(idempotencyKeys).set({ createdAt: now }).where(isOf(file));
  return before;
}

const isOf = (file: unknown) => and(eq(idempotencyKeys.scope, scope), eq(idempotencyKeys.key, nameOf(file).key));

/** @returns the file's hash, and a UUID made of it */
function nameOf(file: unknown) {
  const requestHash = createHash('sha256')
    .update(Buffer.isBuffer(file) ? file : '')
    .digest();
  const key = requestHash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { key, requestHash };
}
