import type { QueryClient } from '@tanstack/react-query';
import type { DataOf } from '../../shared/contract';
import { aboutCatalog, catalogChannel, catalogFeedLock } from '../../shared/deviceNames';
import { offlineWidth } from '../../shared/pictures';
import { createChannel } from '../browser/channel';
import { stopAll } from '../browser/listen';
import { withFreeLock } from '../browser/locks';
import { oneAtATime } from '../browser/oneAtATime';
import { answer, api } from '../server/client';
import { whenCatalogChanges } from '../server/live';
import { reachability } from '../server/reachability';
import { clearCatalog, readCatalog } from './catalog';
import { db } from './db';
import type { Journal } from './journal';
import { syncPages, whenPagesChange } from './pages';
import { savePictures, type SmallPicture } from './pictures';
import { mayFetchPictures, whenFetchingChanges } from './picturesWanted';
import { deleteSavedData, notifyRestored, readAgain, whenShopIsRestored } from './restoredShop';
import { saved } from './saved';
import { asStored } from './storedProduct';

/**
 * The change feed returns the changes since a position, which is stored in the same transaction as the changes, so a
 * tab that crashes in between fetches the same part again. The catalog counts as saved once the server says that there
 * are no more changes. One tab at a time fetches; the others are notified and read the database again.
 */
const otherTabs = createChannel<boolean | typeof isRestored>(catalogChannel);
/** Tabs of earlier builds read the catalog again. */
const isRestored = 'restored';

const maxAttempts = 6;
const firstDelayMs = 1000;

/**
 * Saves the catalog and its pictures on this device and keeps them in sync: at start, whenever the server reports a
 * change, and when the shop becomes reachable again.
 * @returns a function that stops it
 */
export function followCatalog(cache: QueryClient, journal: Journal): () => void {
  let failures = 0;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Retries during this visit, as long as the shop is reachable. */
  const tryLater = () => {
    failures += 1;
    clearTimeout(timer); // the catalog and its pictures may fail one after the other
    if (!isStopped && failures <= maxAttempts) timer = setTimeout(syncIfOnline, firstDelayMs * 2 ** failures);
  };
  const syncPicturesToo = async () => {
    if (await syncPictures().catch(() => false)) failures = 0;
    else tryLater();
  };
  const sync = oneAtATime(async () => {
    clearTimeout(timer);
    // on failure (offline, or no storage) the saved catalog stays
    const isDifferent = await syncCatalog(journal).catch(() => undefined);
    if (isDifferent) refetchShown(cache);
    if (isDifferent !== undefined) void syncPicturesToo();
    else {
      tryLater();
      if (!mayFetchPictures()) void syncPictures().catch(() => undefined); // updates the status only
    }
  });
  const syncIfOnline = () => void (reachability.isOnline() && sync());
  void sync();
  return stopAll(
    () => {
      isStopped = true; // a call or picture in flight may still fail
      clearTimeout(timer);
    },
    otherTabs.subscribe((isDifferent) => {
      if (isDifferent === isRestored) return notifyRestored();
      clearCatalog();
      if (isDifferent) refetchShown(cache);
      void syncPicturesToo();
    }),
    whenCatalogChanges(() => void sync()),
    whenShopIsRestored(() => readAgain(cache)),
    whenPagesChange(() => {
      for (const queryKey of [['page'], ['shop']]) void cache.invalidateQueries({ queryKey });
    }),
    whenFetchingChanges(() => void syncPicturesToo()),
    reachability.subscribe(syncIfOnline),
  );
}

/** Refetches what is on the screen now, the rest when it is next shown. */
function refetchShown(cache: QueryClient): void {
  for (const name of ['products', 'product', 'categories', 'search', 'page'])
    void cache.invalidateQueries({ queryKey: [name] });
}

/** Includes archived products, which appear in orders. @returns false when a later attempt may succeed */
async function syncPictures(): Promise<boolean> {
  const catalog = await readCatalog();
  if (!catalog) return false;
  saved.set('catalog', true);
  const pictures = new Map<string, SmallPicture>(); // several products may share a picture
  for (const { picture } of catalog.products) {
    const width = picture?.widths.findLast((each) => each <= offlineWidth) ?? picture?.widths[0];
    if (picture && width !== undefined)
      pictures.set(picture.base, { base: picture.base, width, bytes: picture.keptBytes });
  }
  return savePictures([...pictures.values()]);
}

/**
 * @returns whether the pages' data may have changed; also false when another tab is already fetching
 * @throws the error of the server or the browser's storage
 */
export const syncCatalog = async (journal: Journal): Promise<boolean> =>
  (await withFreeLock(catalogFeedLock, () => followFeed(journal))) ?? false;

const timeoutMs = 60_000; // enough for a large catalog on a slow phone

type Changes = DataOf<'getCatalogChanges'>['changes'];

async function followFeed(journal: Journal): Promise<boolean> {
  let isDifferent = false;
  for (let more = true; more;) {
    const { about } = await db.ready();
    const since = (await about.get(aboutCatalog))?.cursor ?? 0;
    const signal = AbortSignal.timeout(timeoutMs);
    const { changes } = await answer(api.GET('/public/catalog/changes', { params: { query: { since } }, signal }));
    if (since > 0 && changes.startOver) await startOver();
    await noteChanged(journal, changes, since);
    await saveChanges(changes);
    isDifferent ||= since > 0 && !isEmpty(changes); // on the first visit the page already has this data
    ({ more } = changes);
    // without them, the catalog is complete, and the next answer names them again
    if (!more && changes.pages) await syncPages(changes.pages).catch(() => undefined);
  }
  clearCatalog();
  otherTabs.notify(isDifferent);
  journal.noteStep('catalog');
  return isDifferent;
}

const isEmpty = ({ startOver, categories, products, removedCategoryIds }: Changes): boolean =>
  !startOver && categories.length + products.length + removedCategoryIds.length === 0;

/** Called before the new position is saved: if the tab crashes in between, the next one starts over too. */
async function startOver(): Promise<void> {
  await deleteSavedData();
  otherTabs.notify(isRestored);
  notifyRestored();
}

/**
 * Called before the products are saved: if the tab crashes in between, the same changes come again, and are recorded
 * once. Nothing can be compared at the first visit, and while a device starts over.
 */
async function noteChanged(journal: Journal, { startOver, products }: Changes, since: number): Promise<void> {
  const { about, products: savedProducts } = await db.ready();
  if (startOver || products.length === 0 || (await about.get(aboutCatalog))?.savedAt === undefined) return;
  const before = await savedProducts.bulkGet(products.map(({ id }) => id));
  await journal.noteProducts(before, products, since).catch(() => undefined); // only the report is lost
}

/** Archived products stay, marked as such: orders and old links refer to them. */
async function saveChanges({
  next,
  more,
  startOver,
  categories,
  products,
  removedCategoryIds,
}: Changes): Promise<void> {
  await db.transaction('rw', db.about, db.products, db.categories, async () => {
    const before = await db.about.get(aboutCatalog);
    if (startOver) await Promise.all([db.products.clear(), db.categories.clear()]);
    await Promise.all([
      db.products.bulkPut(products.map(asStored)),
      db.categories.bulkPut(categories),
      db.categories.bulkDelete(removedCategoryIds),
    ]);
    const savedAt = more ? (startOver ? undefined : before?.savedAt) : Date.now();
    await db.about.put({ key: aboutCatalog, cursor: next, ...(savedAt !== undefined && { savedAt }) });
  });
}
