import { answersKey, endsWithBrowserKey, recentSearchesKey, sessionKey, shippingKey } from '../../shared/deviceNames';
import { attempt } from '../browser/attempt';
import { hasEndedWithBrowser } from '../server/browserSession';
import { session } from '../server/session';
import { clearKitchen, sweepKitchen } from './lists';
import { clearOrders, sweepOrders } from './orders';

/**
 * Deletes the data of a login without Remember me after the browser was closed. The outbox stays, sealed for its user.
 * The mark is deleted last: if the page is closed in between, the next one continues.
 * Rule: docs/rules/accounts.md, Without Remember me
 */
export async function wipeEndedSession(): Promise<void> {
  const present = answersKey(session.get()?.id ?? ''); // a user may have logged in meanwhile
  const answers = Object.keys(localStorage).filter((key) => key.startsWith(answersKey('')) && key !== present);
  for (const key of answers) localStorage.removeItem(key);
  if (hasEndedWithBrowser()) {
    localStorage.removeItem(sessionKey);
    localStorage.removeItem(recentSearchesKey);
  }
  await Promise.all([sweepOrders(), sweepKitchen()]);
  if (hasEndedWithBrowser()) localStorage.removeItem(endsWithBrowserKey);
}

/** Deletes a user's data, except for the outbox, whose entries stay sealed. */
export function deleteRowsOf(userId: string) {
  localStorage.removeItem(recentSearchesKey);
  attempt(() => sessionStorage.removeItem(shippingKey));
  return Promise.all([clearOrders(userId), clearKitchen(userId)]);
}
