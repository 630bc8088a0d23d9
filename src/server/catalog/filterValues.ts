/**
 * Caches the origins and allergens that products have. Filters by unknown values then share one cached response, whatever
 * they name. Rule: docs/rules/catalog.md, Filters
 */
import { gt, inArray } from 'drizzle-orm';
import type { Filter } from '../../shared/productLists';
import type { ChangeBus } from '../db/core/changeBus';
import { factsChange } from '../db/core/changes';
import { sumOfRows } from '../db/core/listQueries';
import { keptCounts } from '../db/schema/tables';
import type { Db } from '../db/core/transact';
import { createChangeCache } from '../http/cache/changeCache';

type Values = { readonly origins: ReadonlySet<string>; readonly allergens: ReadonlySet<string> };
export type FilterValues = {
  /** The values, if they are in memory and may be used now. */
  find: () => Values | undefined;
  get: () => Promise<Values>;
};

/** An origin that no product has: the contract rejects an empty one. */
const noOrigin = '';

export function cacheFilterValues(bus: Pick<ChangeBus, 'connected' | 'on' | 'onConnected'>, db: Db): FilterValues {
  const cache = createChangeCache<Values>(bus, { max: 1, touches: (change) => change === factsChange });
  bus.on('catalog', cache.drop);
  const key = 'values';
  return { find: () => cache.find(key), get: async () => cache.get(key, () => readValues(db)) };
}

async function readValues(db: Db): Promise<Values> {
  const rows = await db
    .select({ list: keptCounts.list, value: keptCounts.value })
    .from(keptCounts)
    .where(inArray(keptCounts.list, ['origins', 'allergens']))
    .groupBy(keptCounts.list, keptCounts.value)
    .having(gt(sumOfRows, 0));
  const valuesOf = (list: string) => new Set(rows.flatMap((row) => (row.list === list ? [row.value] : [])));
  return { origins: valuesOf('origins'), allergens: valuesOf('allergens') };
}

type Names = { [Name in 'origin' | 'allergens']?: Filter[Name] | undefined };

/** Whether the filter names an origin or an allergen at all. */
export const namesValues = ({ origin = [], allergens = [] }: Names): boolean => origin.length + allergens.length > 0;

/** Whether the filter names an origin or an allergen that no product has. */
export const namesUnknownValues = (values: Values, { origin = [], allergens = [] }: Names): boolean =>
  origin.some((each) => !values.origins.has(each)) ||
  allergens.some((each) => !values.allergens.has(each.toLowerCase()));

/** @returns a filter that lets the same products pass, without the values that no product has */
export function knownFilter({ origins, allergens }: Values, filter: Filter): Filter {
  const origin = filter.origin.filter((each) => origins.has(each));
  return {
    ...filter,
    origin: filter.origin.length > 0 && origin.length === 0 ? [noOrigin] : origin,
    allergens: filter.allergens.filter((each) => allergens.has(each)),
  };
}
