/**
 * The journal of changes in the shop, for the signed-in user: prices and availability of products in the cart and in
 * lists, new products, and order statuses. The tab that receives a change writes it here before it saves the new data.
 * Rule: docs/rules/kitchen.md, While you were away
 */
import {
  type Change,
  changeLimits,
  changesOfOrders,
  changesOfProducts,
  type NotedChange,
  recentChanges,
  subjectOf,
} from '../../../shared/changes';
import type { Schema } from '../../../shared/contract';
import { createEvent } from '../../browser/store';
import { personalKey } from '../../server/queries';
import { session } from '../../server/session';
import { db } from '../../device/db';
import type { Journal } from '../../device/journal';
import { kitchen } from '../../device/lists';
import { findSaved } from '../../device/saveAnswers';
import { findSavedLists } from '../core/savedLists';
import { noteStep } from './syncState';

const changed = createEvent();

/** Calls `listener` when this tab changed the journal. @returns a function that unsubscribes */
export const whenChangesAreNoted = changed.subscribe;

export const journal: Journal = { noteProducts, noteOrders, noteStep };

/** Notes nothing without a signed-in user. */
async function noteProducts(...[before, after, since]: Parameters<Journal['noteProducts']>): Promise<void> {
  const userId = session.get()?.id;
  if (userId === undefined) return;
  const watched = await watchedBy(userId);
  const known = new Map(before.flatMap((product) => (product ? [[product.id, product]] : [])));
  await note(
    userId,
    changesOfProducts(known, after, (id) => watched.has(id)),
    () => String(since),
  );
}

/** Notes the orders whose status differs from the one saved on this device. */
async function noteOrders(...[userId, before, after]: Parameters<Journal['noteOrders']>): Promise<void> {
  const steps = new Map(after.map(({ orderId, timeline }) => [orderId, timeline.length]));
  await note(userId, changesOfOrders(before, after), (change) =>
    change.kind === 'order' ? `${change.to}:${steps.get(change.orderId)}` : '',
  );
}

/** @param place distinguishes a repeated report of one change from a later change of the same subject */
async function note(userId: string, changes: readonly Change[], place: (change: Change) => string): Promise<void> {
  if (changes.length === 0) return;
  await kitchen.ready();
  const at = Date.now();
  const noted = changes.map((change): NotedChange => ({
    key: `${userId}:${subjectOf(change)}:${place(change)}`,
    userId,
    at,
    change,
  }));
  await kitchen.transaction('rw', kitchen.changes, async () => {
    if (session.stored()?.id !== userId) return; // another tab has signed out
    await kitchen.changes.bulkPut(noted);
    await clearOld(userId, at);
  });
  changed.notify();
}

/** Deletes changes older than 30 days, and the oldest ones above the limit. */
async function clearOld(userId: string, now: number): Promise<void> {
  const all = await kitchen.changes.where({ userId }).sortBy('at');
  const stay = new Set(recentChanges(all, now).slice(-changeLimits.notes));
  const gone = all.filter((each) => !stay.has(each));
  if (gone.length > 0) await kitchen.changes.bulkDelete(gone.map(({ key }) => key));
}

/** @returns the products in the user's cart and lists as this device knows them, including unsent changes */
async function watchedBy(userId: string): Promise<ReadonlySet<string>> {
  const { outbox } = await db.ready();
  const [cart, lists, unsent] = await Promise.all([
    findSaved<Schema<'Cart'>>([...personalKey(userId), 'cart']),
    findSavedLists(userId),
    outbox.where({ userId }).toArray(),
  ]);
  return new Set([
    ...(cart?.cartItems.map(({ productId }) => productId) ?? []),
    ...(lists?.flatMap(({ items }) => items.map(({ productId }) => productId)) ?? []),
    ...unsent.flatMap(({ input }) => productIn(input)),
  ]);
}

/** An operation has the product's id itself, or in the item it adds. */
function productIn(input: { productId?: unknown; item?: { productId?: unknown } }): string[] {
  return [input.productId, input.item?.productId].filter((id) => typeof id === 'string');
}

/** @returns the changes of the last 30 days that were not dismissed */
export async function readChanges(userId: string): Promise<NotedChange[]> {
  const { changes } = await kitchen.ready();
  return recentChanges(await changes.where({ userId }).toArray(), Date.now());
}

/**
 * Deletes changes from the journal permanently.
 * @returns the deleted changes, for `restoreChanges`
 */
export async function dismissChanges(keys: readonly string[]): Promise<NotedChange[]> {
  const { changes } = await kitchen.ready();
  const dismissed = await kitchen.transaction('rw', changes, async () => {
    const found = await changes.bulkGet([...keys]);
    await changes.bulkDelete([...keys]);
    return found.filter((each) => each !== undefined);
  });
  changed.notify();
  return dismissed;
}

/** Restores dismissed changes unless their user has signed out meanwhile. */
export async function restoreChanges(dismissed: readonly NotedChange[]): Promise<void> {
  await kitchen.ready();
  await kitchen.transaction('rw', kitchen.changes, async () => {
    const userId = session.stored()?.id;
    await kitchen.changes.bulkPut(dismissed.filter((each) => each.userId === userId));
  });
  changed.notify();
}
