import { isHeic, pictureHeadBytes, pictureLimits, pictureMessages, pictureTypeOf } from '../../shared/pictureUploads';

/** Larger files take too long on a phone's connection: the server waits at most 13 s for an upload. */
const maxUnscaledBytes = 1_000_000;
/** For the longer side. The widest picture that the shop shows has 1280 pixels, so nothing is lost. */
const maxPixels = 2000;
const displayWidth = 1280;

/**
 * Prepares a picture for upload: sets the type by its content, and scales a large photo down in the browser, rotated
 * upright, so that it uploads in seconds. The size limit applies to the result.
 * @returns the picture, or why it is rejected
 */
export function preparePicture(file: File): Promise<Prepared> {
  const prepared = preparing.get(file) ?? prepare(file);
  preparing.set(file, prepared);
  return prepared;
}

type Prepared = { picture: File } | { wrong: string };
/** A photo is scaled once, when it is chosen, and not again when it is sent. */
const preparing = new WeakMap<File, Promise<Prepared>>();

async function prepare(file: File): Promise<Prepared> {
  const head = new Uint8Array(await file.slice(0, pictureHeadBytes).arrayBuffer());
  if (isHeic(head)) return convertHeic(file);
  const type = pictureTypeOf(head);
  if (!type) return { wrong: pictureMessages.notAPicture };
  const picture = await shrinkPicture(new File([file], file.name, { type }));
  if (picture.size > pictureLimits.bytes) return { wrong: pictureMessages.tooManyBytes };
  preparing.set(picture, Promise.resolve({ picture }));
  return { picture };
}

/** The server takes no HEIC, so a browser that can decode it sends a JPEG. */
async function convertHeic(file: File): Promise<Prepared> {
  const jpeg = await scaleDown(file, 'image/jpeg').catch(() => undefined);
  if (!jpeg) return { wrong: pictureMessages.heic };
  return { picture: new File([jpeg], file.name, { type: jpeg.type }) };
}

/**
 * @returns `file` itself if it is small, or the browser can't read or write it: then the server reports what is wrong
 */
async function shrinkPicture(file: File): Promise<File> {
  if (file.size <= maxUnscaledBytes) return file;
  try {
    // WebP keeps transparency; a browser without WebP would return a PNG, which is larger
    const scaled = await scaleDown(file, file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp');
    return scaled && scaled.size < file.size ? new File([scaled], file.name, { type: scaled.type }) : file;
  } catch {
    return file;
  }
}

async function scaleDown(file: File, type: string): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file); // rotated upright according to its EXIF data
  const { width, height } = bitmap;
  const scale = Math.min(1, Math.max(maxPixels / Math.max(width, height), displayWidth / width));
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const scaled = await canvas.convertToBlob({ type, quality: 0.9 });
  return scaled.type === type ? scaled : undefined;
}
