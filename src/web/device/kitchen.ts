import type { EntityTable } from 'dexie';
import type { Schema } from '../../shared/contract';
import type { NotedChange } from '../../shared/changes';
import {
  inStepKey,
  kitchenDatabaseName,
  kitchenDatabaseStores,
  kitchenDatabaseVersion,
} from '../../shared/deviceNames';
import type { Intent } from '../../shared/intent';
import { readJson, removeText } from '../browser/storage';
import { session } from '../server/session';
import { DeviceDatabase } from './deviceDatabase';

/** The lists of one user, as the server last said them. */
interface SavedLists {
  userId: string;
  lists: readonly Schema<'ProductList'>[];
}

/**
 * What a cook keeps in IndexedDB. It is a database of its own, beside `shop`, whose version an earlier build knows: a tab
 * of that build goes on. Import it where it is needed, as db.ts.
 */
class KitchenDatabase extends DeviceDatabase {
  declare lists: EntityTable<SavedLists, 'userId'>;
  declare intents: EntityTable<Intent, 'userId'>;
  declare changes: EntityTable<NotedChange, 'key'>;

  constructor() {
    super(kitchenDatabaseName);
    this.version(kitchenDatabaseVersion).stores(kitchenDatabaseStores);
  }
}

export const kitchen = new KitchenDatabase();

/** When the user's session ends. Rule: docs/rules/offline.md, When a session ends by itself */
export async function clearKitchen(userId: string): Promise<void> {
  clearStep((of) => of === userId);
  const { lists, intents, changes } = await kitchen.ready();
  await Promise.all([lists.delete(userId), intents.delete(userId), changes.where({ userId }).delete()]);
}

/** Deletes what is kept of everybody but the signed-in user: a tab may have been killed during a logout. */
export async function sweepKitchen(): Promise<void> {
  clearStep((of) => of !== session.stored()?.id);
  const { lists, intents, changes } = await kitchen.ready();
  const userId = session.stored()?.id ?? ''; // somebody may have logged in while the database was opened
  await Promise.all([lists, intents, changes].map((table) => table.where('userId').notEqual(userId).delete()));
}

/** When somebody's device was last in step with the shop: too small for a table. */
function clearStep(isGone: (userId: unknown) => boolean): void {
  const { userId } = (readJson(inStepKey) ?? {}) as { userId?: unknown };
  if (isGone(userId)) removeText(inStepKey);
}
