/** @returns the name of a photo among a product's photos: 'Photo 2 of 4' */
export const photoOf = (number: number, count: number): string => `Photo ${number} of ${count}`;
