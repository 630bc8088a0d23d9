import type { DBCore, Middleware } from 'dexie';
import { attempt } from './attempt';
import { listen } from './listen';

/**
 * A browser may keep a page that was left, to show it again with "back". WebKit then keeps its transactions too, as they
 * were: every other page waits for their tables for good. So a page that is put away gives its open transactions up, and
 * begins none before it is shown again. Rule: docs/rules/offline.md, Pages that are put away
 */
const open = new Set<IDBTransaction>();
let shown: Promise<void> | undefined;
let timesPutAway = 0;

/** For `use` of a database: knows its transactions. */
export const givenUpWithPage: Middleware<DBCore> = {
  stack: 'dbcore',
  name: 'givenUpWithPage',
  create: (core) => ({
    ...core,
    transaction(...wish) {
      if (shown) throw new DOMException('the page is put away', 'AbortError');
      const begun = core.transaction(...wish) as IDBTransaction; // as Dexie's own core gives it
      open.add(begun);
      for (const end of ['complete', 'abort']) begun.addEventListener(end, () => open.delete(begun));
      return begun;
    },
  }),
};

/** Fulfilled when the page may begin a transaction: at once, unless it is put away. */
export const whenShown = async (): Promise<void> => shown;

/** Does the work, and does it anew when the page was put away in the middle of it. @throws what the work throws */
export async function untilShown<T>(work: () => PromiseLike<T>): Promise<T> {
  const before = timesPutAway;
  try {
    return await work();
  } catch (error) {
    if (timesPutAway === before) throw error;
    await shown;
    return untilShown(work);
  }
}

function putAway({ persisted }: PageTransitionEvent): void {
  if (!persisted || shown) return; // a page that is gone for good takes its transactions with it
  timesPutAway += 1;
  shown = new Promise((resolve) => {
    const stop = listen(window, 'pageshow', () => {
      stop();
      shown = undefined;
      resolve();
    });
  });
  for (const transaction of open) attempt(() => transaction.abort()); // one may be at its end already
}

listen(globalThis.window, 'pagehide', putAway); // tests of the outbox run it in Node, which has no window
