/**
 * Detects the type of an upload by its content; its name and declared type are ignored. Only the header is read here; the job
 * decodes the picture and creates its files (make.ts). Rule: docs/rules/catalog.md, Pictures; ASVS 5.2.1, 5.2.2, 1.3.4
 */
import { pictureLimits, pictureMessages, pictureTypeOf } from '../../shared/pictureUploads';
import { invalid, Problem } from '../http/core/problems';
import { loadSharp } from './sharp';

/** @throws Problem 400 not_a_picture, 413 picture_too_large */
export async function requirePicture(file: unknown): Promise<Buffer> {
  // only accepted types reach a decoder
  if (!Buffer.isBuffer(file) || !pictureTypeOf(file)) throw notAPicture();
  const sharp = await loadSharp();
  const header = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!header?.width || !header.height) throw notAPicture();
  const { width, height } = header;
  const isTooLarge = width * height > pictureLimits.pixels || Math.max(width, height) > pictureLimits.side;
  if (isTooLarge)
    throw new Problem(413, 'picture_too_large', pictureMessages.tooManyPixels, { errors: said('tooManyPixels') });
  return file;
}

const notAPicture = () => invalid(pictureMessages.notAPicture, said('notAPicture'), 'not_a_picture');
const said = (key: keyof typeof pictureMessages) => [{ field: 'file', message: pictureMessages[key] }];
