/** The pool's integration with pg: every way to get a connection waits for a turn, and every way back returns it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAs, outsideRequests, wasRefused, type FairPool } from '../../../src/server/db/core/fairPool';
import { openPool } from '../../../src/server/db/open';
import type { Caller } from '../../../src/server/db/core/turns';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let pool: FairPool;
beforeAll(async () => {
  shop = await openOwnShop();
  pool = openPool({ ...shop.direct, max: 2, connectionTimeoutMillis: 4_000 });
});
afterAll(async () => {
  await pool.end();
  await shop.close();
});

const ana: Caller = { key: 'ana', network: 'home', most: 1, rank: 'user' };
const slow = `select pg_sleep(0.2)`;

test('a query takes a turn and returns it, even when it fails', async () => {
  await runAs(ana, () => pool.query('select 1'));
  await expect(runAs(ana, () => pool.query('select nonsense'))).rejects.toThrow('nonsense');
  const running = [1, 2, 3].map(() => runAs(ana, () => pool.query(slow)));
  expect(pool.turns.waiting).toBe(2);
  await Promise.all(running);
  expect(pool.turns.waiting).toBe(0);
});

test('a checked-out client holds its turn until it is released, broken or not', async () => {
  for (const isBroken of [false, true]) {
    const client = await runAs(ana, () => pool.connect());
    const next = runAs(ana, () => pool.query('select 1'));
    expect(pool.turns.waiting).toBe(1);
    client.release(isBroken);
    expect(() => client.release()).toThrow(/already been released/);
    await next;
  }
  expect(pool.turns.waiting).toBe(0);
});

test('a failed connection returns its turn', async () => {
  const nowhere = openPool({ host: '127.0.0.1', port: 1, max: 1 });
  for (let each = 0; each < 3; each++) await expect(nowhere.query('select 1')).rejects.toThrow(/ECONNREFUSED/);
  expect(nowhere.turns.waiting).toBe(0);
  await nowhere.end();
});

test('a call that has a connection does not wait for itself', async () => {
  await runAs(ana, async () => {
    const client = await pool.connect();
    expect((await pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
    client.release();
  });
});

test('another call is not blocked by one whose share is used up', async () => {
  const running = [1, 2, 3].map(() => runAs(ana, () => pool.query(slow)));
  const order: string[] = [];
  const first = Promise.all(running).then(() => order.push('ana'));
  await runAs({ ...ana, key: 'fatou' }, () => pool.query('select 1')).then(() => order.push('fatou'));
  await first;
  expect(order).toEqual(['fatou', 'ana']);
});

test('a call knows that it was rejected for overload, whatever became of the error', async () => {
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  const crowd = Array.from({ length: 100 }, () => runAs(ana, () => pool.query('select 1')));
  const late = await runAs(ana, async () => {
    await pool.query('select 1').catch(() => undefined);
    return wasRefused();
  });
  for (const client of clients) client.release();
  const served = await runAs(ana, () => Promise.all(crowd).then(wasRefused));
  expect([late, served, wasRefused()]).toEqual([true, false, false]);
});

test('deferred work of a call runs as the shop’s own, not in its caller’s queue', async () => {
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  const order: string[] = [];
  const asked = runAs(ana, () => [
    pool.query('select 1').then(() => order.push('Ana')),
    outsideRequests(() => pool.query('select 1')).then(() => order.push('the shop')),
  ]);
  clients[0].release();
  await Promise.all(asked);
  clients[1].release();
  expect(order).toEqual(['the shop', 'Ana']);
});
