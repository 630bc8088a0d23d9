import type { Schema } from '../../shared/contract';

/**
 * What a visitor wanted to put into the cart before there was a login. It stays in this tab, through login or
 * registration, and is done once, for whoever logs in here: anybody else's session ends it. Source: decisions §5
 */
const key = 'wanted-in-cart';

export function keepIntention(item: Schema<'NewCartItem'>): void {
  sessionStorage.setItem(key, JSON.stringify([...readIntentions(), item]));
}

/** @returns what was wanted, the first time it is asked */
export function takeIntentions(): Schema<'NewCartItem'>[] {
  const wanted = readIntentions();
  forgetIntentions();
  return wanted;
}

export function forgetIntentions(): void {
  sessionStorage.removeItem(key);
}

/** A tab that an earlier version of the shop ran in has one alone. */
const readIntentions = () => [JSON.parse(sessionStorage.getItem(key) ?? '[]') as Schema<'NewCartItem'>[]].flat();
