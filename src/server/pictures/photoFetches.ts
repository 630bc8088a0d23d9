/**
 * The queue of photos that are loaded from the web after an import (photoFetchJob.ts). Its rows stay, so that importing the
 * same file again loads nothing. Rule: docs/rules/catalog.md, Photos from links
 */
import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { downloadMessages, photoProblem } from '../../shared/photoLinks';
import { photoLimits } from '../../shared/pictureUploads';
import type { Connection, Tx } from '../db/core/transact';
import { photoFetches, pictureUploads } from '../db/schema/tables';

export type WantedPhotos = {
  productId: string;
  /** In their order; the first is the product's picture if it has none. Only the first 10 are loaded. */
  photos: readonly {
    /** As in the file: checked by `photoLinkProblem` before. */
    url: string;
    alt?: string | null | undefined;
    /** The line of the file, counted from 1, to name it if the photo can't be loaded. */
    line?: number | undefined;
  }[];
};

type Asked = { importId: string | null; byUserId: string; now: Date };

/**
 * Queues photos to be loaded once the transaction commits. A photo that the product has from the same link, or that waits
 * already, is not queued again; one that failed is.
 * @param asked.importId for progress, errors, and Undo
 * @param asked.byUserId who imports: the audit log names them
 * @returns how many were queued
 */
export async function queuePhotos(tx: Tx, wanted: readonly WantedPhotos[], asked: Asked): Promise<number> {
  const rows = rowsOf(wanted, asked);
  let queued = 0;
  for (let at = 0; at < rows.length; at += rowsPerStatement) {
    const part = rows.slice(at, at + rowsPerStatement);
    const added = await tx.insert(photoFetches).values(part).onConflictDoNothing().returning({ id: photoFetches.id });
    queued += added.length;
  }
  if (queued === 0) return 0;
  if (queued < rows.length) await orderKnown(tx, rows);
  await wakePhotoFetches(tx);
  return queued;
}

function rowsOf(wanted: readonly WantedPhotos[], { importId, byUserId, now }: Asked) {
  const all = wanted.flatMap(({ productId, photos }) =>
    photos.slice(0, photoLimits.photos).map((photo, position) => ({ ...photo, productId, position })),
  );
  return all.map(({ productId, position, url, alt, line }, at) => ({
    id: randomUUID(),
    productId,
    importId,
    line: line ?? null,
    position,
    url,
    alt: shortAlt(alt),
    state: 'waiting' as const,
    nextTryAt: new Date(now.getTime() - (all.length - at)), // in the file's order
    byUserId,
    createdAt: now,
  }));
}

/** Notes where the known photos stand in this file, so that new ones are added between them. */
async function orderKnown(tx: Tx, rows: ReturnType<typeof rowsOf>): Promise<void> {
  const wanted = JSON.stringify(rows.map(({ productId, position, url }) => ({ product_id: productId, position, url })));
  await tx.execute(sql`update ${photoFetches} set position = wanted.position
    from jsonb_to_recordset(${wanted}::jsonb) as wanted(product_id uuid, position smallint, url text)
    where ${photoFetches.productId} = wanted.product_id and ${photoFetches.url} = wanted.url
      and md5(${photoFetches.url}) = md5(wanted.url) and ${photoFetches.state} in ('waiting', 'done')
      and ${photoFetches.position} <> wanted.position`);
}

/** A statement takes up to 65,535 values. */
const rowsPerStatement = 1_000;

const shortAlt = (alt: string | null | undefined): string | null =>
  alt?.trim().slice(0, photoLimits.alt).trim() || null;

/** One job for all that wait. */
export const wakePhotoFetches = (connection: Connection) =>
  connection.execute(sql`select graphile_worker.add_job('fetchPhotos', '{}', job_key := 'fetchPhotos', max_attempts := 1)
    where exists (select from ${photoFetches} where ${photoFetches.state} = 'waiting')`);

/**
 * The links whose photos are known for each product: those that wait and those that were loaded, also if staff removed the
 * photo since. A row of a file that names only such links changes nothing.
 * @returns the links by product; a product without any is left out
 */
export async function findKnownPhotos(
  connection: Connection,
  productIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const known = new Map<string, Set<string>>();
  if (productIds.length === 0) return known;
  const rows = await connection
    .select({ productId: photoFetches.productId, url: photoFetches.url })
    .from(photoFetches)
    .where(
      and(
        sql`${photoFetches.productId} = any(${sql.param(productIds)}::uuid[])`,
        inArray(photoFetches.state, ['waiting', 'done']),
      ),
    );
  for (const { productId, url } of rows) {
    const urls = known.get(productId) ?? new Set();
    known.set(productId, urls.add(url));
  }
  return known;
}

/** Counts of an import's photos. One that was loaded and whose sizes are not made yet is still waiting. */
export type PhotoProgress = { waiting: number; done: number; failed: number };

export async function countPhotoFetches(connection: Connection, importId: string): Promise<PhotoProgress> {
  const count = (condition: ReturnType<typeof sql>) =>
    sql<number>`count(*) filter (where ${condition})`.mapWith(Number);
  const [counts] = await connection
    .select({
      waiting: count(isWaiting),
      done: count(sql`${photoFetches.state} = 'done' and not ${isWaiting}`),
      failed: count(sql`${photoFetches.state} = 'failed'`),
    })
    .from(photoFetches)
    .leftJoin(pictureUploads, eq(pictureUploads.id, photoFetches.uploadId))
    .where(eq(photoFetches.importId, importId));
  return counts ?? { waiting: 0, done: 0, failed: 0 };
}

const isWaiting = sql`(${photoFetches.state} = 'waiting'
  or (${photoFetches.state} = 'done' and coalesce(${pictureUploads.state} = 'processing', false)))`;

/**
 * Notes that a loaded photo is given up because its sizes could not be made. A later import loads it again.
 * @param problem the end of the sentence that `photoProblem` makes
 */
export async function failPhoto(
  tx: Tx,
  { id, productId }: { id: string; productId: string },
  problem: string,
): Promise<void> {
  await tx
    .update(photoFetches)
    .set({ state: 'failed', problem })
    .where(
      and(eq(photoFetches.productId, productId), eq(photoFetches.uploadId, id), sql`${photoFetches.state} = 'done'`),
    );
}

/** @param message a sentence: "The photo at line 12 couldn't be loaded: the server said 404." */
export type PhotoProblem = { productId: string; line: number | null; url: string; message: string };

/** The photos of an import that couldn't be loaded, in the file's order. @param limit the most to return */
export async function listPhotoProblems(
  connection: Connection,
  importId: string,
  limit = 200,
): Promise<PhotoProblem[]> {
  const { productId, line, position, url, problem } = photoFetches;
  const rows = await connection
    .select({ productId, line, url, problem })
    .from(photoFetches)
    .where(and(eq(photoFetches.importId, importId), eq(photoFetches.state, 'failed')))
    .orderBy(asc(line), asc(position), asc(photoFetches.id))
    .limit(limit);
  return rows.map(({ problem: reason, ...row }) => ({
    ...row,
    message: photoProblem(row.line, reason ?? downloadMessages.unknown),
  }));
}

/**
 * Drops an import's photos that still wait, for Undo. Those that were loaded: undoPhotos.ts.
 * @returns how many were dropped
 */
export async function dropWaitingPhotos(tx: Tx, importId: string): Promise<number> {
  const dropped = await tx
    .update(photoFetches)
    .set({ state: 'dropped' })
    .where(and(eq(photoFetches.importId, importId), eq(photoFetches.state, 'waiting')))
    .returning({ id: photoFetches.id });
  return dropped.length;
}
