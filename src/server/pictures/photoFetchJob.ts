/**
 * The job that loads photos from links after an import, two at a time in each process. A photo is claimed first; if the
 * process dies, the claim expires and another job takes it over. The upload and the end of the wait are written in one
 * transaction, so no photo is lost or added twice. Uploads that wait for their sizes hold the job back, so that a large
 * import doesn't fill the disk with originals. Rule: docs/rules/catalog.md, Photos from links
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { downloadMessages } from '../../shared/photoLinks';
import type { AnyPhoto } from '../catalog/photos';
import type { Clock } from '../core/clock';
import { describeFailure } from '../db/core/loggedErrors';
import { transact, type Db, type Tx } from '../db/core/transact';
import { photoFetches, pictureUploads } from '../db/schema/tables';
import { Problem } from '../http/core/problems';
import { isAway, type PictureStore } from './files';
import { requirePicture } from './inspect';
import { DownloadFailed, downloadPhoto, publicWeb, type Web } from './photoDownload';
import { findPlace, lockPhotosOf } from './photos';
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
  const work = async () => {
    for (let next = await claim(parts); next; next = await claim(parts)) {
      await fetchOne(parts, next);
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
    .where(and(eq(photoFetches.state, 'waiting'), sql`${photoFetches.nextTryAt} <= ${now}`))
    .orderBy(photoFetches.nextTryAt)
    .limit(1)
    .for('update', { skipLocked: true });
  const [claimed] = await db
    .update(photoFetches)
    .set({ nextTryAt: new Date(now.getTime() + claimRunsOutMs), tries: sql`${photoFetches.tries} + 1` })
    .where(inArray(photoFetches.id, next))
    .returning();
  return claimed;
}

async function fetchOne(parts: Parts, next: Fetch): Promise<void> {
  try {
    if (next.tries > retryAfterMs.length + 1) throw new DownloadFailed(downloadMessages.unknown, false); // its process died
    await keep(parts, next, await requirePicture(await downloadPhoto(next.url, parts.web)));
  } catch (error) {
    await note(parts, next, error);
  }
}

async function keep({ db, clock, pictureStore }: Parts, { id }: Fetch, file: Buffer): Promise<void> {
  const [uploadId, hash, now] = [randomUUID(), hashOf(file), clock.now()];
  await pictureStore.write('uploads', uploadId, file);
  let isKept = false;
  try {
    isKept = await transact(db, async (tx) => {
      const [loaded] = await tx
        .update(photoFetches)
        .set({ state: 'done', hash, uploadId })
        .where(isWaiting(id))
        .returning();
      if (!loaded) return false; // dropped meanwhile
      await addPhoto(tx, loaded, { id: uploadId, hash, now });
      return true;
    });
  } finally {
    if (!isKept) await pictureStore.remove('uploads', uploadId).catch(() => undefined); // otherwise swept later
  }
}

const isWaiting = (id: string) => and(eq(photoFetches.id, id), eq(photoFetches.state, 'waiting'));

type Upload = { id: string; hash: string; now: Date };

/** @throws Problem 409 photo_taken, too_many_photos */
async function addPhoto(tx: Tx, loaded: Fetch, { id, hash, now }: Upload): Promise<void> {
  const { productId, position, alt, byUserId } = loaded;
  const photos = await lockPhotosOf(tx, productId);
  await findPlace(tx, productId, photos, hash); // the checks of a photo that staff add
  const others = photos.filter((photo) => photo.hash !== hash); // a failed upload of the same file is dropped
  const place = placeOf(position, others, await findPositions(tx, loaded));
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
  if (error instanceof Problem && error.code === 'photo_taken')
    return void (await db.update(photoFetches).set({ state: 'done' }).where(isThis)); // the same file under two links
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

function outcomeOf(error: unknown): { problem: string; mayPass: boolean } {
  if (error instanceof DownloadFailed) return { problem: error.message, mayPass: error.mayPass };
  const problem = error instanceof Problem ? problems[error.code] : undefined;
  return { problem: problem ?? downloadMessages.unknown, mayPass: problem === undefined };
}
