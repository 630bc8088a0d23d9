import type { QueryClient } from '@tanstack/react-query';
import type { Schema } from '../../shared/contract';

/** The shop's name and contact ways among the answers. They are nobody's own, so they stay when a user leaves. */
export const shopKey = ['shop'] as const;
const storageKey = 'shop';

/** Shows what this device last heard, until the page or the server says otherwise, and keeps what they say. */
export function keepShopFacts(cache: QueryClient): void {
  if (typeof window === 'undefined') return;
  const saved = findSaved();
  if (saved) cache.setQueryData(shopKey, saved, { updatedAt: 0 });
  cache.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.query.queryKey[0] !== shopKey[0]) return;
    save(event.query.state.data as Schema<'Shop'>);
  });
}

function findSaved(): Schema<'Shop'> | undefined {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? 'null') ?? undefined;
  } catch {
    return undefined; // the browser keeps nothing, or something else wrote there
  }
}

function save(shop: Schema<'Shop'>): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(shop));
  } catch {
    // a browser that keeps nothing asks again at the next visit
  }
}
