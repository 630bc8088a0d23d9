/**
 * Which products a list shows, in which order and on which page. The server does it in SQL; a device with a copy of the
 * catalog gets the same result from these functions.
 */
import type { Schema } from './contract';

type Product = Schema<'Product'>;

/** A filter in canonical form: each list is sorted, without duplicates; an empty list filters nothing. */
export type Filter = { heat: number[]; origin: string[]; allergens: string[] };

/**
 * @param query already checked against the contract @returns the same for the same values in any order
 * Rule: docs/rules/catalog.md, Filters
 */
export const filterOf = ({ heat, origin, allergens }: Partial<Filter>): Filter => ({
  heat: canonical(heat),
  origin: canonical(origin),
  allergens: canonical(allergens?.map((allergen) => allergen.toLowerCase())),
});

/** @returns whether a filter lets the product through; the case of allergens does not matter */
export function passesFilter(product: Product, { heat, origin, allergens }: Filter): boolean {
  if (heat.length > 0 && (product.heatLevel === null || !heat.includes(product.heatLevel))) return false;
  if (origin.length > 0 && (product.origin === null || !origin.includes(product.origin))) return false;
  return !product.allergens.some((allergen) => allergens.includes(allergen.toLowerCase()));
}

/** @returns what a category can be filtered by, from all its products that are sold */
export const facetsOf = (products: readonly Product[]): Schema<'Facets'> => ({
  heatLevels: canonical(products.flatMap(({ heatLevel }) => heatLevel ?? [])),
  origins: canonical(products.flatMap(({ origin }) => origin ?? [])),
  allergens: canonical(products.flatMap(({ allergens }) => allergens.map((allergen) => allergen.toLowerCase()))),
});

/** Compares two products for `sort`: in every list the oldest comes first. */
export const byMaking = (one: Made, other: Made): number =>
  compare(one.createdAt, other.createdAt) || compare(one.id, other.id);

type Made = { createdAt: string; id: string };

/** One page of rows in the contract's wrapper. @param page from 0 */
export function cutPage<Row>(rows: readonly Row[], page: number, size: number) {
  const totalPages = Math.ceil(rows.length / size);
  const content = rows.slice(page * size, (page + 1) * size);
  return { content, pageable: { pageNumber: page, totalPages }, totalPages, totalElements: rows.length };
}

/** Sorted by code point, as the database sorts. */
const canonical = <Value extends number | string>(values: readonly Value[] = []): Value[] =>
  [...new Set(values)].toSorted(compare);

const compare = <Value extends number | string>(one: Value, other: Value): number =>
  Number(one > other) - Number(one < other);
