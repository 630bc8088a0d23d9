import type { DataOf } from '../../shared/contract';
import { aboutCatalog, catalogChannel, catalogFeedLock } from '../../shared/deviceNames';
import { createChannel } from '../browser/channel';
import { withFreeLock } from '../browser/locks';
import { answer, api } from '../server/client';
import { forgetCatalog } from './catalog';
import { db } from './db';

/**
 * Keeps the device's catalog equal to the server's. The feed gives the changes since a position, and the position is
 * stored in the transaction of its changes, so a tab that dies in between asks for the same part again. The catalog
 * counts as saved once the server says that there are no more changes.
 *
 * One tab at a time asks; the others hear of it and read the database again.
 */
const answersWithinMs = 60_000; // all of a large catalog, on a slow phone

type Changes = DataOf<'getCatalogChanges'>['changes'];

const otherTabs = createChannel<boolean>(catalogChannel);

/**
 * @returns whether something is different from what the pages may show; false as well when another tab is asking already
 * @throws the error of the server's answer, or of the browser's storage
 */
export const syncCatalog = async (): Promise<boolean> => (await withFreeLock(catalogFeedLock, followFeed)) ?? false;

/** Calls `listener` when another tab has asked. @returns how to stop listening */
export const whenSyncedElsewhere = (listener: (isDifferent: boolean) => void): (() => void) =>
  otherTabs.subscribe((isDifferent) => {
    forgetCatalog();
    listener(isDifferent);
  });

async function followFeed(): Promise<boolean> {
  let isDifferent = false;
  for (let more = true; more;) {
    const { about } = await db.ready();
    const since = (await about.get(aboutCatalog))?.cursor ?? 0;
    const signal = AbortSignal.timeout(answersWithinMs);
    const { changes } = await answer(api.GET('/public/catalog/changes', { params: { query: { since } }, signal }));
    await keep(changes);
    isDifferent ||= since > 0 && !isNothing(changes); // at the first visit the page has just been given what it shows
    ({ more } = changes);
  }
  forgetCatalog();
  otherTabs.tell(isDifferent);
  return isDifferent;
}

const isNothing = ({ startOver, categories, products, removedCategoryIds }: Changes): boolean =>
  !startOver && categories.length + products.length + removedCategoryIds.length === 0;

/** Archived products stay, marked as such: orders and old links lead to them. */
async function keep({ next, more, startOver, categories, products, removedCategoryIds }: Changes): Promise<void> {
  await db.transaction('rw', db.about, db.products, db.categories, async () => {
    const before = await db.about.get(aboutCatalog);
    if (startOver) await Promise.all([db.products.clear(), db.categories.clear()]);
    await Promise.all([
      db.products.bulkPut(products),
      db.categories.bulkPut(categories),
      db.categories.bulkDelete(removedCategoryIds),
    ]);
    const savedAt = more ? (startOver ? undefined : before?.savedAt) : Date.now();
    await db.about.put({ key: aboutCatalog, cursor: next, ...(savedAt !== undefined && { savedAt }) });
  });
}
