import type { QueryClient } from '@tanstack/react-query';
import type { OwnChange } from '../../shared/live';
import { createEvent } from '../browser/store';
import { LiveStream } from './liveStream';
import { personalKey, readAnew } from './queries';
import { session } from './session';

/**
 * Changes by other devices, within a moment: the server's stream of events names what to read again, and carries no
 * data. A tab that becomes visible or reconnects reads everything again. Rule: docs/rules/wire.md, Live events
 */
const greeted = createEvent();
const catalogChanged = createEvent();
const ownOrdersChanged = createEvent();
const anyOrderChanged = createEvent<[isPaid: boolean]>();

/** Calls `listener` each time that the server begins a stream: it can be reached. @returns how to stop listening */
export const whenGreeted = greeted.subscribe;

/** Calls `listener` when the catalog changed, or may have while nobody listened. @returns how to stop listening */
export const whenCatalogChanges = catalogChanged.subscribe;

/** Calls `listener` when an order of the user's own changed, or may have while nobody listened. @returns how to stop listening */
export const whenOwnOrdersChange = ownOrdersChanged.subscribe;

/**
 * For staff: calls `listener` when anybody's order changed, or may have while nobody listened; with whether one was paid
 * just now. @returns how to stop listening
 */
export const whenAnyOrderChanges = anyOrderChanged.subscribe;

/** Listens to the server. @returns how to stop */
export function followChanges(cache: QueryClient): () => void {
  if (typeof EventSource === 'undefined') return () => undefined;
  const readAgain = (what: OwnChange) => {
    const userId = session.get()?.id;
    if (userId !== undefined) readAnew(cache, [...personalKey(userId), what]);
  };
  const stream = new LiveStream({
    isHeardWhileHidden: anyOrderChanged.hasListeners,
    greeted: greeted.tell,
    opened(isAgain) {
      readAgain('cart'); // it may have changed between the page's reading and this
      readAgain('orders');
      anyOrderChanged.tell(false);
      if (!isAgain) return;
      catalogChanged.tell();
      ownOrdersChanged.tell();
    },
    events: {
      catalog: () => catalogChanged.tell(),
      cart: () => readAgain('cart'),
      orders() {
        readAgain('orders');
        ownOrdersChanged.tell();
      },
      'admin-orders': ({ isPaid }) => anyOrderChanged.tell(isPaid),
    },
  });
  return stream.start();
}
