import type { Schema } from '../../shared/contract';

/**
 * What a visitor wanted to put into the cart before there was a login. It stays in this tab, through login or
 * registration, and is done once. Source: decisions §5
 */
const key = 'wanted-in-cart';

export function keepIntention(item: Schema<'NewCartItem'>): void {
  sessionStorage.setItem(key, JSON.stringify(item));
}

/** @returns what was wanted, the first time it is asked */
export function takeIntention(): Schema<'NewCartItem'> | undefined {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return kept === null ? undefined : (JSON.parse(kept) as Schema<'NewCartItem'>);
}
