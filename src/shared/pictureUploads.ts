/** What may be uploaded as a picture, of a product or of oneself. Rule: docs/rules/catalog.md, Pictures */

/** The contract has the same limits. */
export const pictureLimits = {
  bytes: 10 * 1024 * 1024,
  pixels: 40_000_000,
  /** Pixels of one side: the limit of WebP. */
  side: 16_383,
} as const;

/** What a file chooser offers; the server judges the content alone. */
export const pictureAccept = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

export const pictureSays = {
  processing: 'The new picture is being made',
  notAPicture: 'Please choose a JPEG, PNG, WebP, AVIF or GIF picture',
  tooManyBytes: 'A picture may have at most 10 MB',
  tooManyPixels: 'A picture may have at most 40 megapixels, and 16,383 pixels on a side',
  damaged: 'This picture is damaged and could not be used. Please upload it again or choose another one.',
  noRoom: 'The new picture could not be made. Please upload it again.',
} as const;

/** @returns what can be told of a file before it is sent; undefined when nothing speaks against it */
export function whyNoPicture({ type, size }: { type: string; size: number }): string | undefined {
  if (!pictureAccept.split(',').includes(type) || size === 0) return pictureSays.notAPicture;
  return size > pictureLimits.bytes ? pictureSays.tooManyBytes : undefined;
}
