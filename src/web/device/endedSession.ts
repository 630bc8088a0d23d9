import { answersKey, endsWithBrowserKey, sessionKey } from '../../shared/deviceNames';
import { hasEndedWithBrowser } from '../server/browserSession';
import { session } from '../server/session';
import { clearKitchen, sweepKitchen } from './kitchen';
import { clearOrders, sweepOrders } from './orders';

/**
 * Deletes what a login without Remember me left here, after the browser was closed. The outbox stays, sealed under its
 * user. The mark goes last: a page that is closed in between leaves the rest to the next one.
 * Rule: docs/rules/accounts.md, Without Remember me
 */
export async function wipeEndedSession(): Promise<void> {
  const present = answersKey(session.get()?.id ?? ''); // somebody may have logged in meanwhile
  const answers = Object.keys(localStorage).filter((key) => key.startsWith(answersKey('')) && key !== present);
  for (const key of answers) localStorage.removeItem(key);
  if (hasEndedWithBrowser()) localStorage.removeItem(sessionKey);
  await Promise.all([sweepOrders(), sweepKitchen()]);
  if (hasEndedWithBrowser()) localStorage.removeItem(endsWithBrowserKey);
}

/** Deletes what the databases keep of a user, but for the outbox, whose entries stay sealed. */
export const deleteRowsOf = (userId: string) => Promise.all([clearOrders(userId), clearKitchen(userId)]);
