import type { Schema } from '../../shared/contract';
import { kitchen } from '../device/kitchen';
import { session } from '../server/session';

/** @returns the lists that this device keeps for the user; undefined when it has never heard of them */
export async function findSavedLists(userId: string): Promise<readonly Schema<'ProductList'>[] | undefined> {
  const { lists } = await kitchen.ready();
  return (await lists.get(userId))?.lists;
}

/** Keeps the user's lists in place of those that were here, unless the user has signed out in another tab meanwhile. */
export async function saveLists(userId: string, saved: readonly Schema<'ProductList'>[]): Promise<void> {
  await kitchen.ready();
  await kitchen.transaction('rw', kitchen.lists, async () => {
    if (session.stored()?.id === userId) await kitchen.lists.put({ userId, lists: saved });
  });
}
