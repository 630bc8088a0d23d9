import type { QueryClient } from '@tanstack/react-query';
import { shopFactsKey } from '../../shared/deviceNames';
import { readJson, writeJson } from '../browser/storage';

/** The query key of the shop's name and contact details. They aren't personal, so they stay when a user logs out. */
export const shopKey = ['shop'] as const;

/** Shows the values last saved on this device until the page or the server provides newer ones, and saves those. */
export function persistShopFacts(cache: QueryClient): void {
  if (typeof window === 'undefined') return;
  const saved = readJson(shopFactsKey);
  if (saved) cache.setQueryData(shopKey, saved, { updatedAt: 0 });
  cache.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.query.queryKey[0] !== shopKey[0]) return;
    writeJson(shopFactsKey, event.query.state.data);
  });
}
