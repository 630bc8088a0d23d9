/** Allowed uploads of product pictures and avatars. Rule: docs/rules/catalog.md, Pictures */

/** The contract has the same limits. */
export const pictureLimits = {
  bytes: 10 * 1024 * 1024,
  pixels: 40_000_000,
  /** Pixels per side: the limit of WebP. */
  side: 16_383,
} as const;

/** Photos of a product, and characters of a photo's description. */
export const photoLimits = { photos: 10, alt: 125 } as const;

/** Types offered by the file chooser; the server checks the content only. */
export const pictureAccept = 'image/jpeg,image/png,image/webp,image/avif,image/gif,image/heic,image/heif';

export const pictureMessages = {
  changed: 'Someone changed the photos while you were editing them. Check them, then save again.',
  notFound: 'Photo not found',
  taken: 'This product already has this photo',
  tooMany: 'Products can have up to 10 photos. Remove one first.',
  notSaved: "Not saved: this photo can't be used. Choose another photo, or remove this one.",
  processing: 'Processing your photo',
  drop: 'Drop photos here or choose them. We resize large files.',
  arrange: 'Drag to reorder. The first photo is the main one. Descriptions are read aloud and help search engines.',
  heic: "This browser can't read HEIC photos. On the iPhone, choose Settings, Camera, Formats, Most Compatible, and take the photo again, or export it as JPEG.",
  notAPicture: 'Choose a JPG, PNG, WebP, AVIF, or GIF photo',
  tooManyBytes: 'Photos can be up to 10 MB',
  tooManyPixels: 'Photos can be up to 40 megapixels and 16,383 pixels on each side',
  damaged: 'This photo is damaged. Upload it again or choose another one.',
  noSpace: "We couldn't process the photo. Upload it again.",
} as const;

/** @param reason why the photo was refused */
export const savedWithout = (reason: string): string => `Saved without the photo. ${reason}`;

/** How many of a file's first bytes `pictureTypeOf` needs. */
export const pictureHeadBytes = 16;

/**
 * @param head the first bytes of a file
 * @returns the type of an accepted picture, detected from its content; undefined for anything else
 */
export function pictureTypeOf(head: Uint8Array): string | undefined {
  const text = String.fromCodePoint(...head.subarray(0, pictureHeadBytes));
  return pictureTypes.find(([, begins]) => begins.test(text))?.[0];
}

/** Photos of iPhones: the server can't decode them, but some browsers can. @param head the first bytes of a file */
export const isHeic = (head: Uint8Array): boolean =>
  /^[^]{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif1|msf1)/.test(String.fromCodePoint(...head.subarray(0, pictureHeadBytes)));

const pictureTypes: readonly [type: string, begins: RegExp][] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n[^]\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/avif', /^[^]{4}ftypavi[fs]/],
];
