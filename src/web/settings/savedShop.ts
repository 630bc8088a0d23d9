import type { QueryClient } from '@tanstack/react-query';
import { shopFactsKey } from '../../shared/deviceNames';
import { readJson, writeJson } from '../browser/storage';

/** The shop's name and contact ways among the answers. They are nobody's own, so they stay when a user leaves. */
export const shopKey = ['shop'] as const;

/** Shows what this device last heard, until the page or the server says otherwise, and keeps what they say. */
export function keepShopFacts(cache: QueryClient): void {
  if (typeof window === 'undefined') return;
  const saved = readJson(shopFactsKey);
  if (saved) cache.setQueryData(shopKey, saved, { updatedAt: 0 });
  cache.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.query.queryKey[0] !== shopKey[0]) return;
    writeJson(shopFactsKey, event.query.state.data);
  });
}
