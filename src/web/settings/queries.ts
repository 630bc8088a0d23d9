import { queryOptions, useQuery } from '@tanstack/react-query';
import { defaultShop } from '../../shared/brand';
import { answer, api } from '../server/client';
import { shopKey } from './savedShop';

const minuteMs = 60_000;

/** Every server-rendered page includes this data; an open tab refetches it now and then. */
export const shopQuery = queryOptions({
  queryKey: shopKey,
  queryFn: async ({ signal }) => (await answer(api.GET('/public/shop', { signal }))).shop,
  staleTime: 5 * minuteMs,
});

/** The shop's name and contact details; defaults until they are loaded. */
export function useShop() {
  const { data = defaultShop } = useQuery(shopQuery);
  return data;
}
