/**
 * The shop's logo. Unlike a product's photo, it is processed during its upload: one file for pages, one for emails and the
 * test provider's page, and the icons of the installed app. They are named by the hash of the upload, like photos, so that
 * browsers never ask for them again. The files of a former logo stay for a day, since open pages still show it; then they
 * are swept (job.ts).
 * Rule: docs/rules/back-office.md, Brand
 */
import type { Sharp } from 'sharp';
import { pictureMessages } from '../../shared/pictureUploads';
import type { StoredLogo } from '../db/schema/tables';
import type { Party } from '../http/limits/fairQueue';
import { invalid } from '../http/core/problems';
import type { PictureStore } from './files';
import { requirePicture } from './inspect';
import { hashOf } from './processPicture';
import { decoding, loadSharp } from './sharp';
import { uploadQueue } from './uploadQueue';

export type RenderedLogo = StoredLogo & { files: { name: string; bytes: Buffer }[] };

/** Twice its height on a page; a wide logo is lower. */
const box = { width: 288, height: 96 };
export const iconSizes = [180, 192, 512] as const;
/** Android crops it to a circle or a square; its logo is inside the circle that always stays. */
const maskableSize = 432;

export const logoFile = (hash: string, type: 'webp' | 'png'): string => `${hash}-${box.height}.${type}`;
export const iconFile = (hash: string, size: number): string => `${hash}-${size}.png`;
export const maskableIcon = { size: maskableSize, fileOf: (hash: string): string => iconFile(hash, maskableSize) };

/**
 * @param party the sender, since senders take turns
 * @throws Problem 400 not_a_picture, 413 picture_too_large, 503 unavailable while too many are waiting
 */
export async function renderLogo(file: unknown, party: Party): Promise<RenderedLogo> {
  const original = await requirePicture(file);
  return uploadQueue.run(party, () => draw(original));
}

const clear = { r: 0, g: 0, b: 0, alpha: 0 };
const white = '#ffffff';

async function draw(original: Buffer): Promise<RenderedLogo> {
  const hash = hashOf(original);
  const image = await decode(original);
  const inBox = await image()
    .resize({ ...box, fit: 'inside' })
    .png({ effort: 8 })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = inBox.info;
  const files = [
    { name: logoFile(hash, 'png'), bytes: inBox.data },
    {
      name: logoFile(hash, 'webp'),
      bytes: await image()
        .resize({ ...box, fit: 'inside' })
        .webp(webp)
        .toBuffer(),
    },
  ];
  for (const size of iconSizes) {
    // the home screen of an iPhone shows clear parts in black
    const icon = size === 180 ? withMargin(image(), size, 0.88) : image().resize(contained(size, clear));
    files.push({ name: iconFile(hash, size), bytes: await icon.png().toBuffer() });
  }
  const maskable = withMargin(image(), maskableSize, 0.56);
  files.push({ name: maskableIcon.fileOf(hash), bytes: await maskable.png().toBuffer() });
  return { hash, width, height, files };
}

const webp = { quality: 85, alphaQuality: 90, effort: 6 };

/** Decoded once, upright, without metadata, to the size of the largest icon. @returns a new pipeline at each call */
async function decode(original: Buffer): Promise<() => Sharp> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(original, decoding)
    .autoOrient()
    .resize({ width: 1024, height: 1024, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw invalid(pictureMessages.damaged, [{ field: 'file', message: pictureMessages.damaged }], 'not_a_picture');
    });
  const { width, height, channels } = info;
  return () => sharp(data, { raw: { width, height, channels } });
}

const contained = (size: number, background: typeof clear | string) =>
  ({ width: size, height: size, fit: 'contain', background }) as const;

/** On white. @param share of the side that the logo takes */
function withMargin(image: Sharp, size: number, share: number): Sharp {
  const inner = Math.round(size * share);
  const [before, after] = [Math.floor((size - inner) / 2), Math.ceil((size - inner) / 2)];
  return image
    .flatten({ background: white })
    .resize(contained(inner, white))
    .extend({ top: before, left: before, bottom: after, right: after, background: white });
}

/**
 * Writes the files before the row that refers to them, so that a row never refers to a missing file.
 * @throws Problem 507 storage_full, 503 unavailable
 */
export async function writeLogo(store: PictureStore, files: RenderedLogo['files']): Promise<void> {
  for (const { name, bytes } of files) await store.write('pictures', name, bytes);
}
