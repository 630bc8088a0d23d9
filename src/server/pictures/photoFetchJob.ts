/**
 * The job that loads photos from links after an import, two at a time in each process, each of another product. A photo is
 * claimed first; if the process dies, the claim expires and another job takes it over. The upload and the end of the wait
 * are written in one transaction, so no photo is lost or added twice. Uploads that wait for their sizes hold the job back,
 * so that a large import doesn't fill the disk with originals. Rule: docs/rules/catalog.md, Photos from links
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, inArray, isNull, lte, ne, notExists, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Logger } from 'pino';
import { downloadMessages } from '../../shared/photoLinks';
import { isReady, type AnyPhoto } from '../catalog/photos';
import type { Clock } from '../core/clock';
import { isDiskFull } from '../db/core/errors';
import { describeFailure } from '../db/core/loggedErrors';
import { transact, type Db, type Tx } from '../db/core/transact';
import { photoFetches, pictureUploads } from '../db/schema/tables';
import { Problem } from '../http/core/problems';
import { isAway, type PictureStore } from './files';
import { requirePicture } from './inspect';
import { DownloadFailed, downloadPhoto, publicWeb, type Web } from './photoDownload';
import { dropUpload, findPlace, lockPhotosOf, savePhotos } from './photos';
import { hashOf } from './processPicture';
import { addUpload } from './uploads';

type Parts = { db: Db; clock: Clock; pictureStore: PictureStore; logger: Logger; web?: Web | undefined };
type Fetch = typeof photoFetches.$inferSelect;

const atOnce = 2;
/** Longer than a download and its upload take. */
const claimRunsOutMs = 120_000;
const minuteMs = 60_000;
/** After each failure that may pass; then the photo is given up. */
const retryAfterMs = [1, 5, 30, 120].map((minutes) => minutes * minuteMs);
const maxUploads = 20;

/** @returns the job. If it runs in this process already, that run does the work */
export function createPhotoFetcher(parts: Parts): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= fetchAll(parts).finally(() => (running = undefined)));
}

async function fetchAll(parts: Parts): Promise<void> {
  const { web = publicWeb } = parts;
  let storeFails = false;
  const work = async () => {
    while (!storeFails) {
      const next = await claim(parts);
      if (!next) return;
      if (!(await fetchOne(parts, next))) storeFails = true; // the others would be loaded for nothing
      await pause(web.pauseMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function claim({ db, clock }: Parts): Promise<Fetch | undefined> {
  const uploads = await db.$count(pictureUploads, eq(pictureUploads.state, 'processing'));
  if (uploads >= maxUploads) return undefined; // makePictures wakes this job
  const now = clock.now();
  const next = db
    .select({ id: photoFetches.id })
    .from(photoFetches)
    .where(and(eq(photoFetches.state, 'waiting'), lte(photoFetches.nextTryAt, now), isFirst(db, now)))
    .orderBy(photoFetches.nextTryAt)
    .limit(1)
    .for('update', { skipLocked: true });
  const [claimed] = await db
    .update(photoFetches)
    .set({ nextTryAt: new Date(now.getTime() + claimRunsOutMs), tries: sql`${photoFetches.tries} + 1`, problem: null })
    .where(inArray(photoFetches.id, next))
    .returning();
  return claimed;
}

const earlier = alias(photoFetches, 'earlier');

/**
 * The photos of a product are loaded one after the other, so that the file's order decides which get the last places. One
 * that failed (it has a `problem`) lets the others pass until it is tried again.
 */
const isFirst = (db: Db, now: Date) =>
  notExists(
    db
      .select({ id: earlier.id })
      .from(earlier)
      .where(
        and(
          eq(earlier.productId, photoFetches.productId),
          eq(earlier.state, 'waiting'),
          or(isNull(earlier.problem), lte(earlier.nextTryAt, now)),
          sql`(${earlier.position}, ${earlier.id}) < (${photoFetches.position}, ${photoFetches.id})`,
        ),
      ),
  );

/** @returns whether the picture store takes files */
async function fetchOne(parts: Parts, next: Fetch): Promise<boolean> {
  try {
    if (next.tries > retryAfterMs.length + 1) throw new DownloadFailed(downloadMessages.unknown, false); // its process died
    await keep(parts, next, await requirePicture(await downloadPhoto(next.url, parts.web)));
    return true;
  } catch (error) {
    await note(parts, next, error);
    return !isAway(error) && !isFull(error);
  }
}

const isFull = (error: unknown) => isDiskFull(error) || (error instanceof Problem && error.code === 'storage_full');

async function keep({ db, clock, pictureStore }: Parts, { id }: Fetch, file: Buffer): Promise<void> {
  const upload = { id: randomUUID(), hash: hashOf(file), now: clock.now() };
  await pictureStore.write('uploads', upload.id, file);
  // the commit may have happened even if this throws, so the file stays; the sweep removes files without a row
  const isKept = await transact(db, async (tx) => {
    const [waiting] = await tx.select().from(photoFetches).where(isWaiting(id)).for('no key update');
    if (!waiting) return false; // dropped meanwhile
    const outcome = await addPhoto(tx, waiting, upload);
    await tx.update(photoFetches).set(outcome).where(eq(photoFetches.id, id));
    return outcome.uploadId === upload.id;
  });
  if (!isKept) await pictureStore.remove('uploads', upload.id).catch(() => undefined); // otherwise swept later
}

const isWaiting = (id: string) => and(eq(photoFetches.id, id), eq(photoFetches.state, 'waiting'));

type Upload = { id: string; hash: string; now: Date };
type Outcome = Partial<typeof photoFetches.$inferInsert>;

/** Adds the photo if the product doesn't have it and has a place for it. */
async function addPhoto(tx: Tx, waiting: Fetch, upload: Upload): Promise<Outcome> {
  const { id, hash, now } = upload;
  const { productId, position, alt, byUserId } = waiting;
  const before = await lockPhotosOf(tx, productId);
  const photos = await dropFailed(tx, waiting, before);
  try {
    await findPlace(tx, productId, photos, hash); // the checks of a photo that staff add
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code !== 'photo_taken') return { state: 'failed', problem: problemOf(error) };
    return { state: 'done', uploadId: await findUpload(tx, productId, hash) }; // if that one fails, so does this
  }
  const others = photos.filter((photo) => photo.hash !== hash); // a failed upload of the same file is dropped
  const failedAt = before.findIndex((photo) => !others.includes(photo));
  if (failedAt >= 0) await savePhotos(tx, productId, others); // their places without a gap
  const place = failedAt >= 0 ? failedAt : placeOf(position, others, await findPositions(tx, waiting));
  await tx
    .update(pictureUploads)
    .set({ place: sql`${pictureUploads.place} + 1` })
    .where(
      and(
        eq(pictureUploads.productId, productId),
        inArray(pictureUploads.state, ['processing', 'failed']),
        sql`${pictureUploads.place} >= ${place}`,
      ),
    );
  await addUpload(
    tx,
    { id, hash, place, alt },
    { productId, byUserId, by: { userId: byUserId, requestId: null }, now },
  );
  return { state: 'done', hash, uploadId: id };
}

/** Drops what an earlier import loaded from the same link, if its sizes could not be made. @returns the other photos */
async function dropFailed(tx: Tx, { productId, url }: Fetch, photos: AnyPhoto[]): Promise<AnyPhoto[]> {
  const failed = photos.flatMap((photo) => (!isReady(photo) && photo.state === 'failed' ? [photo] : []));
  if (failed.length === 0) return photos;
  const uploadIds = failed.map(({ id }) => id);
  const rows = await tx
    .select({ uploadId: photoFetches.uploadId })
    .from(photoFetches)
    .where(
      and(eq(photoFetches.productId, productId), eq(photoFetches.url, url), inArray(photoFetches.uploadId, uploadIds)),
    );
  const dropped = failed.filter(({ id }) => rows.some(({ uploadId }) => uploadId === id));
  for (const upload of dropped) await dropUpload(tx, upload);
  return photos.filter((photo) => isReady(photo) || !dropped.includes(photo));
}

/** @returns the id of the product's upload of this file that is being processed */
async function findUpload(tx: Tx, productId: string, hash: string): Promise<string | null> {
  const { id, state } = pictureUploads;
  const isSame = and(eq(pictureUploads.productId, productId), eq(pictureUploads.hash, hash), eq(state, 'processing'));
  const [found] = await tx.select({ id }).from(pictureUploads).where(isSame).limit(1);
  return found?.id ?? null;
}

/** The product's other photos from links: which position of the file each one has. */
async function findPositions(tx: Tx, { id, productId }: Fetch): Promise<Map<string | null, number>> {
  const { hash, position } = photoFetches;
  const isOther = and(eq(photoFetches.productId, productId), eq(photoFetches.state, 'done'), ne(photoFetches.id, id));
  const rows = await tx.select({ hash, position }).from(photoFetches).where(isOther);
  return new Map(rows.map((row) => [row.hash, row.position]));
}

/** After the photos that come before it in the file, else before those that come after it, else last. */
function placeOf(position: number, photos: readonly AnyPhoto[], positions: ReadonlyMap<string | null, number>): number {
  const at = photos.map(({ hash }) => positions.get(hash));
  const before = at.findLastIndex((other) => other !== undefined && other < position);
  if (before >= 0) return before + 1;
  const after = at.findIndex((other) => other !== undefined && other > position);
  return after < 0 ? photos.length : after;
}

async function note({ db, clock, logger }: Parts, { id, tries }: Fetch, error: unknown): Promise<void> {
  const isThis = isWaiting(id);
  const retryAt = (ms: number) => new Date(clock.now().getTime() + ms);
  if (isAway(error))
    return void (await db // this attempt does not count
      .update(photoFetches)
      .set({ tries: tries - 1, nextTryAt: retryAt(minuteMs) })
      .where(isThis));
  const { problem, mayPass } = outcomeOf(error);
  if (problem === downloadMessages.unknown)
    logger.warn({ failure: describeFailure(error) }, "a photo couldn't be loaded");
  const waitMs = mayPass ? retryAfterMs[tries - 1] : undefined;
  const outcome = waitMs === undefined ? { state: 'failed' as const } : { nextTryAt: retryAt(waitMs) };
  await db
    .update(photoFetches)
    .set({ ...outcome, problem })
    .where(isThis);
}

const problems: Record<string, string> = {
  not_a_picture: downloadMessages.notAPicture,
  picture_too_large: downloadMessages.tooManyPixels,
  too_many_photos: downloadMessages.tooMany,
};

const problemOf = ({ code }: Problem): string => problems[code] ?? downloadMessages.unknown;

function outcomeOf(error: unknown): { problem: string; mayPass: boolean } {
  if (error instanceof DownloadFailed) return { problem: error.message, mayPass: error.mayPass };
  const problem = error instanceof Problem ? problemOf(error) : downloadMessages.unknown;
  return { problem, mayPass: problem === downloadMessages.unknown };
}
