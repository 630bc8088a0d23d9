/** Which products of a list are wanted. Source: decisions §4: origin and heat any of the chosen, allergens without. */
import { and, inArray, type SQL, sql } from 'drizzle-orm';
import { products } from '../db/schema';

/** In one spelling: each list sorted, without repetitions; an empty one filters nothing. */
export type Filter = { heat: number[]; origin: string[]; allergens: string[] };

/** @param query as the contract has checked it; one filter has one result however its values were ordered */
export const filterOf = ({ heat, origin, allergens }: Partial<Filter>): Filter => ({
  heat: canonical(heat),
  origin: canonical(origin),
  allergens: canonical(allergens?.map((allergen) => allergen.toLowerCase())),
});

const canonical = <Value extends number | string>(values: readonly Value[] = []): Value[] =>
  [...new Set(values)].toSorted((one, other) => (one < other ? -1 : 1));

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

/** However staff spelled it: who asks for no 'peanut' is not shown 'Peanut' either. */
const hasNone = (allergens: string[]): SQL =>
  sql`not exists (select from unnest(${products.allergens}) allergen where ${inArray(sql`lower(allergen)`, allergens)})`;
