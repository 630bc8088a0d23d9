/**
 * Avatars. Unlike a product's picture, an avatar is a single small square, processed during its upload. It is personal: its
 * files have random names unrelated to their content, browsers and proxies do not cache them, and they are deleted with the
 * avatar. Only a client that knows the name can fetch it, and the name appears only in responses to the account itself and
 * to staff.
 * Rule: docs/rules/accounts.md, Picture
 */
import { randomBytes } from 'node:crypto';
import { isNotNull } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { pictureMessages } from '../../shared/pictureUploads';
import { pictureTypes, type PictureType } from '../../shared/pictures';
import { avatarIdOf, avatarUrl, avatarWidth } from '../users/core/avatar';
import type { Party } from '../http/limits/fairQueue';
import { users } from '../db/schema/tables';
import { withLongTimeout, type Db } from '../db/core/transact';
import { invalid, notFound, unavailable } from '../http/core/problems';
import type { PictureStore } from './files';
import { requirePicture } from './inspect';
import { decoding, loadSharp } from './sharp';
import { uploadQueue } from './uploadQueue';

export type Avatar = Record<PictureType, Buffer>;

/**
 * Crops an upload to a centered square, upright and without metadata.
 * @param party the sender, since senders take turns
 * @throws Problem 400 not_a_picture, 413 picture_too_large, 503 unavailable while too many are waiting
 */
export async function renderAvatar(file: unknown, party: Party): Promise<Avatar> {
  const original = await requirePicture(file);
  return uploadQueue.run(party, () => draw(original));
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
 * Writes the files before the row that refers to them, so that a row never refers to a missing file. Orphaned files are
 * swept.
 * @returns the URL for the account's row
 * @throws Problem 507 storage_full, 503 unavailable; the files are then removed, if the store can be reached
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

/** Files that cannot be removed now are swept later. @param imageUrl the account's former one */
export async function removeAvatar(store: PictureStore, imageUrl: string | null): Promise<void> {
  const id = avatarIdOf(imageUrl);
  if (id === undefined) return;
  for (const type of pictureTypes) await store.remove('portraits', fileOf(id, type)).catch(() => undefined);
}

/** The ids of all avatars in use. */
export async function findAvatarIds(db: Db): Promise<Set<string>> {
  const rows = await withLongTimeout(db, (tx) =>
    tx.select({ imageUrl: users.imageUrl }).from(users).where(isNotNull(users.imageUrl)),
  );
  return new Set(rows.flatMap(({ imageUrl }) => avatarIdOf(imageUrl) ?? []));
}

const route = `/portraits/:name(^[0-9a-f]{32}-${avatarWidth}\\.(?:avif|webp)$)`;
/** A remote store needs a connection for each. */
const concurrentReads = 50;

export function serveAvatars(app: FastifyInstance, store: PictureStore): void {
  let asked = 0;
  app.get<{ Params: { name: string } }>(route, async ({ params: { name } }, reply) => {
    if (asked >= concurrentReads) throw unavailable();
    asked += 1;
    const bytes = await store.read('portraits', name).finally(() => (asked -= 1));
    if (!bytes) throw notFound();
    const type = name.endsWith('.avif') ? 'image/avif' : 'image/webp';
    // personal data must not remain on a device after logout, as it would in the browser's cache
    return reply.header('cache-control', 'no-store').type(type).send(bytes);
  });
}
