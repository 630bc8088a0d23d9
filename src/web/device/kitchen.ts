import type { EntityTable } from 'dexie';
import type { Schema } from '../../shared/contract';
import type { NotedChange } from '../../shared/changes';
import {
  kitchenChangesStores,
  kitchenChangesVersion,
  kitchenDatabaseName,
  kitchenDatabaseStores,
  kitchenDatabaseVersion,
  kitchenIntentsStores,
  kitchenIntentsVersion,
} from '../../shared/deviceNames';
import type { Intent } from '../../shared/intent';
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
  declare intents: EntityTable<Intent, 'userId'>;
  declare changes: EntityTable<NotedChange, 'key'>;

  constructor() {
    super(kitchenDatabaseName);
    this.version(kitchenDatabaseVersion).stores(kitchenDatabaseStores);
    this.version(kitchenIntentsVersion).stores(kitchenIntentsStores);
    this.version(kitchenChangesVersion).stores(kitchenChangesStores);
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
export async function forgetIntent({
  userId,
  id,
}: Pick<Intent, 'userId'> & Partial<Pick<Intent, 'id'>>): Promise<void> {
  await kitchen.ready();
  await kitchen.transaction('rw', kitchen.intents, async () => {
    if (id === undefined || (await kitchen.intents.get(userId))?.id === id) await kitchen.intents.delete(userId);
  });
}

/** When the user's session ends. Rule: docs/rules/offline.md, When a session ends by itself */
export async function forgetKitchen(userId: string): Promise<void> {
  const { lists, intents } = await kitchen.ready();
  await Promise.all([lists.delete(userId), intents.delete(userId)]);
}

/** Deletes what is kept of everybody but the signed-in user: a tab may have been killed during a logout. */
export async function sweepKitchen(): Promise<void> {
  const { lists, intents } = await kitchen.ready();
  const userId = session.stored()?.id ?? '';
  await Promise.all([lists, intents].map((table) => table.where('userId').notEqual(userId).delete()));
}
