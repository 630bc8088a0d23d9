import type { EntityTable } from 'dexie';
import type { Schema } from '../../shared/contract';
import { kitchenDatabaseName, kitchenDatabaseStores, kitchenDatabaseVersion } from '../../shared/deviceNames';
import { session } from '../server/session';
import { DeviceDatabase } from './deviceDatabase';

/** The lists of one user, as the server last said them. */
interface SavedLists {
  userId: string;
  lists: readonly Schema<'ProductList'>[];
}

/**
 * What a cook keeps in IndexedDB. It is a database of its own, beside `shop`, whose version an earlier release knows: a tab
 * of that release goes on. Import it where it is needed, as db.ts.
 */
class KitchenDatabase extends DeviceDatabase {
  declare lists: EntityTable<SavedLists, 'userId'>;

  constructor() {
    super(kitchenDatabaseName);
    this.version(kitchenDatabaseVersion).stores(kitchenDatabaseStores);
  }
}

export const kitchen = new KitchenDatabase();

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

/** When the user's session ends. Rule: docs/rules/offline.md, When a session ends by itself */
export async function forgetLists(userId: string): Promise<void> {
  const { lists } = await kitchen.ready();
  await lists.delete(userId);
}

/** Deletes the lists of everybody but the signed-in user: a tab may have been killed during a logout. */
export async function sweepLists(): Promise<void> {
  const { lists } = await kitchen.ready();
  await lists
    .where('userId')
    .notEqual(session.stored()?.id ?? '')
    .delete();
}
