/**
 * Pictures of people. Unlike a product's, one is made while its upload is answered (it is a single small square) and is
 * personal: its files have a random name that says nothing of their content, no browser or proxy keeps them, and they go
 * with the picture. Without its name nobody gets one, and the name stands in answers to the account itself and to staff.
 * Rule: docs/rules/accounts.md, Picture
 */
import { randomBytes } from 'node:crypto';
import { isNotNull } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { pictureMessages } from '../../shared/pictureUploads';
import { pictureTypes, type PictureType } from '../../shared/pictures';
import { avatarIdOf, avatarUrl, avatarWidth } from '../account/avatar';
import { createFairQueue, type Party } from '../http/limits/fairQueue';
import { users } from '../db/schema/tables';
import { withLongTimeout, type Db } from '../db/core/transact';
import { invalid, notFound, unavailable } from '../http/core/problems';
import type { PictureStore } from './files';
import { requirePicture } from './inspect';
import { decoding, loadSharp } from './sharp';

export type Avatar = Record<PictureType, Buffer>;

/** They are drawn one after the other. Each that waits holds up to 10 MB in memory, so there are few. */
const queue = createFairQueue({
  atOnce: 1,
  waiting: 6,
  ofNetwork: 4,
  ofAccount: 2,
  tooMany: unavailable,
  full: unavailable,
});

/**
 * Draws the square in the middle of an upload, upright and without metadata.
 * @param party who sent it, since people take turns
 * @throws Problem 400 not_a_picture, 413 picture_too_large, 503 unavailable while too many wait
 */
export async function renderAvatar(file: unknown, party: Party): Promise<Avatar> {
  const original = await requirePicture(file);
  return queue.run(party, () => draw(original));
}

async function draw(original: Buffer): Promise<Avatar> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(original, decoding)
    .autoOrient()
    .resize({ width: avatarWidth, height: avatarWidth, fit: 'cover', position: 'centre' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw damaged();
    });
  const { width, height, channels } = info;
  const image = () => sharp(data, { raw: { width, height, channels } });
  return {
    avif: await image().avif({ quality: 50, effort: 3 }).toBuffer(),
    webp: await image().webp({ quality: 60, effort: 6 }).toBuffer(),
  };
}

const damaged = () =>
  invalid(pictureMessages.damaged, [{ field: 'file', message: pictureMessages.damaged }], 'not_a_picture');

const fileOf = (id: string, type: PictureType) => `${id}-${avatarWidth}.${type}`;

/**
 * Writes the files, before the row that names them: a row never names a file that is not there. Files that no row comes
 * to name are swept.
 * @returns the address for the account's row
 * @throws Problem 507 storage_full, 503 unavailable; nothing is left then, as far as the store can be reached
 */
export async function writeAvatar(store: PictureStore, avatar: Avatar): Promise<string> {
  const id = randomBytes(16).toString('hex');
  try {
    for (const type of pictureTypes) await store.write('portraits', fileOf(id, type), avatar[type]);
  } catch (error) {
    await removeAvatar(store, avatarUrl(id));
    throw error;
  }
  return avatarUrl(id);
}

/** What cannot be removed now, the sweep has later. @param imageUrl of the account that had it */
export async function removeAvatar(store: PictureStore, imageUrl: string | null): Promise<void> {
  const id = avatarIdOf(imageUrl);
  if (id === undefined) return;
  for (const type of pictureTypes) await store.remove('portraits', fileOf(id, type)).catch(() => undefined);
}

/** The ids of all that an account has. */
export async function findAvatarIds(db: Db): Promise<Set<string>> {
  const rows = await withLongTimeout(db, (tx) =>
    tx.select({ imageUrl: users.imageUrl }).from(users).where(isNotNull(users.imageUrl)),
  );
  return new Set(rows.flatMap(({ imageUrl }) => avatarIdOf(imageUrl) ?? []));
}

const route = `/portraits/:name(^[0-9a-f]{32}-${avatarWidth}\\.(?:avif|webp)$)`;
/** A store far away is a connection for each. */
const asksAtOnce = 50;

export function serveAvatars(app: FastifyInstance, store: PictureStore): void {
  let asked = 0;
  app.get<{ Params: { name: string } }>(route, async ({ params: { name } }, reply) => {
    if (asked >= asksAtOnce) throw unavailable();
    asked += 1;
    const bytes = await store.read('portraits', name).finally(() => (asked -= 1));
    if (!bytes) throw notFound();
    const type = name.endsWith('.avif') ? 'image/avif' : 'image/webp';
    // nothing of a person outlives the logout on a device, and a browser's cache would
    return reply.header('cache-control', 'no-store').type(type).send(bytes);
  });
}
