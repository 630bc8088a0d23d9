/** Sizes in words: of products, and of the lines of carts, orders, and lists. Rule: docs/rules/catalog.md, Sizes */
import type { Schema } from './contract';
import { netSize, shortSize, type Units } from './unitPrice';

export type ProductSize = Schema<'ProductSize'>;

/** What the size of a product or of a line is told by. */
export type Sized = {
  unitSize?: string | null | undefined;
  netGrams?: number | null | undefined;
  netMillilitres?: number | null | undefined;
};

/** @returns the known facts only, as the contract names them */
export const sizeFacts = ({ unitSize, netGrams, netMillilitres }: Sized) => ({
  ...(unitSize && { unitSize }),
  ...(netGrams && { netGrams }),
  ...(netMillilitres && { netMillilitres }),
});

/** @returns the net amount in the shop's units, else the size as staff wrote it; undefined without either */
export const sizeOf = (sized: Sized, units: Units): string | undefined =>
  netSize(sizeFacts(sized), units) ?? (sized.unitSize || undefined);

/** @returns a line's name where it stands alone, such as in an email: 'Afra Grill Rub, 3.9 oz (110 g)' */
export const nameWithSize = (line: Sized & { productName: string }, units: Units): string =>
  [line.productName, sizeOf(line, units)].filter(Boolean).join(', ');

/** @returns what stands below a line's name: '3.9 oz · Quantity: 2', or only the text for a line without a size */
export const sizeThen = (sized: Sized, units: Units, text: string): string =>
  [shortSize(sizeOf(sized, units)), text].filter(Boolean).join(' · ');

/** @returns its net amount, else the size as staff wrote it, else the product's name */
export const sizeInWords = (size: ProductSize, units: Units): string => sizeOf(size, units) ?? size.name;

export const soldOut = 'Sold out';
