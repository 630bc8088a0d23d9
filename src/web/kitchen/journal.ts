/**
 * The journal of what changed in the shop, for the signed-in user: price and offer of products in the cart and in lists,
 * new products, and statuses of orders. It is written by whichever tab hears of the change, before that tab keeps what it
 * heard. Rule: docs/rules/kitchen.md, While you were away
 */
import {
  type Change,
  changeLimits,
  changesOfOrders,
  changesOfProducts,
  type NotedChange,
  recentChanges,
  subjectOf,
} from '../../shared/changes';
import type { Schema } from '../../shared/contract';
import { createEvent } from '../browser/store';
import { personalKey } from '../server/queries';
import { session } from '../server/session';
import { db } from '../device/db';
import type { Journal } from '../device/journal';
import { kitchen } from '../device/kitchen';
import { findSaved } from '../device/saveAnswers';
import { findSavedLists } from '../lists/savedLists';
import { noteStep } from './inStep';

const changed = createEvent();

/** Calls `listener` when this tab changed the journal. @returns how to stop */
export const whenChangesAreNoted = changed.subscribe;

export const journal: Journal = { noteProducts, noteOrders, noteStep };

/** Nothing is noted while nobody is signed in. */
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

/** Notes the orders whose status is not what this device keeps. */
async function noteOrders(...[userId, before, after]: Parameters<Journal['noteOrders']>): Promise<void> {
  const steps = new Map(after.map(({ orderId, timeline }) => [orderId, timeline.length]));
  await note(userId, changesOfOrders(before, after), (change) =>
    change.kind === 'order' ? `${change.to}:${steps.get(change.orderId)}` : '',
  );
}

/** @param place tells the same change, heard again, from a later one of the same thing */
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
    if (session.stored()?.id !== userId) return; // signed out in another tab meanwhile
    await kitchen.changes.bulkPut(noted);
    await clearOld(userId, at);
  });
  changed.notify();
}

/** What is older than 30 days goes, and the oldest when there is too much. */
async function clearOld(userId: string, now: number): Promise<void> {
  const all = await kitchen.changes.where({ userId }).sortBy('at');
  const stay = new Set(recentChanges(all, now).slice(-changeLimits.notes));
  const gone = all.filter((each) => !stay.has(each));
  if (gone.length > 0) await kitchen.changes.bulkDelete(gone.map(({ key }) => key));
}

/** @returns the products in the user's cart and lists as this device knows them, with what waits to be sent */
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

/** An operation names the product itself, or in the item that it adds. */
function productIn(input: { productId?: unknown; item?: { productId?: unknown } }): string[] {
  return [input.productId, input.item?.productId].filter((id) => typeof id === 'string');
}

/** @returns what was noted in the last 30 days, and not dismissed */
export async function readChanges(userId: string): Promise<NotedChange[]> {
  const { changes } = await kitchen.ready();
  return recentChanges(await changes.where({ userId }).toArray(), Date.now());
}

/**
 * Takes changes out of the journal for good.
 * @returns them, for `restoreChanges`
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

/** Puts back what was dismissed, unless its user has signed out meanwhile. */
export async function restoreChanges(dismissed: readonly NotedChange[]): Promise<void> {
  await kitchen.ready();
  await kitchen.transaction('rw', kitchen.changes, async () => {
    const userId = session.stored()?.id;
    await kitchen.changes.bulkPut(dismissed.filter((each) => each.userId === userId));
  });
  changed.notify();
}
