/**
 * Creates the files of a picture: decoded once, rotated upright, without metadata, never enlarged.
 * Rule: docs/rules/catalog.md, Pictures
 */
import { createHash } from 'node:crypto';
import type { pictures } from '../db/schema/tables';
import { filesOf, pictureWidths, type PictureStore } from './files';
import { measureOffline } from './measure';
import { decoding, loadSharp } from './sharp';

export type MadePicture = Omit<typeof pictures.$inferInsert, 'createdAt'>;

/** The upload is not a picture after all, or is damaged. */
export class DamagedPicture extends Error {}

/**
 * @param original the bytes of an upload
 * @throws DamagedPicture, or the store's error when the files cannot be written
 */
export async function makePicture(store: PictureStore, original: Buffer): Promise<MadePicture> {
  const hash = hashOf(original);
  const { raw, ...measured } = await decode(original).catch((error: Error) => {
    throw new DamagedPicture(error.message, { cause: error });
  });
  const sharp = await loadSharp();
  for (const { name, width, type } of filesOf(hash)) {
    if (await store.has('pictures', name)) continue;
    const image = sharp(raw.data, { raw: raw.info }).resize({ width, withoutEnlargement: true });
    // effort 4 takes four to five times as long (10 s per photo) to save 3 %
    const encoded = type === 'avif' ? image.avif({ quality: 50, effort: 3 }) : image.webp({ quality: 60, effort: 6 });
    await store.write('pictures', name, await encoded.toBuffer());
  }
  return { hash, ...measured, widths: pictureWidths, ...(await measureOffline(store, hash)) };
}

/** The name of a picture's files, and the id of a product's photo. */
export const hashOf = (original: Buffer): string =>
  createHash('sha256').update(original).digest('hex').slice(0, hashLength);
const hashLength = 32;

/** Decodes to the size of the largest file, to save memory. */
async function decode(original: Buffer) {
  const sharp = await loadSharp();
  const { data, info } = await sharp(original, decoding)
    .autoOrient()
    .resize({ width: Math.max(...pictureWidths), withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const raw = { data, info: { width, height, channels } };
  const mean = await sharp(data, { raw: raw.info }).removeAlpha().resize(1, 1, { fit: 'fill' }).raw().toBuffer();
  const { autoOrient } = await sharp(original, decoding).metadata();
  return {
    raw,
    width: autoOrient.width,
    height: autoOrient.height,
    placeholder: `#${mean.toString('hex').slice(0, 6)}`,
  };
}
