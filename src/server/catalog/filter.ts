/** A list's filter in SQL. Its meaning is defined in shared/productLists.ts, which devices use to filter offline. */
import { and, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Filter } from '../../shared/productLists';
import { products } from '../db/schema/tables';

/**
 * A filter needs no index: it scans the list's index (of a category or of all products, in list order) and skips rows until
 * the page is full.
 * @returns undefined when every product passes
 */
export const passes = ({ heat, origin, form, allergens, onSale, inStock }: Filter): SQL | undefined =>
  and(
    heat.length > 0 ? inArray(products.heatLevel, heat) : undefined,
    origin.length > 0 ? inArray(products.origin, origin) : undefined,
    form.length > 0 ? inArray(products.form, form) : undefined,
    onSale ? isNotNull(products.compareAtCents) : undefined,
    allergens.length > 0 ? hasNone(allergens) : undefined,
    inStock ? and(products.availability, gt(products.quantity, 0)) : undefined,
  );

/** Whether the filter is empty. */
export const isEmptyFilter = (filter: Filter): boolean => passes(filter) === undefined;

/** Ignores case: a filter without 'peanut' hides 'Peanut' too. */
const hasNone = (allergens: string[]): SQL =>
  sql`not exists (select from unnest(${products.allergens}) allergen where ${inArray(sql`lower(allergen)`, allergens)})`;
