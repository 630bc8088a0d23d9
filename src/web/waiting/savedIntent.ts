import type { Intent } from '../../shared/intent';
import { kitchen } from '../device/kitchen';
import { session } from '../server/session';

/** @returns the user's order that waits on this device for a connection */
export async function findIntent(userId: string): Promise<Intent | undefined> {
  const { intents } = await kitchen.ready();
  return intents.get(userId);
}

/**
 * Keeps the order in place of one that waited, unless its user has signed out in another tab meanwhile.
 * @param before it takes the place of this one alone, which another tab may have given up meanwhile
 */
export async function saveIntent(intent: Intent, before?: Intent): Promise<void> {
  await kitchen.ready();
  await kitchen.transaction('rw', kitchen.intents, async () => {
    if (session.stored()?.id !== intent.userId) return;
    if (before && (await kitchen.intents.get(before.userId))?.id !== before.id) return;
    await kitchen.intents.put(intent);
  });
}

/** Gives the order up. @param intent.id of this one: a later one of the same user stays; without it, whichever waits */
export async function clearIntent({ userId, id }: Pick<Intent, 'userId'> & Partial<Pick<Intent, 'id'>>): Promise<void> {
  await kitchen.ready();
  await kitchen.transaction('rw', kitchen.intents, async () => {
    if (id === undefined || (await kitchen.intents.get(userId))?.id === id) await kitchen.intents.delete(userId);
  });
}
