import type { flushOutboxMessage, isCompleteMessage, skipWaitingMessage } from './deviceNames';

/** Messages from a page to the service worker. */
export type WorkerMessage =
  /** Tells the waiting worker to take over now, at the user's request. */
  | { type: typeof skipWaitingMessage }
  /** Asks whether the worker's cache still has all files of the app; the reply is true or false. */
  | { type: typeof isCompleteMessage };

/** Messages from the service worker to the pages. */
export type PageMessage =
  /** The browser is online again (Background Sync): the outbox can be sent. */
  { type: typeof flushOutboxMessage };

/** The shell, which starts the app at any URL: sent by the server and cached by the worker. */
export const shellPath = '/app-shell';
