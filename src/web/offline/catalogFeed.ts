import type { DataOf } from '../../shared/contract';
import { answer, api } from '../api/client';
import { openChannel } from '../api/channel';
import { db } from './db';
import { forgetCatalog } from './deviceCatalog';

/**
 * Keeps the device's catalog the same as the server's. The feed tells what changed since a place in it, and the place is
 * kept in the same transaction as what it brought: a tab that dies in between asks for the same part again. The catalog
 * counts as saved once the server has said that there is no more.
 *
 * One tab at a time asks; the others hear of it and read the database again.
 */
const answersWithinMs = 60_000; // all of a large catalog, on a slow phone

type Changes = DataOf<'getCatalogChanges'>['changes'];

/**
 * @returns whether something is different from what the pages may show; false as well when another tab is asking already
 * @throws what kept the server from answering, or the browser from keeping it
 */
export async function syncCatalog(): Promise<boolean> {
  const locks = navigator.locks as LockManager | null | undefined; // absent where the shop is not served securely
  if (!locks) return followFeed();
  return locks.request('catalog-feed', { ifAvailable: true }, (lock) => (lock ? followFeed() : false));
}

/** Calls `listener` when another tab has asked. @returns how to stop listening */
export function whenSyncedElsewhere(listener: (isDifferent: boolean) => void): () => void {
  const onMessage = ({ data: isDifferent }: MessageEvent<boolean>) => {
    forgetCatalog();
    listener(isDifferent);
  };
  otherTabs?.addEventListener('message', onMessage);
  return () => otherTabs?.removeEventListener('message', onMessage);
}

const otherTabs = openChannel('catalog');

async function followFeed(): Promise<boolean> {
  let isDifferent = false;
  for (let more = true; more;) {
    const { about } = await db.ready();
    const since = (await about.get('catalog'))?.cursor ?? 0;
    const signal = AbortSignal.timeout(answersWithinMs);
    const { changes } = await answer(api.GET('/public/catalog/changes', { params: { query: { since } }, signal }));
    await keep(changes);
    isDifferent ||= since > 0 && !isNothing(changes); // at the first visit the page has just been given what it shows
    ({ more } = changes);
  }
  forgetCatalog();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
  otherTabs?.postMessage(isDifferent);
  return isDifferent;
}

const isNothing = ({ startOver, categories, products, removedCategoryIds }: Changes): boolean =>
  !startOver && categories.length + products.length + removedCategoryIds.length === 0;

/** Archived products stay, marked as such: orders and old links lead to them. */
async function keep({ next, more, startOver, categories, products, removedCategoryIds }: Changes): Promise<void> {
  await db.transaction('rw', db.about, db.products, db.categories, async () => {
    const before = await db.about.get('catalog');
    if (startOver) await Promise.all([db.products.clear(), db.categories.clear()]);
    await Promise.all([
      db.products.bulkPut(products),
      db.categories.bulkPut(categories),
      db.categories.bulkDelete(removedCategoryIds),
    ]);
    const savedAt = more ? (startOver ? undefined : before?.savedAt) : Date.now();
    await db.about.put({ key: 'catalog', cursor: next, ...(savedAt !== undefined && { savedAt }) });
  });
}
