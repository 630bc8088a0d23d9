import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '../../shared/contract';
import { pageSize } from '../../shared/paging';
import { deviceFirst } from '../catalog/core/deviceFirst';
import { grouped } from '../catalog/core/queries';
import { answer, api } from '../server/client';

const typingMs = 150;

/**
 * The matching products, best first: from the device's own catalog, or from the server while the device has none. The
 * server is asked when typing pauses.
 * @param page from 1
 */
export const foundQuery = (text: string, page: number, size = pageSize) =>
  queryOptions({
    queryKey: ['search', text, page, size],
    queryFn: async ({ signal }) => {
      const found = await searchHere(text, page - 1, size);
      if (found) return found;
      await pause(signal);
      const query = { q: text, page: page - 1, size, sizes: grouped };
      return (await answer(api.GET('/public/search', { params: { query }, signal }))).products;
    },
  });

const popularSize = 2;

/** The bestsellers that are in stock. */
export const popularQuery = queryOptions({
  queryKey: ['products', 'popular'],
  queryFn: deviceFirst(
    (device) => device.bestsellers(popularSize),
    async (signal) => {
      const query = { sort: 'bestsellers', inStock: true, size: popularSize, sizes: grouped } as const;
      return (await answer(api.GET('/public/products', { params: { query }, signal }))).products.content;
    },
  ),
});

async function searchHere(text: string, page: number, size: number): Promise<Schema<'ProductPage'> | undefined> {
  if (typeof indexedDB === 'undefined') return undefined;
  const open = import('./onDevice').then(({ openSearch }) => openSearch());
  return open.then((find) => find?.(text, page, size)).catch(() => undefined); // the chunk failed to load
}

/** @throws if another letter was typed meanwhile */
async function pause(signal: AbortSignal): Promise<void> {
  if (typeof window === 'undefined') return;
  await new Promise((resolve) => setTimeout(resolve, typingMs));
  signal.throwIfAborted();
}
