import type { flushOutboxMessage, isCompleteMessage, skipWaitingMessage } from './deviceNames';

/** Messages from a page to the service worker. */
export type WorkerMessage =
  /** The waiting worker shall take over now, as the user asked for. */
  | { type: typeof skipWaitingMessage }
  /** Asks whether the worker still has all files of the app; the answer is true or false. */
  | { type: typeof isCompleteMessage };

/** Messages from the service worker to the pages. */
export type PageMessage =
  /** The browser reports a connection (Background Sync): the outbox can be sent. */
  { type: typeof flushOutboxMessage };

/** The shell, which starts the app at any URL: the server sends it, the worker keeps it. */
export const shellPath = '/app-shell';
