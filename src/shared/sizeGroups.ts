/** Groups of sizes, and the sizes of a group. Rule: docs/rules/catalog.md, Sizes */
import type { ProductSize } from './sizes';

/** The most products of a group, deleted ones too. */
export const maxSizes = 20;

/** By net amount, those without one last; then by price, then id. */
export const bySize = (one: ProductSize, other: ProductSize): number =>
  amountOf(one) - amountOf(other) || one.price - other.price || (one.id < other.id ? -1 : 1);

const amountOf = ({ netGrams, netMillilitres }: ProductSize) => netGrams ?? netMillilitres ?? Number.MAX_SAFE_INTEGER;

/** @returns what a product's page shows of another size */
export const asSize = (product: ProductSize): ProductSize => {
  const { id, name, price, compareAtPrice, availability, quantity, unitSize, netGrams, netMillilitres, slug } = product;
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
    ...(slug !== undefined && { slug }),
  };
};
