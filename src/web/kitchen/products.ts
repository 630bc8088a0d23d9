import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { Schema } from '../../shared/contract';
import { productQuery } from '../catalog/queries';

type Products = ReadonlyMap<string, Schema<'Product'>>;
const none: Products = new Map();

/** Out of the device's own catalog, all at once; the server is asked for those that it does not have. */
const listedQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['products', 'listed', ids],
    queryFn: ({ client }) => readProducts(ids, client),
  });

async function readProducts(ids: readonly string[], client: QueryClient): Promise<Products> {
  const kept = await import('../catalog/onDevice').then((device) => device.productsOf(ids)).catch(() => undefined);
  const known = kept?.data ?? none;
  const missing = ids.filter((id) => !known.has(id));
  const asked = await Promise.allSettled(missing.map((id) => client.fetchQuery(productQuery(id))));
  const found = asked.flatMap((each) => (each.status === 'fulfilled' ? [[each.value.id, each.value] as const] : []));
  return new Map([...known, ...found]);
}

/** @returns the products by their ids, as far as they are known, and whether all were asked for */
export function useProducts(ids: readonly string[]): { products: Products; isKnown: boolean } {
  const {
    data = none,
    isPending,
    isPlaceholderData,
  } = useQuery({
    ...listedQuery(ids),
    placeholderData: (before) => before, // a product more is no reason to show the others anew
  });
  return { products: data, isKnown: !isPending && !isPlaceholderData };
}
