/** Sizes: products that staff have put into one group. Rule: docs/rules/catalog.md, Sizes */
import type { Schema } from './contract';
import { netSize, type Units } from './unitPrice';

/** The most products of a group, deleted ones too. */
export const maxSizes = 20;

export type ProductSize = Schema<'ProductSize'>;

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

/** @returns its net amount, else the size as staff wrote it, else the product's name */
export const sizeInWords = (size: ProductSize, units: Units): string =>
  netSize(size, units) ?? (size.unitSize || size.name);

export const soldOut = 'Sold out';
