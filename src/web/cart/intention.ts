import type { Schema } from '../../shared/contract';
import { wantedInCartKey } from '../../shared/deviceNames';
import { attempt } from '../browser/attempt';
import { newKey } from '../server/keys';

/**
 * What a visitor added to the cart before logging in. It stays in this tab through login or registration, and is done
 * once, for the user who logs in here; another user's session deletes it. It leaves sessionStorage only when the outbox
 * has it, and has the same key from the start, so leaving the page in between neither loses nor duplicates it: the next
 * page sends it again. Rule: docs/rules/cart.md, Adding before login
 */
export interface Intention {
  /** The entry's key in the outbox. */
  key: string;
  item: Schema<'NewCartItem'>;
  /** The owner, from the login on. */
  userId?: string;
}

export function saveIntention(item: Schema<'NewCartItem'>): void {
  write([...readIntentions(), { key: newKey(), item }]);
}

/**
 * Assigns the visitor's items to the user who logged in. Call it before setting the session, which clears other users'
 * items.
 */
export function claimIntentions(userId: string): void {
  const isFree = (each: Intention) => each.userId === undefined || each.userId === userId;
  write(
    readIntentions()
      .filter(isFree)
      .map((each) => ({ ...each, userId })),
  );
}

/** @param userId the user of the current session; only items that this user claimed stay */
export function clearOthersIntentions(userId: string | undefined): void {
  write(readIntentions().filter((each) => each.userId !== undefined && each.userId === userId));
}

export function clearIntention(key: string): void {
  write(readIntentions().filter((each) => each.key !== key));
}

/** Earlier versions of the shop stored only the items, or a single item. Data that cannot be read counts as none. */
export function readIntentions(): Intention[] {
  const text = attempt(() => sessionStorage.getItem(wantedInCartKey) ?? '[]');
  if (!text) return unsaved;
  const parsed = (attempt(() => JSON.parse(text)) ?? []) as (Intention | Intention['item'])[];
  return [parsed].flat().map((each) => ('item' in each ? each : { key: newKey(), item: each }));
}

/** The fallback if the browser stores nothing; lives as long as the page. */
let unsaved: Intention[] = [];

function write(intentions: Intention[]): void {
  unsaved = intentions;
  attempt(() => {
    if (intentions.length > 0) sessionStorage.setItem(wantedInCartKey, JSON.stringify(intentions));
    else sessionStorage.removeItem(wantedInCartKey);
  });
}
