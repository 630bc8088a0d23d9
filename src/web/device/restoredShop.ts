import type { QueryClient } from '@tanstack/react-query';
import { answersKey, inStepKey } from '../../shared/deviceNames';
import { aboutOrders } from '../../shared/deviceStores';
import { removeText } from '../browser/storage';
import { createEvent } from '../browser/store';
import { db } from './db';
import { kitchen } from './lists';

/**
 * The shop was restored from a backup: what this device has of it is of another past. The catalog starts over by itself
 * (syncCatalog.ts), the user's saved data here. What the shop never had stays: unsent changes, and an order that waits,
 * which ends with its session. Rule: docs/rules/offline.md, A restored shop
 */
const restored = createEvent();
/** Calls `listener` in every open tab. @returns a function that unsubscribes */
export const whenShopIsRestored = restored.subscribe;
export const notifyRestored = restored.notify;

/** Deletes the user's saved orders, lists, and changes. `readAgain` deletes small responses, which each tab saves. */
export async function deleteSavedData(): Promise<void> {
  removeText(inStepKey);
  await Promise.all([db.ready(), kitchen.ready()]);
  await db.transaction('rw', db.orders, db.about, async () => {
    await db.orders.clear();
    await db.about.where('key').startsWith(aboutOrders('')).delete();
  });
  await kitchen.transaction('rw', kitchen.lists, kitchen.changes, async () => {
    await kitchen.lists.clear();
    await kitchen.changes.clear();
  });
}

/** Reads everything again, in this tab. Forms keep what was typed. */
export function readAgain(cache: QueryClient): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(answersKey(''))) removeText(key);
  void cache.invalidateQueries();
}
