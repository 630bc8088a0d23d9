import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Client, type PoolClient } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { orders, paymentSessions } from '../../../src/server/db/schema/tables';
import { killMigrations } from '../../chaos/migrationKills';
import { buy, delivery, openOrder, placeOrder, quantityOf, statusOf } from '../../support/buying';
import { openFailingStorage, type FailingStorage } from '../../support/failingStorage';
import { onServer, withDatabase } from '../../support/globalSetup';

/** Storage that fails midway, seen from the API: the slow cases. Kills of whole processes are in the chaos run. */
let storage: FailingStorage;
beforeAll(async () => {
  storage = await openFailingStorage();
});
afterAll(() => storage.close());

/** The connection to the database, which pg keeps private. */
type Inside = { connection: { stream: { destroy: () => void } } };

const minuteMs = 60_000;

test('a payment whose session was never stored is found by its order', async () => {
  const { shop } = storage;
  const order = await openOrder(shop);
  await shop.db
    .update(paymentSessions)
    .set({ sessionId: null, url: null, state: 'creating' })
    .where(eq(paymentSessions.orderId, order.orderId));
  await buy(shop, order);
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
});

test('killed at any statement of the migrations a start leaves nothing, and the next one creates the whole schema', async () => {
  const { other } = storage;
  const { config } = inject('database');
  const name = `shop_test_migrations_${process.pid}`;
  await onServer(config, `create database ${name}`);
  try {
    const direct = withDatabase(config, name);
    const found = await killMigrations({ direct, migrations: 'src/server/db/migrations', every: 9 });
    expect(found.wrong).toEqual([]);
    expect(found.kills).toBeGreaterThan(5);
    const columnsOf = `select table_name, column_name, data_type from information_schema.columns
      where table_schema = 'public' order by 1, 2`;
    const migrated = new Client(direct);
    await migrated.connect();
    const { rows } = await migrated.query(columnsOf);
    await migrated.end();
    expect(rows).toEqual((await other.query(columnsOf)).rows);
  } finally {
    await onServer(config, `drop database if exists ${name} with (force)`);
  }
});

test('while the database is silent callers get a 503 within five seconds, and then all is as before', async () => {
  const { shop, other, wire, buyerOf, ordersOf, onceWaiting } = storage;
  const { person, productId } = await buyerOf(9, 3);
  const path = { userId: person.userId };
  const timed = async (call: () => Promise<{ status: number; headers: Record<string, unknown> }>) => {
    const { status, headers } = await call();
    return { status, isToldWhen: headers['retry-after'] !== undefined, at: Date.now() };
  };
  const read = () => shop.call('getCart', { as: person, path });
  await Promise.all([1, 2, 3].map(read)); // so that some find a connection, and some must open one
  await other.query('begin');
  await other.query('select 1 from products where id = $1 for update', [productId]);
  const inTransaction = timed(() => placeOrder(shop, person, delivery, randomUUID()));
  await onceWaiting('pid');
  const silentAt = Date.now();
  wire.fallSilent();
  const calls = [
    inTransaction,
    ...Array.from({ length: 15 }, () => timed(read)),
    timed(() => placeOrder(shop, person)),
  ];
  const answers = await Promise.all(calls).finally(() => wire.speakAgain());
  await other.query('rollback');
  for (const { status, isToldWhen, at } of answers) {
    expect([status, isToldWhen]).toEqual([503, true]);
    expect(at - silentAt).toBeLessThan(10_000); // the shop waits less than five, a busy machine adds to it
  }
  await expect.poll(() => shop.pool.totalCount - shop.pool.idleCount).toBe(0);
  expect((await read()).data.cartResponse.cartItems).toMatchObject([{ productId, quantity: 3 }]);
  expect(await ordersOf(person)).toEqual([]);
  expect((await placeOrder(shop, person)).status).toBe(201);
  expect(await quantityOf(shop, productId)).toBe(6);
});

test('a connection that breaks as a transaction begins is not lost to the others', async () => {
  const { shop, buyerOf } = storage;
  const { person } = await buyerOf(5);
  const isLent = () => shop.pool.totalCount - shop.pool.idleCount;
  await expect.poll(() => isLent()).toBe(0);
  const breakIt = (client: PoolClient) => (client as unknown as Inside).connection.stream.destroy();
  shop.pool.on('acquire', breakIt);
  const answers = await Promise.all([1, 2, 3].map(() => placeOrder(shop, person)));
  shop.pool.off('acquire', breakIt);
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
  await expect.poll(() => isLent()).toBe(0);
});

test('tokens and holds use one clock, even when it jumps', async () => {
  const { shop } = storage;
  const order = await openOrder(shop, { quantity: 5 }, 2);
  shop.clock.advance(-60 * minuteMs); // the system's clock was corrected
  await shop.jobs.sweepPayments();
  expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
  const held = await placeOrder(shop, await shop.again(order.as));
  expect(held.data.orderId).toBe(order.orderId);
  shop.clock.advance(120 * minuteMs);
  expect((await placeOrder(shop, order.as)).status).toBe(401); // its token was two hours old
  await Promise.all([shop.jobs.sweepPayments(), shop.jobs.sweepPayments()]);
  expect(await statusOf(shop, order.orderId)).toBe('CANCELLED');
  shop.clock.advance(10 * 24 * 60 * minuteMs);
  await shop.jobs.sweepPayments();
  const again = await placeOrder(shop, await shop.again(order.as));
  expect(again.status).toBe(201);
  const [first, second] = await shop.db
    .select()
    .from(orders)
    .where(eq(orders.userId, order.userId))
    .orderBy(orders.createdAt);
  expect(second?.createdAt.getTime()).toBeGreaterThan(first?.createdAt.getTime() ?? 0);
});
