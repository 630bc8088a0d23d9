import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { answer, api } from '../../server/client';
import type { ListSearch } from '../core/listSearch';
import type * as OnDevice from '../core/onDevice';
import { definedOf, grouped, querySerializer } from '../core/queries';

/** How many products each filter value would leave: from the device's own catalog, or from the server without one. */
export const filterCountsQuery = (categoryName: string, search: ListSearch) => {
  const filter = definedOf({ ...search, page: undefined, sort: undefined });
  return queryOptions({
    queryKey: ['products', categoryName, 'counts', filter],
    queryFn: async ({ signal }): Promise<Schema<'FilterCounts'> | undefined> => {
      const saved = await countHere(categoryName, filter);
      if (saved) return saved;
      const params = { path: { categoryName }, query: { size: 1, counts: true, sizes: grouped, ...filter } };
      return (await answer(api.GET('/public/products/category/{categoryName}', { params, querySerializer, signal })))
        .counts;
    },
  });
};

async function countHere(categoryName: string, filter: Parameters<typeof OnDevice.filterCounts>[1]) {
  if (typeof indexedDB === 'undefined') return undefined;
  const { filterCounts } = await import('../core/onDevice');
  return (await filterCounts(categoryName, filter).catch(() => undefined))?.data;
}
