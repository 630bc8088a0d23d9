/** How the files of a picture are called: `${base}-${width}.avif` and `.webp`, one of each per width. */
export const pictureTypes = ['avif', 'webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** @param base as the contract's Picture has it: the address up to the width */
export const pictureFile = (base: string, width: number, type: PictureType): string => `${base}-${width}.${type}`;

/** The width that every device keeps of every product's picture. Source: decisions §6 */
export const keptWidth = 320;

/** Where the pictures that are kept lie in the browser's Cache Storage: the page fills it, the service worker reads it. */
export const keptPictures = 'pictures';
