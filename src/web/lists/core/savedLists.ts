import type { Schema } from '../../../shared/contract';
import { kitchen } from '../../device/lists';
import { session } from '../../server/session';

/** @returns the user's lists saved on this device; undefined if they were never saved */
export async function findSavedLists(userId: string): Promise<readonly Schema<'ProductList'>[] | undefined> {
  const { lists } = await kitchen.ready();
  return (await lists.get(userId))?.lists;
}

/** Replaces the user's saved lists, unless the user has signed out in another tab. */
export async function saveLists(userId: string, saved: readonly Schema<'ProductList'>[]): Promise<void> {
  await kitchen.ready();
  await kitchen.transaction('rw', kitchen.lists, async () => {
    if (session.stored()?.id === userId) await kitchen.lists.put({ userId, lists: saved });
  });
}
