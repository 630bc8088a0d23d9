import { Dexie } from 'dexie';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { outboxMessages } from '../../../src/shared/outbox';
import { ShopDatabase } from '../../../src/web/device/db';
import { outbox } from '../../../src/web/outbox/outbox';
import { openShop, type TestShop } from '../../support/shop';
import { openTab, see, type Tab } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => {
  vi.resetModules(); // this page no longer stores anything: the next file gets a new one
  return shop.close();
});

test('a tab closes the database when a newer version of the shop needs it, and loses nothing', async () => {
  const ana = await shop.signIn();
  tab = openTab(shop, '/', { as: ana });
  tab.network.isDown = true;
  const old = new ShopDatabase();
  await old.ready();
  await old.outbox.clear();
  await outbox.send('clearCart', { userId: ana.userId });
  const newer = new Dexie('shop');
  newer.version(2).stores({ outbox: '++order, &key, userId, operation' });
  await newer.open(); // it does not wait for the old one forever
  await see(outboxMessages.reload);
  expect(await newer.table('outbox').count()).toBe(1);
  await expect(old.ready()).rejects.toThrow('newer version');
  newer.close();
  await Dexie.delete('shop');
});

test('a database blocked by another tab says so, does not hang, and the shop works without it', async () => {
  await Dexie.delete('shop');
  const holding = indexedDB.open('shop', 5); // an older version, whose tab does not close it
  await new Promise((resolve) => (holding.onsuccess = resolve));
  tab = openTab(shop, '/', { as: await shop.signIn() });
  const blocked = new ShopDatabase();
  await expect(blocked.ready()).rejects.toThrow("didn't open");
  await see(outboxMessages.closeOthers);
  const from = Date.now();
  for (let calls = 0; calls < 3; calls += 1) await expect(blocked.ready()).rejects.toThrow("didn't open");
  expect(Date.now() - from).toBeLessThan(6000); // it waits once, not three times for 3 s each
  holding.result.close();
  await expect.poll(() => blocked.ready().catch(() => undefined)).toBe(blocked); // when it opens after all, it is used
  blocked.close();
});
