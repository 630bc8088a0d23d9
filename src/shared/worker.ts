/** What the pages and the service worker tell each other. */
export type WorkerMessage =
  /** The waiting worker takes over now; the user asked for it. */
  | { type: 'SKIP_WAITING' }
  /** Answered with true by a worker that has the whole app, with false by one that is to go. */
  | { type: 'IS_COMPLETE' };

/** What the worker tells the pages. */
export type PageMessage =
  /** The browser thinks that there is a connection again (Background Sync): what waits can be sent. */
  { type: 'FLUSH_OUTBOX' };

/** The name under which the outbox asks to be woken. */
export const outboxSyncTag = 'outbox';

/** The page that starts the app at any address: the server sends it, the worker keeps it. */
export const shellPath = '/app-shell';
