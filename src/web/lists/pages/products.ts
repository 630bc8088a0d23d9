import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { productQuery } from '../../catalog/core/queries';

export type Products = ReadonlyMap<string, Schema<'Product'>>;
const none: Products = new Map();

/** Reads all products from the device's catalog in one go, and asks the server for the missing ones. */
const productsByIdQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['products', 'listed', ids],
    queryFn: ({ client }) => readProducts(ids, client),
  });

async function readProducts(ids: readonly string[], client: QueryClient): Promise<Products> {
  const onDevice = await import('../../catalog/core/onDevice')
    .then((device) => device.productsOf(ids))
    .catch(() => undefined);
  const known = onDevice?.data ?? none;
  const missing = ids.filter((id) => !known.has(id));
  const results = await Promise.allSettled(missing.map((id) => client.fetchQuery(productQuery(id))));
  const fetched = results.flatMap((each) =>
    each.status === 'fulfilled' ? [[each.value.id, each.value] as const] : [],
  );
  return new Map([...known, ...fetched]);
}

/** @returns the products on sale that are sizes of these, as the device knows them, or else the server */
export function useOtherSizes(gone: readonly Schema<'Product'>[]): readonly Schema<'Product'>[] {
  const inGroups = gone.filter(({ sizeGroup }) => sizeGroup !== undefined);
  const { data = [] } = useQuery({
    queryKey: ['products', 'sizes', inGroups.map(({ id }) => id)],
    queryFn: ({ client }) => readOtherSizes(inGroups, client),
    enabled: inGroups.length > 0,
  });
  return data;
}

async function readOtherSizes(gone: readonly Schema<'Product'>[], client: QueryClient): Promise<Schema<'Product'>[]> {
  const groups = new Set(gone.flatMap(({ sizeGroup }) => sizeGroup ?? []));
  const onDevice = await import('../../catalog/core/onDevice')
    .then((device) => device.productsOfGroups(groups))
    .catch(() => undefined);
  if (onDevice) return onDevice.data;
  const read = (ids: readonly string[]) => Promise.all(ids.map((id) => client.fetchQuery(productQuery(id))));
  const whole = await read(gone.map(({ id }) => id));
  return read(whole.flatMap(({ sizes = [] }) => sizes.map(({ id }) => id)));
}

/** @returns the known products by id, and whether all have been looked up */
export function useProducts(ids: readonly string[]): { products: Products; isKnown: boolean } {
  const {
    data = none,
    isPending,
    isPlaceholderData,
  } = useQuery({
    ...productsByIdQuery(ids),
    placeholderData: (before) => before, // an added product must not make the others flicker
  });
  return { products: data, isKnown: !isPending && !isPlaceholderData };
}
