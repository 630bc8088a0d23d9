/**
 * Deletes expired rows in batches that each commit: one statement could not delete the rows left by a flood of requests
 * within its time limit, and if it were stopped nothing would be deleted.
 * Rule: docs/rules/running.md, Jobs
 */
import { inArray, lt, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import {
  attempts,
  emailLinks,
  idempotencyKeys,
  noticeCounts,
  passwordResets,
  productImportRows,
  productImports,
  sessionFamilies,
  staffInvitations,
} from '../db/schema/tables';
import { withLongTimeout, type Db } from '../db/core/transact';
import { importLimits } from '../../shared/imports';
import { deleteOldNetworks } from '../orders/holding';

const dayMs = 86_400_000;
const idempotencyKeyDays = 35; // idempotency keys are promised for at least 30 days
const sessionDays = 60;
const batchSize = 5_000;

export async function deleteOldRows(db: Db, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  await deleteAll(db, idempotencyKeys, lt(idempotencyKeys.createdAt, ago(idempotencyKeyDays)));
  await deleteAll(db, passwordResets, lt(passwordResets.expiresAt, ago(1)));
  await deleteAll(db, staffInvitations, lt(staffInvitations.expiresAt, ago(1)));
  await deleteAll(db, emailLinks, lt(emailLinks.expiresAt, ago(1)));
  await deleteAll(db, noticeCounts, lt(noticeCounts.lastAt, ago(1)));
  await deleteAll(db, sessionFamilies, lt(sessionFamilies.refreshedAt, ago(sessionDays)));
  await deleteAll(db, productImportRows, isOfOldImport(db, ago(importLimits.rowDays)));
  await deleteOldNetworks(db, ago(1));
  await deleteAll(db, attempts, lt(attempts.windowEndsAt, now)); // last, since a login may wait for one of these rows
}

/** What an import was stays; its rows hold whole descriptions. */
const isOfOldImport = (db: Db, before: Date): SQL => {
  const old = db.select({ id: productImports.id }).from(productImports).where(lt(productImports.createdAt, before));
  return inArray(productImportRows.importId, old);
};

async function deleteAll(db: Db, table: PgTable, isOld: SQL): Promise<void> {
  let deleted: number | null;
  do {
    ({ rowCount: deleted } = await withLongTimeout(db, (tx) => tx.execute(deleteBatchSql(table, isOld))));
  } while (deleted === batchSize);
}

/** A row updated meanwhile gets another ctid, so it stays. */
const deleteBatchSql = (table: PgTable, isOld: SQL): SQL =>
  sql`delete from ${table} where ctid = any(array(select ctid from ${table} where ${isOld} limit ${batchSize}))`;
