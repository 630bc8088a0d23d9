import { session } from '../api/session';
import { outbox } from './outbox';
import { savedKey } from './savedKey';

/**
 * Takes what a user left off this device. The service worker keeps nothing of anybody's; the query cache is emptied by
 * whoever follows the session (app/shop.tsx), in every tab.
 */

/** A session that ended: answers go at once, the outbox stays sealed under its user. Source: decisions §2 */
export async function wipeAnswersOf(userId: string): Promise<void> {
  localStorage.removeItem(savedKey(userId));
  const { forgetOrders } = await import('./savedOrders');
  await forgetOrders(userId);
}

/** A logout: everything goes, unsent changes too. @returns when it is gone */
export async function wipeAllOf(userId: string): Promise<void> {
  session.clear(true); // first: from here on no tab keeps anything more of this user
  await Promise.allSettled([outbox.forget(userId), wipeAnswersOf(userId)]);
}
