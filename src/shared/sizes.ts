/** Sizes: products that staff have put into one group. Rule: docs/rules/catalog.md, Sizes */
import { formatCount } from './counts';
import type { Schema } from './contract';

export type ProductSize = Schema<'ProductSize'>;

/** By net amount, those without one last; then by price, then id. */
export const bySize = (one: ProductSize, other: ProductSize): number =>
  amountOf(one) - amountOf(other) || one.price - other.price || (one.id < other.id ? -1 : 1);

const amountOf = ({ netGrams, netMillilitres }: ProductSize) => netGrams ?? netMillilitres ?? Number.MAX_SAFE_INTEGER;

/** @returns what a product's page shows of another size */
export const asSize = (product: ProductSize): ProductSize => {
  const { id, name, price, compareAtPrice, availability, quantity, unitSize, netGrams, netMillilitres } = product;
  return {
    id,
    name,
    price,
    availability,
    quantity,
    unitSize,
    ...(compareAtPrice !== undefined && { compareAtPrice }),
    ...(netGrams !== undefined && { netGrams }),
    ...(netMillilitres !== undefined && { netMillilitres }),
  };
};

/** @returns '110 g': the size as staff wrote it, else its net amount, else the product's name */
export function sizeInWords({ unitSize, netGrams, netMillilitres, name }: ProductSize): string {
  if (unitSize) return unitSize;
  if (netGrams !== undefined) return `${formatCount(netGrams)} g`;
  return netMillilitres === undefined ? name : `${formatCount(netMillilitres)} ml`;
}

export const soldOut = 'Sold out';
