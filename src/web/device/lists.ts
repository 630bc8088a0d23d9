import type { EntityTable } from 'dexie';
import type { Schema } from '../../shared/contract';
import type { NotedChange } from '../../shared/changes';
import { inStepKey, kitchenDatabaseName, kitchenDatabaseVersion } from '../../shared/deviceNames';
import { kitchenDatabaseStores } from '../../shared/deviceStores';
import type { Intent } from '../../shared/intent';
import { readJson, removeText } from '../browser/storage';
import { session } from '../server/session';
import { DeviceDatabase } from './deviceDatabase';

/** One user's lists, as last received from the server. */
interface SavedLists {
  userId: string;
  lists: readonly Schema<'ProductList'>[];
}

/**
 * A cook's data in IndexedDB. A separate database next to `shop`, whose version an earlier build knows: tabs of that
 * build keep working. Import it dynamically, like db.ts.
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

/** Called when the user's session ends. Rule: docs/rules/offline.md, When a session ends by itself */
export async function clearKitchen(userId: string): Promise<void> {
  clearStep((id) => id === userId);
  const { lists, intents, changes } = await kitchen.ready();
  await Promise.all([lists.delete(userId), intents.delete(userId), changes.where({ userId }).delete()]);
}

/** Deletes the data of everyone except the signed-in user: a tab may have been killed during a logout. */
export async function sweepKitchen(): Promise<void> {
  clearStep((id) => id !== session.stored()?.id);
  const { lists, intents, changes } = await kitchen.ready();
  const userId = session.stored()?.id ?? ''; // a user may have logged in while the database was opening
  await Promise.all([lists, intents, changes].map((table) => table.where('userId').notEqual(userId).delete()));
}

/** The time when a user's device was last in sync with the shop; too small for a table. */
function clearStep(isGone: (userId: unknown) => boolean): void {
  const { userId } = (readJson(inStepKey) ?? {}) as { userId?: unknown };
  if (isGone(userId)) removeText(inStepKey);
}
