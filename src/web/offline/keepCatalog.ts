import type { QueryClient } from '@tanstack/react-query';
import { keptWidth, pictureFile } from '../../shared/pictures';
import { whenCatalogChanges } from '../api/live';
import { syncCatalog, whenSyncedElsewhere } from './catalogFeed';
import { readCatalog } from './deviceCatalog';
import { savePictures } from './pictures';
import { reachability } from './reachability';
import { saved } from './saved';

/**
 * Brings the catalog and its pictures to this device and keeps them like the server's: at the start, whenever the server
 * says that something changed, and when it can be reached again.
 * @returns how to stop
 */
export function keepCatalog(cache: QueryClient): () => void {
  const refresh = () => void refetch(cache);
  let running: Promise<void> | undefined;
  let isWanted = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sync = () => {
    isWanted = true;
    clearTimeout(timer);
    running ??= run().finally(() => (running = undefined));
  };
  const run = async () => {
    let isDone = true;
    while (isWanted) {
      isWanted = false;
      // without a connection, or where the browser keeps nothing, what is here stays
      const isNew = await syncCatalog().catch(() => undefined);
      if (isNew) refresh();
      isDone = isNew !== undefined;
    }
    if (isDone) keepPicturesToo();
    else tryLater();
  };
  const keepPicturesToo = () =>
    void keepPictures()
      .catch(() => false)
      .then((isDone) => (isDone ? (failures = 0) : tryLater()));
  /** A call that failed is no reason to wait for the next visit, as long as the shop can be reached. */
  const tryLater = () => {
    failures += 1;
    const again = () => (reachability.isOnline() ? sync() : undefined);
    if (failures <= mostTries) timer = setTimeout(again, firstPauseMs * 2 ** failures);
  };
  const stops = [
    whenSyncedElsewhere((isDifferent) => {
      if (isDifferent) refresh();
      keepPicturesToo();
    }),
    whenCatalogChanges(sync),
    reachability.subscribe(() => {
      if (reachability.isOnline()) sync();
    }),
  ];
  sync();
  return () => {
    clearTimeout(timer);
    stops.forEach((stop) => stop());
  };
}

const mostTries = 6;
const firstPauseMs = 1000;

/** What is on the screen is asked for again, the rest when it is shown next. */
async function refetch(cache: QueryClient): Promise<void> {
  const keys = [['products'], ['product'], ['categories'], ['search']];
  await Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));
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
