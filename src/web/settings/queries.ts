import { queryOptions, useQuery } from '@tanstack/react-query';
import { defaultShop } from '../../shared/brand';
import { answer, api } from '../server/client';
import { shopKey } from './savedShop';

const minuteMs = 60_000;

/** Each page that the server drew brings it along; an open tab asks for it again now and then. */
export const shopQuery = queryOptions({
  queryKey: shopKey,
  queryFn: async ({ signal }) => (await answer(api.GET('/public/shop', { signal }))).shop,
  staleTime: 5 * minuteMs,
});

/** What the owner calls the shop and how to reach the owner; as the shop comes, where that is not known yet. */
export function useShop() {
  const { data = defaultShop } = useQuery(shopQuery);
  return data;
}
