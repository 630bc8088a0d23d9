import type { QueryClient } from '@tanstack/react-query';
import type { LiveData, OwnChange } from '../../shared/live';
import { outbox } from '../offline/outbox';
import { reachability } from '../offline/reachability';
import { renewSession } from './client';
import { personalKey } from './queryClient';
import { readAnew } from './readAnew';
import { session } from './session';

/**
 * What other devices changed, within a moment: the server's stream of events says what to read again, and never what it
 * is now. It is open while the tab is looked at; one that is put away for long closes it, since a browser opens six
 * connections to a shop over HTTP/1.1, for all its tabs. Whoever comes back, or connects again, reads anew. Of the back
 * offices that are put away one keeps it, the one that holds the lock: a new order is to be heard.
 * Source: decisions §5
 */
const closedAfterHiddenMs = 30_000;
const watchLock = 'back office put away';
const firstRetryMs = 1000;
const maxRetryMs = 60_000;

const catalogListeners = new Set<() => void>();

/** Calls `listener` when the catalog changed, or may have while nobody listened. @returns how to stop listening */
export function whenCatalogChanges(listener: () => void): () => void {
  catalogListeners.add(listener);
  return () => void catalogListeners.delete(listener);
}

const ownOrderListeners = new Set<() => void>();

/** Calls `listener` when an order of the user's own changed, or may have while nobody listened. @returns how to stop listening */
export function whenOwnOrdersChange(listener: () => void): () => void {
  ownOrderListeners.add(listener);
  return () => void ownOrderListeners.delete(listener);
}

const orderListeners = new Set<(isPaid: boolean) => void>();

/**
 * For staff: calls `listener` when anybody's order changed, or may have while nobody listened; with whether one was paid
 * just now. @returns how to stop listening
 */
export function whenAnyOrderChanges(listener: (isPaid: boolean) => void): () => void {
  orderListeners.add(listener);
  return () => void orderListeners.delete(listener);
}

/** Listens to the server. @returns how to stop */
export function followChanges(cache: QueryClient): () => void {
  if (typeof EventSource === 'undefined') return () => undefined;
  let stream: EventSource | undefined;
  let userId = session.get()?.id;
  let failures = 0;
  let wasOpen = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let hide: ReturnType<typeof setTimeout> | undefined;
  let isWatching = false;
  let endWatch = () => undefined as void;

  const onOwnOrders = () => ownOrderListeners.forEach((tell) => tell());
  const onCatalog = () => catalogListeners.forEach((tell) => tell());
  const onAnyOrder = (isPaid: boolean) => orderListeners.forEach((tell) => tell(isPaid));
  const readAgain = (what: OwnChange) => {
    if (userId !== undefined) readAnew(cache, [...personalKey(userId), what]);
  };

  async function open(): Promise<void> {
    close();
    if (document.visibilityState === 'hidden' && !isWatching) return;
    // a logout that is owed goes before anything that carries the cookie
    if (!(await reachability.probe())) return reopenLater();
    close(); // another call may have opened one meanwhile
    stream = new EventSource('/api/public/events', { withCredentials: true });
    stream.addEventListener('hello', (event) => greet(event as MessageEvent<string>));
    stream.addEventListener('catalog', onCatalog);
    stream.addEventListener('cart', () => readAgain('cart'));
    stream.addEventListener('orders', () => {
      readAgain('orders');
      onOwnOrders();
    });
    stream.addEventListener('admin-orders', ({ data }: MessageEvent<string>) =>
      onAnyOrder((JSON.parse(data) as LiveData['admin-orders']).isPaid),
    );
    stream.addEventListener('error', reopenLater);
  }

  function greet({ data }: MessageEvent<string>): void {
    const hello = JSON.parse(data) as LiveData['hello'];
    reachability.sawAnswer();
    void outbox.flush();
    // the access cookie lives 15 minutes: a stream that opens after that hears nothing of the user's
    if (userId !== undefined && hello.userId !== userId) {
      failures += 1;
      if (failures > 3) return;
      return void renewSession().then(open, reopenLater);
    }
    failures = 0;
    readAgain('cart'); // it may have changed between the page's reading and this
    readAgain('orders');
    onAnyOrder(false);
    if (wasOpen) {
      onCatalog();
      onOwnOrders();
    }
    wasOpen = true;
  }

  function reopenLater(): void {
    close();
    failures += 1;
    const longestMs = Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1));
    retry = setTimeout(() => void open(), longestMs * (0.5 + Math.random() / 2));
  }

  function close(): void {
    clearTimeout(retry);
    stream?.close();
    stream = undefined;
  }

  function watch(): void {
    const locks = navigator.locks as LockManager | null | undefined; // absent where the shop is not served securely
    const over = new AbortController();
    endWatch = () => over.abort();
    const work = () =>
      new Promise<void>((done) => {
        isWatching = true;
        over.signal.addEventListener('abort', () => {
          isWatching = false;
          done();
        });
        if (!stream) void open();
      });
    // where it is looked at before its turn comes, nothing has to be done
    if (locks) void locks.request(watchLock, { signal: over.signal }, work).catch(() => undefined);
    else void work();
  }

  const followVisibility = () => {
    clearTimeout(hide);
    endWatch();
    if (document.visibilityState === 'hidden') {
      hide = setTimeout(() => isWatching || close(), closedAfterHiddenMs);
      if (orderListeners.size > 0) watch();
    } else if (!stream) void open();
  };
  const followUser = () => {
    if (session.get()?.id === userId) return;
    userId = session.get()?.id;
    failures = 0;
    void open();
  };
  const stopUser = session.subscribe(followUser);
  const stopReachability = reachability.subscribe(() => {
    if (reachability.isOnline() && !stream) void open();
  });
  document.addEventListener('visibilitychange', followVisibility);
  void open();
  return () => {
    stopUser();
    stopReachability();
    document.removeEventListener('visibilitychange', followVisibility);
    clearTimeout(hide);
    endWatch();
    close();
  };
}
