/** A list's filter in SQL; what it means stands in shared/productLists.ts, for devices that filter by themselves. */
import { and, inArray, type SQL, sql } from 'drizzle-orm';
import type { Filter } from '../../shared/productLists';
import { products } from '../db/schema/tables';

/**
 * A filter reads along the lists' own index (category or all, in the order of the list), so it needs none for itself: it
 * skips rows until the page is full.
 * @returns undefined when every product passes
 */
export const passes = ({ heat, origin, allergens }: Filter): SQL | undefined =>
  and(
    heat.length > 0 ? inArray(products.heatLevel, heat) : undefined,
    origin.length > 0 ? inArray(products.origin, origin) : undefined,
    allergens.length > 0 ? hasNone(allergens) : undefined,
  );

/** Whether it is no filter at all. */
export const letsAllPass = (filter: Filter): boolean => passes(filter) === undefined;

/** Ignores case: a filter without 'peanut' hides 'Peanut' too. */
const hasNone = (allergens: string[]): SQL =>
  sql`not exists (select from unnest(${products.allergens}) allergen where ${inArray(sql`lower(allergen)`, allergens)})`;
