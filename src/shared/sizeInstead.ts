/** Another size in place of one that can't be bought. Rule: docs/rules/catalog.md, Sizes */
import type { ProductSize } from './sizes';

type Priced = Pick<ProductSize, 'id' | 'price'>;

/**
 * @param gone a product that can't be bought
 * @param sizes of its group
 * @returns the size in stock whose price is closest; undefined if there is none
 */
export function sizeInstead<Size extends Priced & Pick<ProductSize, 'availability'>>(
  gone: Priced,
  sizes: readonly Size[],
): Size | undefined {
  const distance = ({ price }: Size) => Math.abs(price - gone.price);
  const [closest] = sizes
    .filter(({ id, availability }) => id !== gone.id && availability)
    .toSorted((one, other) => distance(one) - distance(other) || (one.id < other.id ? -1 : 1));
  return closest;
}

/** Words of the offer. Sizes are in words: '3.9 oz'. */
export const insteadMessages = {
  question: ({ gone, other, isSoldOut }: { gone: string; other: string; isSoldOut: boolean }) =>
    `${gone} is ${isSoldOut ? 'sold out' : 'no longer sold'}. Add ${other} instead?`,
  add: (size: string, price: string) => `Add ${size}, ${price}`,
  leaveOut: (size: string) => `Leave out ${size}`,
} as const;
