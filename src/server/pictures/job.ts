/**
 * The job that processes uploaded pictures, one at a time in each process. An upload is claimed first; if the process dies,
 * the claim expires and the next job, a minute later, takes it over. An upload that cannot be decoded fails and the product
 * shows that. Failed writes are retried, and while the picture store is unreachable, no upload is given up.
 */
import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { downloadMessages } from '../../shared/photoLinks';
import { pictureMessages } from '../../shared/pictureUploads';
import { writeAudit } from '../audit/service';
import type { Clock } from '../core/clock';
import { pictures, pictureUploads, shopSettings } from '../db/schema/tables';
import { transact, type Db, type Tx } from '../db/core/transact';
import { isAway, sweepFiles, type PictureStore } from './files';
import { DamagedPicture, makePicture, type MadePicture } from './processPicture';
import { findAvatarIds } from './avatars';
import { type AnyPhoto, isReady } from '../catalog/photos';
import { failPhoto, wakePhotoFetches } from './photoFetches';
import { lockPhotosOf, savePhotos, withReady } from './photos';
import { lockNewSizes } from '../catalog/sizes';

export type PictureParts = { db: Db; clock: Clock; pictureStore: PictureStore };
type Upload = typeof pictureUploads.$inferSelect;

const claimRunsOutMs = 120_000;
const maxAttempts = 5;
/** Longer than a Save takes to send all photos. */
const newSizeMs = 15 * 60_000;
const sweptAfterMs = 24 * 3_600_000;
const keptUploadsMs = 35 * 24 * 3_600_000;

let isMaking = false;
let isAskedAgain = false;

/** Processes all pending pictures. If a job is already running in this process, that job does the work. */
export async function makePictures(parts: PictureParts): Promise<void> {
  isAskedAgain = true;
  if (isMaking) return;
  isMaking = true;
  try {
    while (isAskedAgain) {
      isAskedAgain = false;
      await makeAll(parts);
    }
  } finally {
    isMaking = false;
  }
}

async function makeAll(parts: PictureParts): Promise<void> {
  let made = 0;
  for (let upload = await claim(parts); upload; upload = await claim(parts), made += 1)
    if (!(await makeOne(parts, upload))) return; // the others would only wait for the store too
  if (made > 0) await wakePhotoFetches(parts.db); // they wait until there are few uploads
}

async function claim({ db, clock }: PictureParts): Promise<Upload | undefined> {
  const now = clock.now();
  const isFree = or(
    isNull(pictureUploads.claimedAt),
    lt(pictureUploads.claimedAt, new Date(now.getTime() - claimRunsOutMs)),
  );
  const oldest = db
    .select({ id: pictureUploads.id })
    .from(pictureUploads)
    .where(and(eq(pictureUploads.state, 'processing'), isFree))
    .orderBy(asc(pictureUploads.createdAt), asc(pictureUploads.place))
    .limit(1)
    .for('update', { skipLocked: true });
  const [claimed] = await db
    .update(pictureUploads)
    .set({ claimedAt: now, attempts: sql`${pictureUploads.attempts} + 1` })
    .where(inArray(pictureUploads.id, oldest))
    .returning();
  return claimed;
}

/** @returns whether the store could be reached */
async function makeOne(parts: PictureParts, upload: Upload): Promise<boolean> {
  const { db, pictureStore } = parts;
  const isThis = and(eq(pictureUploads.id, upload.id), eq(pictureUploads.state, 'processing'));
  try {
    const original = await pictureStore.read('uploads', upload.id);
    if (!original) throw new DamagedPicture('the upload is missing'); // it can no longer be processed
    await show(parts, upload, await makePicture(pictureStore, original));
  } catch (error) {
    if (isAway(error)) {
      await db
        .update(pictureUploads)
        .set({ attempts: upload.attempts - 1 })
        .where(isThis); // this attempt does not count
      return false;
    }
    const isLast = error instanceof DamagedPicture || upload.attempts >= maxAttempts;
    if (!isLast) return true; // retried once the claim expires
    const isDamaged = error instanceof DamagedPicture;
    const failure = isDamaged ? pictureMessages.damaged : pictureMessages.noSpace;
    await transact(db, async (tx) => {
      const failed = await tx.update(pictureUploads).set({ state: 'failed', failure }).where(isThis).returning();
      if (failed.length > 0)
        await failPhoto(tx, upload, isDamaged ? downloadMessages.damaged : downloadMessages.unknown);
    });
  }
  await pictureStore.remove('uploads', upload.id).catch(() => undefined); // otherwise swept later
  return true;
}

/**
 * Shows the photo in its place, unless it was replaced or removed meanwhile. A size that was created shortly before the
 * upload gets it too, as long as it has the same photos as the product.
 */
async function show({ db, clock }: PictureParts, upload: Upload, made: MadePicture): Promise<void> {
  const { id, productId, byUserId, place } = upload;
  const now = clock.now();
  const isAdded = place !== null;
  await transact(db, async (tx) => {
    const newSizes = await lockNewSizes(tx, productId, new Date(upload.createdAt.getTime() - newSizeMs));
    const before = await lockPhotosOf(tx, productId);
    const alike = await findAlike(tx, newSizes, before.filter(isReady));
    const { hash, widths, placeholder } = made;
    const waiting = before.find((photo) => !isReady(photo) && photo.id === id);
    const same = before.find((photo) => photo.hash === hash); // sent again: its text still fits
    const photo = { hash, widths, placeholder, alt: (waiting ?? same)?.alt ?? null };
    const after = withReady(before, photo, upload);
    const outcome = after
      ? { state: 'ready' as const }
      : { state: 'failed' as const, failure: pictureMessages.tooMany };
    const [ready] = await tx
      .update(pictureUploads)
      .set(outcome)
      .where(and(eq(pictureUploads.id, id), eq(pictureUploads.state, 'processing')))
      .returning({ id: pictureUploads.id });
    if (ready && !after) await failPhoto(tx, upload, downloadMessages.tooMany);
    if (!ready || !after) return;
    await tx
      .insert(pictures)
      .values({ ...made, createdAt: now })
      .onConflictDoNothing();
    await savePhotos(tx, productId, after);
    for (const size of alike) await savePhotos(tx, size, after.filter(isReady));
    for (const shownId of [productId, ...alike])
      await writeAudit(tx, {
        by: { userId: byUserId, requestId: null },
        action: isAdded ? 'product.photo_added' : 'product.picture_changed',
        target: { kind: 'product', id: shownId },
        before: { pictureHash: before.find(isReady)?.hash ?? null },
        after: { pictureHash: hash },
        now,
      });
  });
}

/** @returns the sizes that have exactly these photos, and none that is being processed or has failed */
async function findAlike(tx: Tx, sizes: readonly string[], photos: readonly AnyPhoto[]): Promise<string[]> {
  const alike = [];
  for (const size of sizes) if (isDeepStrictEqual(await lockPhotosOf(tx, size), photos)) alike.push(size);
  return alike;
}

/** Removes orphaned files, and old rows of finished uploads. */
export async function sweepPictures({ db, clock, pictureStore }: PictureParts): Promise<void> {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms);
  await db
    .delete(pictureUploads)
    .where(and(inArray(pictureUploads.state, ['ready', 'replaced']), lt(pictureUploads.createdAt, ago(keptUploadsMs))));
  const before = ago(sweptAfterMs);
  const waiting = await db
    .select({ id: pictureUploads.id })
    .from(pictureUploads)
    .where(eq(pictureUploads.state, 'processing'));
  const made = await db.select({ hash: pictures.hash }).from(pictures);
  const logos = await db.select({ hash: sql<string>`${shopSettings.logo} ->> 'hash'` }).from(shopSettings);
  const keep = {
    uploadIds: new Set(waiting.map(({ id }) => id)),
    hashes: new Set([...made, ...logos].map(({ hash }) => hash)),
    avatarIds: await findAvatarIds(db),
  };
  await sweepFiles(pictureStore, keep, before);
}
