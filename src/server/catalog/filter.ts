/** A list's filter in SQL. Its meaning is defined in shared/productLists.ts, which devices use to filter offline. */
import { and, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Filter } from '../../shared/productLists';
import { products } from '../db/schema/tables';

/** The table of products under its own name, or under another one. */
export type ProductTable = Record<keyof typeof products.$inferSelect, AnyPgColumn>;

/**
 * A filter needs no index: it scans the list's index (of a category or of all products, in list order) and skips rows until
 * the page is full.
 * @returns undefined when every product passes
 */
export const passes = (
  { heat, origin, form, allergens, onSale, inStock }: Filter,
  table: ProductTable = products,
): SQL | undefined =>
  and(
    heat.length > 0 ? inArray(table.heatLevel, heat) : undefined,
    origin.length > 0 ? inArray(table.origin, origin) : undefined,
    form.length > 0 ? inArray(table.form, form) : undefined,
    onSale ? isNotNull(table.compareAtCents) : undefined,
    allergens.length > 0 ? hasNone(allergens, table) : undefined,
    inStock ? and(table.availability, gt(table.quantity, 0)) : undefined,
  );

/** Whether the filter is empty. */
export const isEmptyFilter = (filter: Filter): boolean => passes(filter) === undefined;

/** Ignores case: a filter without 'peanut' hides 'Peanut' too. Most products have no allergens, which is quickly seen. */
const hasNone = (allergens: string[], table: ProductTable): SQL =>
  sql`(${table.allergens} = '{}' or not exists (select from unnest(${table.allergens}) allergen where ${inArray(sql`lower(allergen)`, allergens)}))`;
