import type { DBCore, Middleware } from 'dexie';
import { attempt } from './attempt';
import { listen } from './listen';

/**
 * A browser may keep a page in its back/forward cache. WebKit then keeps the page's IndexedDB transactions open too,
 * which blocks their tables for all other pages indefinitely. So a page that enters that cache aborts its open
 * transactions, and starts none until it is shown again. Rule: docs/rules/offline.md, Suspended pages
 */
const open = new Set<IDBTransaction>();
let shown: Promise<void> | undefined;
let timesHidden = 0;

/** Dexie middleware (`database.use`) that tracks open transactions. */
export const abortedWithPage: Middleware<DBCore> = {
  stack: 'dbcore',
  name: 'givenUpWithPage',
  create: (core) => ({
    ...core,
    transaction(...args) {
      if (shown) throw new DOMException('the page is put away', 'AbortError');
      const transaction = core.transaction(...args) as IDBTransaction; // Dexie's core returns the native transaction
      open.add(transaction);
      for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => open.delete(transaction));
      return transaction;
    },
  }),
};

/** Resolves when the page may start a transaction: immediately, unless it is in the back/forward cache. */
export const whenShown = async (): Promise<void> => shown;

/** Runs the work, and again if the page entered the back/forward cache meanwhile. @throws the work's error */
export async function retryWhenShown<T>(work: () => PromiseLike<T>): Promise<T> {
  const before = timesHidden;
  try {
    return await work();
  } catch (error) {
    if (timesHidden === before) throw error;
    await shown;
    return retryWhenShown(work);
  }
}

function onPageHide({ persisted }: PageTransitionEvent): void {
  if (!persisted || shown) return; // a discarded page takes its transactions with it
  timesHidden += 1;
  shown = new Promise((resolve) => {
    const stop = listen(window, 'pageshow', () => {
      stop();
      shown = undefined;
      resolve();
    });
  });
  for (const transaction of open) attempt(() => transaction.abort()); // one may be finished already
}

listen(globalThis.window, 'pagehide', onPageHide); // the outbox tests run in Node, which has no window
