import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processLock } from '../../../src/server/db/changeBus';
import { transact } from '../../../src/server/db/transact';
import { requireNoOlderRelease } from '../../../src/server/settings/olderRelease';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

const look = () => transact(shop.db, requireNoOlderRelease);
const refusal = { status: 409, code: 'older_release_running' };

/** The connection for changes of an older release's process. */
async function openOlder(lock?: number): Promise<Client> {
  const client = new Client(shop.direct);
  await client.connect();
  if (lock !== undefined) await client.query('select pg_advisory_lock_shared($1)', [lock]);
  for (const channel of ['catalog', 'settings']) await client.query(`listen "${channel}"`);
  return client;
}

test.each([
  ['that holds the lock of all processes', processLock],
  ['that holds no lock', undefined],
])('new sums are refused while a process of an older release runs %s', async (_, lock) => {
  await expect(look()).resolves.toBeUndefined();
  const older = await openOlder(lock);
  await expect(look()).rejects.toMatchObject(refusal);
  await older.end();
  await expect.poll(() => look().then(() => 'allowed', String), { interval: 20 }).toBe('allowed');
});

test('another process of this release is no older one', async () => {
  const second = await shop.openProcess();
  await expect(look()).resolves.toBeUndefined();
  await second.close();
});
