import type { Intent } from '../../shared/intent';
import { kitchen } from '../device/lists';
import { session } from '../server/session';

/** @returns the user's order that waits on this device for a connection */
export async function findIntent(userId: string): Promise<Intent | undefined> {
  const { intents } = await kitchen.ready();
  return intents.get(userId);
}

/**
 * Saves the order in place of an earlier one, unless its user has logged out in another tab.
 * @param before replaces only this order, which another tab may have canceled
 */
export async function saveIntent(intent: Intent, before?: Intent): Promise<void> {
  await kitchen.ready();
  await kitchen.transaction('rw', kitchen.intents, async () => {
    if (session.stored()?.id !== intent.userId) return;
    if (before && (await kitchen.intents.get(before.userId))?.id !== before.id) return;
    await kitchen.intents.put(intent);
  });
}

/** Deletes the order. @param intent.id only this one, not a later one of the same user; without it, any */
export async function clearIntent({ userId, id }: Pick<Intent, 'userId'> & Partial<Pick<Intent, 'id'>>): Promise<void> {
  await kitchen.ready();
  await kitchen.transaction('rw', kitchen.intents, async () => {
    if (id === undefined || (await kitchen.intents.get(userId))?.id === id) await kitchen.intents.delete(userId);
  });
}
