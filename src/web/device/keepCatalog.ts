import type { QueryClient } from '@tanstack/react-query';
import { keptWidth, pictureFile } from '../../shared/pictures';
import { stopAll } from '../browser/listen';
import { oneAtATime } from '../browser/oneAtATime';
import { whenCatalogChanges } from '../server/live';
import { reachability } from '../server/reachability';
import { readCatalog } from './catalog';
import { syncCatalog, whenSyncedElsewhere } from './catalogFeed';
import { savePictures } from './pictures';
import { saved } from './saved';

const mostTries = 6;
const firstPauseMs = 1000;

/**
 * Brings the catalog and its pictures to this device and keeps them like the server's: at the start, whenever the server
 * says that something changed, and when it can be reached again.
 * @returns how to stop
 */
export function keepCatalog(cache: QueryClient): () => void {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** A call that failed is no reason to wait for the next visit, as long as the shop can be reached. */
  const tryLater = () => {
    failures += 1;
    if (failures <= mostTries) timer = setTimeout(syncIfOnline, firstPauseMs * 2 ** failures);
  };
  const keepPicturesToo = async () => {
    if (await keepPictures().catch(() => false)) failures = 0;
    else tryLater();
  };
  const sync = oneAtATime(async () => {
    clearTimeout(timer);
    // without a connection, or where the browser keeps nothing, what is here stays
    const isDifferent = await syncCatalog().catch(() => undefined);
    if (isDifferent) showAnew(cache);
    if (isDifferent === undefined) tryLater();
    else void keepPicturesToo();
  });
  const syncIfOnline = () => void (reachability.isOnline() && sync());
  const stopListening = stopAll(
    whenSyncedElsewhere((isDifferent) => {
      if (isDifferent) showAnew(cache);
      void keepPicturesToo();
    }),
    whenCatalogChanges(() => void sync()),
    reachability.subscribe(syncIfOnline),
  );
  void sync();
  return () => {
    clearTimeout(timer);
    stopListening();
  };
}

/** What is on the screen is asked for again, the rest when it is shown next. */
function showAnew(cache: QueryClient): void {
  for (const name of ['products', 'product', 'categories', 'search'])
    void cache.invalidateQueries({ queryKey: [name] });
}

/** Archived products too: they stand in orders. @returns whether they are saved, or wait for the worker */
async function keepPictures(): Promise<boolean> {
  const catalog = await readCatalog();
  if (!catalog) return false;
  saved.set('catalog', true);
  const files = catalog.products.flatMap(({ picture }) => {
    const width = picture?.widths.findLast((each) => each <= keptWidth) ?? picture?.widths[0];
    return picture && width !== undefined ? [pictureFile(picture.base, width, 'avif')] : [];
  });
  return savePictures([...new Set(files)]);
}
