/** What is deleted every night, however much it is. Rule: docs/rules/running.md, Jobs */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attempts } from '../../../src/server/db/schema/tables';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

test('the leftovers of a flood are deleted in batches, and each batch stays deleted', async () => {
  const flood = 12_000;
  await shop.pool.query(
    `insert into attempts select 'flood ' || n, 1, now() - interval '1 day' + n * interval '1 second'
     from generate_series(1, $1) n`,
    [flood],
  );
  const warden = new Client(shop.direct);
  await warden.connect();
  await warden.query('begin');
  await warden.query('select from attempts where key = $1 for update', [`flood ${flood}`]);
  const night = shop.jobs.deleteOldRows();
  await expect.poll(() => shop.db.$count(attempts)).toBeLessThan(flood);
  expect(await shop.db.$count(attempts)).toBeGreaterThan(0);
  await warden.end(); // which releases the lock
  await night;
  expect(await shop.db.$count(attempts)).toBe(0);
});
