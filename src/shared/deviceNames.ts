/**
 * The names that stand on people's devices: an earlier build left its data under them, and a tab or a worker of another
 * build listens under them. A changed name would lose the changes that wait there, or let two tabs send at once. Each stands in this file alone. Rule: docs/rules/offline.md, Names that never change
 *
 * They are single constants, because a bundler inlines those: the first page carries no table.
 */

/** IndexedDB, its version, and its stores with their keys and indexes as Dexie reads them. */
export const databaseName = 'shop';
export const databaseVersion = 1;
export const databaseStores = {
  products: 'id',
  categories: 'id',
  about: 'key',
  outbox: '++order, &key, userId',
  orders: 'id, userId',
} as const;
/** Keys of rows in the store `about`. */
export const aboutCatalog = 'catalog';
export const aboutOrders = (userId: string) => `orders:${userId}` as const;

/** IndexedDB of the key that proves a session, and the one row in it. */
export const keyDatabaseName = 'shop-key';
export const keyDatabaseVersion = 1;
export const keyDatabaseStores = { keys: '' } as const;
export const sessionKeyRow = 'session';

/**
 * IndexedDB of what a cook keeps beside the shop. It stands beside `shop`, which stays at its version, so that a tab of
 * an earlier build keeps its outbox. A version never goes down: a device that has it could not open the database.
 */
export const kitchenDatabaseName = 'shop-kitchen';
export const kitchenDatabaseVersion = 3;
export const kitchenDatabaseStores = { lists: 'userId', intents: 'userId', changes: 'key, userId' } as const;

/** Web Locks: the tab that holds one is the only tab that does this work. */
export const outboxLock = 'outbox';
export const catalogFeedLock = 'catalog-feed';
export const sessionRefreshLock = 'session-refresh';
export const owedLogoutLock = 'logout-owed';
export const hiddenBackOfficeLock = 'back office put away';

/** BroadcastChannels between the tabs. */
export const outboxChannel = 'outbox';
export const catalogChannel = 'catalog';
export const sessionChannel = 'session';

/** Keys of localStorage, which the tabs share. */
export const sessionKey = 'root';
/** Stands under it for a moment, so that the other tabs hear of a logout, not only of a session that ended. */
export const loggedOut = '0';
export const owedLogoutKey = 'logout-owed';
export const answersKey = (userId: string) => `answers:${userId}` as const;
export const shopFactsKey = 'shop';
export const savedPartsKey = 'saved';
export const picturesWantedKey = 'pictures-wanted';
export const visitsKey = 'visits';
export const orderSoundKey = 'order-sound';
/** When this device was last in step with the shop, and what it was away from. */
export const inStepKey = 'in-step';

/** A login is to end with the browser: the key says so, and the cookie, which ends with it, that it has not. */
export const endsWithBrowserKey = 'ends-with-browser';
export const browserSessionCookie = '__Host-browser-session';

/** The server sets it with a login by a form without JavaScript, for the app to find: 'remembered' or 'until_closed'. */
export const formLoginCookie = '__Host-form-login';

/** Keys of sessionStorage, which each tab has for itself. */
export const wantedInCartKey = 'wanted-in-cart';
export const reloadedForKey = 'reloaded-for';

/** Cache Storage: small pictures for good, larger ones that were seen, and a test of the space that is left. */
export const keptPicturesCache = 'pictures';
export const seenPicturesCache = 'pictures-seen';
export const trialCache = 'trial';

/** The worker, the tag of Background Sync that wakes the outbox, and the types of messages (worker.ts). */
export const workerPath = '/sw.js';
export const outboxSyncTag = 'outbox';
export const skipWaitingMessage = 'SKIP_WAITING';
export const isCompleteMessage = 'IS_COMPLETE';
export const flushOutboxMessage = 'FLUSH_OUTBOX';
