import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as names from '../../src/shared/deviceNames';
import * as stores from '../../src/shared/deviceStores';

/**
 * Data of an earlier build on a device, and channels of its tabs and its worker, are found by these names. Never change
 * a value below; add new names.
 */
const onDevices = {
  databaseName: 'shop',
  databaseVersion: 1,
  databaseStores: {
    products: 'id',
    categories: 'id',
    about: 'key',
    outbox: '++order, &key, userId',
    orders: 'id, userId',
  },
  aboutCatalog: 'catalog',
  aboutPages: 'pages',
  aboutOrders: 'orders:ana',
  keyDatabaseName: 'shop-key',
  keyDatabaseVersion: 1,
  keyDatabaseStores: { keys: '' },
  sessionKeyRow: 'session',
  kitchenDatabaseName: 'shop-kitchen',
  kitchenDatabaseVersion: 3,
  kitchenDatabaseStores: { lists: 'userId', intents: 'userId', changes: 'key, userId' },
  outboxLock: 'outbox',
  catalogFeedLock: 'catalog-feed',
  sessionRefreshLock: 'session-refresh',
  owedLogoutLock: 'logout-owed',
  hiddenBackOfficeLock: 'back office put away',
  outboxChannel: 'outbox',
  catalogChannel: 'catalog',
  sessionChannel: 'session',
  sessionKey: 'root',
  loggedOut: '0',
  owedLogoutKey: 'logout-owed',
  answersKey: 'answers:ana',
  shopFactsKey: 'shop',
  savedPartsKey: 'saved',
  picturesWantedKey: 'pictures-wanted',
  visitsKey: 'visits',
  recentSearchesKey: 'recent-searches',
  orderSoundKey: 'order-sound',
  pickTicksKey: 'pick-ticks',
  lastCarrierKey: 'last-carrier',
  inStepKey: 'in-step',
  endsWithBrowserKey: 'ends-with-browser',
  browserSessionCookie: '__Host-browser-session',
  formLoginCookie: '__Host-form-login',
  wantedInCartKey: 'wanted-in-cart',
  reloadedForKey: 'reloaded-for',
  payingKey: 'paying',
  shippingKey: 'shipping',
  keptPicturesCache: 'pictures',
  seenPicturesCache: 'pictures-seen',
  trialCache: 'trial',
  workerPath: '/sw.js',
  outboxSyncTag: 'outbox',
  skipWaitingMessage: 'SKIP_WAITING',
  isCompleteMessage: 'IS_COMPLETE',
  flushOutboxMessage: 'FLUSH_OUTBOX',
};

test('the names on users’ devices never change', () => {
  const written = Object.entries({ ...names, ...stores }).map(([name, value]) => [
    name,
    typeof value === 'function' ? value('ana') : value,
  ]);
  expect(Object.fromEntries(written)).toEqual(onDevices);
});

/** Where a name goes into the browser, or into a function of ours that passes it on. */
const calls = [
  /\b(?<!wakeLock\.)(?:request|inTurn|withLock|hold|tryLock)\(\s*([^,)\s]+)/g,
  /\b(?:new BroadcastChannel|openChannel|createChannel(?:<[^(]*>)?)\(\s*([^,)\s]+)/g,
  /\b(?:withLock|withFreeLock)\(\s*([^,)\s]+)/g,
  /\b(?:getItem|setItem|removeItem|readText|readJson|writeText|writeJson)\(\s*([^,)\s]+)/g,
  /\bcaches\s*\.(?:open|delete|has|match)\(\s*([^,)\s]+)/g,
  /\bcacheName:\s*([^,}\s]+)/g,
  /\bindexedDB\s*\.(?:open|deleteDatabase)\(\s*([^,)\s]+)/g,
  /\bDexie\.(?:delete|exists)\(\s*([^,)\s]+)/g,
  /\bsuper\(\s*(['"`a-z][^,)\s]*)/g,
  /\bversion\(\s*([^,)\s]+)/g,
  /\bsync\??\.register\(\s*([^,)\s]+)/g,
  /\bnew Workbox\(\s*([^,)\s]+)/g,
  /\btype:\s*('[A-Z_]+')/g,
  /\btype === ('[A-Z_]+')/g,
];

const isLiteral = (text: string) => /^['"`\d]/.test(text);

/** @returns the literals that `source` passes to a call, inline or in a constant of the same file */
function literalsIn(source: string): string[] {
  return calls.flatMap((call) =>
    [...source.matchAll(call)].flatMap(([, argument = '']) => {
      if (isLiteral(argument)) return [argument];
      const constant = new RegExp(`\\bconst ${argument.replace(/\W/g, '')} = (['"\`\\d][^;\\n]*)`).exec(source);
      return constant?.[1] ? [constant[1]] : [];
    }),
  );
}

test.each([
  `navigator.locks.request('outbox', work)`,
  `const key = 'root';\nlocalStorage.getItem(key)`,
  'localStorage.setItem(`answers:${userId}`, text)',
  `new BroadcastChannel("catalog")`,
  `createChannel<Message>('catalog')`,
  `withFreeLock('outbox', work)`,
  `readJson('root')`,
  `caches.open('pictures')`,
  `this.version(2).stores({})`,
  `worker.postMessage({ type: 'SKIP_WAITING' })`,
])('an inline name is found: %s', (source) => expect(literalsIn(source)).toHaveLength(1));

test('no other file of the pages or of the worker has such a name inline', () => {
  const files = ['src/web', 'src/shared', 'sw']
    .flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }).map((file) => path.join(room, file)))
    .filter((file) => /\.tsx?$/.test(file) && !/device(?:Names|Stores)\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => literalsIn(readFileSync(file, 'utf8')).map((name) => `${file} ${name}`));
  expect(found).toEqual([]);
});
