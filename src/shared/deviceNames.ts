/**
 * Names stored on users' devices. Earlier builds left data under them, and tabs or workers of other builds listen under
 * them. Changing a name would lose unsent changes, or let two tabs send at the same time. Each name appears in this
 * file or in deviceStores.ts only. Rule: docs/rules/offline.md, Names that never change
 *
 * They are separate constants so that the bundler inlines them and the first page carries no table.
 */

/** IndexedDB; its stores are in deviceStores.ts. */
export const databaseName = 'shop';
export const databaseVersion = 1;
/** A key of a row in the store `about`. */
export const aboutCatalog = 'catalog';
export const aboutPages = 'pages';

/** IndexedDB of the key that a session is bound to, and its only row. */
export const keyDatabaseName = 'shop-key';
export const keyDatabaseVersion = 1;
export const sessionKeyRow = 'session';

/**
 * IndexedDB of the kitchen lists. It is separate from `shop`, which stays at its version so that a tab of an earlier
 * build keeps its outbox. Never lower a version: a device that has the higher one could not open the database.
 */
export const kitchenDatabaseName = 'shop-kitchen';
export const kitchenDatabaseVersion = 3;

/** Web Locks: only the tab that holds the lock does the work. */
export const outboxLock = 'outbox';
export const catalogFeedLock = 'catalog-feed';
export const sessionRefreshLock = 'session-refresh';
export const owedLogoutLock = 'logout-owed';
export const hiddenBackOfficeLock = 'back office put away';

/** BroadcastChannels between tabs. */
export const outboxChannel = 'outbox';
export const catalogChannel = 'catalog';
export const sessionChannel = 'session';

/** Keys of localStorage, which all tabs share. */
export const sessionKey = 'root';
/** Stored briefly under `sessionKey`, so that other tabs can tell a logout from an expired session. */
export const loggedOut = '0';
export const owedLogoutKey = 'logout-owed';
export const answersKey = (userId: string) => `answers:${userId}` as const;
export const shopFactsKey = 'shop';
export const savedPartsKey = 'saved';
export const picturesWantedKey = 'pictures-wanted';
export const visitsKey = 'visits';
export const recentSearchesKey = 'recent-searches';
export const orderSoundKey = 'order-sound';
/** What was ticked on the latest pick list. */
export const pickTicksKey = 'pick-ticks';
/** The carrier that staff chose last. */
export const lastCarrierKey = 'last-carrier';
/** When this device was last in sync with the shop, and its state before it was away. */
export const inStepKey = 'in-step';

/** The key marks a login that ends with the browser; the session cookie shows that the browser has not closed since. */
export const endsWithBrowserKey = 'ends-with-browser';
export const browserSessionCookie = '__Host-browser-session';

/** Set by the server on a login without JavaScript, for the app to read: 'remembered' or 'until_closed'. */
export const formLoginCookie = '__Host-form-login';

/** Keys of sessionStorage, separate for each tab. */
export const wantedInCartKey = 'wanted-in-cart';
export const reloadedForKey = 'reloaded-for';
export const payingKey = 'paying';
/** What staff entered on Ship orders and did not save yet. */
export const shippingKey = 'shipping';

/** Cache Storage: small pictures permanently, larger ones once viewed, and a probe of the free space. */
export const keptPicturesCache = 'pictures';
export const seenPicturesCache = 'pictures-seen';
export const trialCache = 'trial';

/** The worker's path, the Background Sync tag that flushes the outbox, and the message types (worker.ts). */
export const workerPath = '/sw.js';
export const outboxSyncTag = 'outbox';
export const skipWaitingMessage = 'SKIP_WAITING';
export const isCompleteMessage = 'IS_COMPLETE';
export const flushOutboxMessage = 'FLUSH_OUTBOX';
