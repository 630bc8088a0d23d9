import type { Schema } from '../../shared/contract';
import { wantedInCartKey } from '../../shared/deviceNames';
import { attempt } from '../browser/attempt';
import { newKey } from '../server/keys';

/**
 * What a visitor wanted to put into the cart before there was a login. It stays in this tab, through login or
 * registration, and is done once, for whoever logs in here: anybody else's session ends it. It leaves the tab's storage
 * only when the outbox has it, and goes under one key from the beginning, so that a page that is left in between neither
 * loses nor doubles it: the next page sends it again. Rule: docs/rules/cart.md, A visitor's wish
 */
export interface Intention {
  /** The entry's key in the outbox. */
  key: string;
  item: Schema<'NewCartItem'>;
  /** Whose it is, from the login on. */
  userId?: string;
}

export function saveIntention(item: Schema<'NewCartItem'>): void {
  write([...readIntentions(), { key: newKey(), item }]);
}

/** The visitor has logged in: what was wanted is this user's. Before the session is set, which ends everybody else's. */
export function claimIntentions(userId: string): void {
  const isFree = (each: Intention) => each.userId === undefined || each.userId === userId;
  write(
    readIntentions()
      .filter(isFree)
      .map((each) => ({ ...each, userId })),
  );
}

/** @param userId whose session it is now; only what this user has claimed stays */
export function clearOthersIntentions(userId: string | undefined): void {
  write(readIntentions().filter((each) => each.userId !== undefined && each.userId === userId));
}

export function clearIntention(key: string): void {
  write(readIntentions().filter((each) => each.key !== key));
}

/** An earlier version of the shop noted the items alone, or one alone. Somebody else's data under our key counts as none. */
export function readIntentions(): Intention[] {
  const text = attempt(() => sessionStorage.getItem(wantedInCartKey) ?? '[]');
  if (!text) return unsaved;
  const noted = (attempt(() => JSON.parse(text)) ?? []) as (Intention | Intention['item'])[];
  return [noted].flat().map((each) => ('item' in each ? each : { key: newKey(), item: each }));
}

/** As long as the page lives, where the browser keeps nothing. */
let unsaved: Intention[] = [];

function write(intentions: Intention[]): void {
  unsaved = intentions;
  attempt(() => {
    if (intentions.length > 0) sessionStorage.setItem(wantedInCartKey, JSON.stringify(intentions));
    else sessionStorage.removeItem(wantedInCartKey);
  });
}
