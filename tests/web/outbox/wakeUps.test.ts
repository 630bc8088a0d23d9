/** What wakes the outbox without Background Sync, as on an iPhone: this browser has none. */
import { outbox } from '../../../src/web/outbox/outbox';
import { IDBObjectStore } from 'fake-indexeddb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queuedMessages } from '../../../src/shared/outbox';
import { db } from '../../../src/web/device/db';
import { reachability } from '../../../src/web/server/reachability';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { openTab, press, see, type Tab, until, waiting } from '../openTab';
import { cartsOf, sentOut } from './cartChanges';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
beforeEach(() => db.outbox.clear());
afterEach(() => {
  vi.restoreAllMocks();
  tab.close();
});
afterAll(() => shop.close());

const { unitsOf, addTo } = cartsOf(() => shop);

/** The outbox also retries by itself, after a second and then less often: here these pauses do not end. */
function endPausesNever(ofAtLeastMs = 500): void {
  const begin = setTimeout;
  const slowly = (work: () => void, ms = 0, ...args: []) => begin(work, ms < ofAtLeastMs ? ms : ms * 1000, ...args);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(slowly);
}

/** A customer who pressed plus without a connection. */
async function personWhoWaits(): Promise<Person> {
  endPausesNever();
  const ana = await shop.signIn();
  await addTo(ana, await shop.stock({ name: 'Pepper' }));
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  tab.network.isDown = true;
  await press('Increase');
  await see(queuedMessages.offline);
  await until(() => !reachability.isOnline());
  return ana;
}

test.each([
  ['the browser has a network again', () => window.dispatchEvent(new Event('online'))],
  ['the page gets the focus', () => window.dispatchEvent(new Event('focus'))],
  ['the page is seen again', () => document.dispatchEvent(new Event('visibilitychange'))],
])('without Background Sync, waiting changes are sent when %s', async (_, happens) => {
  expect(navigator.serviceWorker).toBeUndefined();
  const ana = await personWhoWaits();
  tab.network.isDown = false;
  happens();
  await sentOut(ana);
  expect(await unitsOf(ana)).toEqual({ Pepper: 2 });
});

test('without Background Sync, waiting changes are sent when the shop is opened the next time', async () => {
  const ana = await personWhoWaits();
  tab.close();
  tab.network.isDown = false;
  tab = openTab(shop, '/contact', { after: tab, as: ana });
  await vi.waitFor(async () => expect(await unitsOf(ana)).toEqual({ Pepper: 2 }), waiting);
});

test('a change is stored although the browser has closed its database, as WebKit does to a background page', async () => {
  const ana = await shop.signIn();
  await addTo(ana, await shop.stock({ name: 'Pepper' }));
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  tab.network.isDown = true;
  db.backendDB().close(); // bypasses Dexie, which believes it is open
  await press('Increase');
  await see(queuedMessages.offline);
  expect(await db.outbox.count()).toBe(1);
});

test('a change is stored although the database is closed while it is written', async () => {
  const ana = await shop.signIn();
  await addTo(ana, await shop.stock({ name: 'Pepper' }));
  tab = openTab(shop, '/cart', { as: ana });
  await see('Pepper');
  tab.network.isDown = true;
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
    db.backendDB().close();
    throw new DOMException('Connection to Indexed Database server lost. Refresh the page to try again', 'UnknownError');
  });
  await press('Increase');
  await see(queuedMessages.offline);
  expect(await db.outbox.count()).toBe(1);
});

test('a press that waits for more presses is sent when the page is hidden', async () => {
  const ana = await shop.signIn();
  const pepper = await shop.stock({ name: 'Pepper' });
  tab = openTab(shop, '/contact', { as: ana });
  await see('Ask us about a spice');
  await outbox.read();
  endPausesNever(400);
  const item = { productId: pepper.id, name: 'Pepper', quantity: 1 };
  for (const _ of [1, 2]) {
    const press = { key: crypto.randomUUID(), wasSent: false, mayGrow: true };
    void outbox.send('addCartItem', { userId: ana.userId, item }, press);
  }
  await until(() => outbox.waiting(ana.userId).length === 1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await unitsOf(ana)).toEqual({});
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(async () => expect(await unitsOf(ana)).toEqual({ Pepper: 2 }), waiting);
});
