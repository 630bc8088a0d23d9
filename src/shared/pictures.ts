/** File names of a picture: `${base}-${width}.avif` and `.webp`, one of each per width. */
export const pictureTypes = ['avif', 'webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

/** @param base the `base` of the contract's Picture: the URL up to the width */
export const pictureFile = (base: string, width: number, type: PictureType): string => `${base}-${width}.${type}`;

/** Every device saves each product's picture in this width. Rule: docs/rules/offline.md, What is on the device */
export const offlineWidth = 320;
