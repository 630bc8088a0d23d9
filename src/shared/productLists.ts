/**
 * Filters, sorts and pages lists of products. The server does the same in SQL; a device with a copy of the catalog gets
 * identical results from these functions.
 */
import type { Schema } from './contract';

type Product = Schema<'Product'>;

/** A filter in canonical form: each list is sorted, without duplicates; an empty list does not filter. */
export type Filter = { heat: number[]; origin: string[]; allergens: string[] };

/**
 * @param query already validated against the contract @returns the same result for the same values in any order
 * Rule: docs/rules/catalog.md, Filters
 */
export const filterOf = ({ heat, origin, allergens }: Partial<Filter>): Filter => ({
  heat: canonical(heat),
  origin: canonical(origin),
  allergens: canonical(allergens?.map((allergen) => allergen.toLowerCase())),
});

/** @returns whether the product passes the filter; allergens are compared without case */
export function passesFilter(product: Product, { heat, origin, allergens }: Filter): boolean {
  if (heat.length > 0 && (product.heatLevel === null || !heat.includes(product.heatLevel))) return false;
  if (origin.length > 0 && (product.origin === null || !origin.includes(product.origin))) return false;
  return !product.allergens.some((allergen) => allergens.includes(allergen.toLowerCase()));
}

/** @returns the filter options of a category, from all its products that are sold */
export const facetsOf = (products: readonly Product[]): Schema<'Facets'> => ({
  heatLevels: canonical(products.flatMap(({ heatLevel }) => heatLevel ?? [])),
  origins: canonical(products.flatMap(({ origin }) => origin ?? [])),
  allergens: canonical(products.flatMap(({ allergens }) => allergens.map((allergen) => allergen.toLowerCase()))),
});

/** Comparator for `sort`: every list has the oldest product first. */
export const byCreation = (one: Made, other: Made): number =>
  compare(one.createdAt, other.createdAt) || compare(one.id, other.id);

type Made = { createdAt: string; id: string };

/** Wraps one page of rows as in the contract. @param page from 0 */
export function cutPage<Row>(rows: readonly Row[], page: number, size: number) {
  const totalPages = Math.ceil(rows.length / size);
  const content = rows.slice(page * size, (page + 1) * size);
  return { content, pageable: { pageNumber: page, totalPages }, totalPages, totalElements: rows.length };
}

/** Sorts by code point, like the database. */
const canonical = <Value extends number | string>(values: readonly Value[] = []): Value[] =>
  [...new Set(values)].toSorted(compare);

const compare = <Value extends number | string>(one: Value, other: Value): number =>
  Number(one > other) - Number(one < other);
