import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Client, type PoolClient } from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { orders, paymentEvents, paymentSessions } from '../../../src/server/db/schema';
import { killMigrations } from '../../drill/migrationKills';
import {
  buy,
  checkBooks,
  delivery,
  ledger,
  openOrder,
  placeOrder,
  quantityOf,
  statusOf,
  deliverEvent,
  until,
} from '../../support/buying';
import { onServer, withDatabase } from '../../support/globalSetup';
import { mailsOf } from '../../support/mails';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { openWire, type Wire } from '../../support/wire';

/** Storage that fails in the middle, seen from the API. The kills of whole processes are in the drill. */
let shop: TestShop;
let other: Client;
let wire: Wire;
beforeAll(async () => {
  wire = await openWire(inject('database').config);
  shop = await openOwnShop({ reach: (direct) => wire.reach(direct) });
  other = new Client(shop.direct);
  other.on('error', () => undefined);
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await checkBooks(shop);
  await shop.close();
  wire.close();
});

/** The way to the database, which pg keeps to itself. */
type Inside = { connection: { stream: { destroy: () => void } } };

const minuteMs = 60_000;
const ordersOf = (person: Person) => shop.db.select().from(orders).where(eq(orders.userId, person.userId));

async function buyerOf(quantity: number, units = 1) {
  const person = await shop.signIn();
  const { id: productId } = await shop.stock({ quantity });
  await shop.call('addCartItem', { as: person, path: { userId: person.userId }, body: { productId, quantity: units } });
  return { person, productId };
}

/** Does `act` to the shop's connection that waits for a lock of ours; by itself that is what a crash behind it does. */
async function onceWaiting(act = 'pg_terminate_backend(pid)'): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(20)) {
    await other.query('select pg_stat_clear_snapshot()'); // or a transaction sees who waited at its first look
    const { rowCount } = await other.query(
      `select ${act} from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
    );
    if (rowCount) return;
  }
  throw new Error('nobody waited');
}

async function whileLocked<Answer>(table: string, id: string, work: () => Promise<Answer>): Promise<Answer> {
  await other.query('begin');
  await other.query(`select 1 from ${table} where id = $1 for update`, [id]);
  const answer = work();
  await onceWaiting();
  await other.query('rollback');
  return answer;
}

const tellPaid = (sessionId: string, id: string) =>
  deliverEvent(shop, 'checkout.session.completed', { id: sessionId, object: 'checkout.session' }, { id });

test('an order that is cut off while it is written is not there, and the same click works', async () => {
  const { person, productId } = await buyerOf(5, 2);
  const cut = await whileLocked('products', productId, () => placeOrder(shop, person));
  expect(cut.status).toBe(503);
  expect(cut.headers['retry-after']).toBeDefined();
  expect(await ordersOf(person)).toEqual([]);
  expect(await quantityOf(shop, productId)).toBe(5);
  const cart = await shop.call('getCart', { as: person, path: { userId: person.userId } });
  expect(cart.data.cartResponse.cartItems).toMatchObject([{ productId, quantity: 2 }]);
  expect((await placeOrder(shop, person)).status).toBe(201);
  expect(await quantityOf(shop, productId)).toBe(3);
});

test('an order whose payment could not be opened waits, and the next click with the same key opens it', async () => {
  const { person, productId } = await buyerOf(5, 2);
  const key = '7c0d9e3f-58a2-4b61-9f47-2e6d1a8b0c94';
  await shop.control('fault', { kind: 'reset_before', next: 2, on: 'POST /v1/checkout/sessions' });
  const path = { userId: person.userId, cartId: person.cartId };
  const deliveryAddress = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const click = () => shop.call('placeOrder', { as: person, path, key, body: { customer: 'Ana', deliveryAddress } });
  expect(await click()).toMatchObject({ status: 502, code: 'payment_unavailable' });
  expect(await ordersOf(person)).toMatchObject([{ status: 'PENDING_PAYMENT' }]);
  const placed = await click();
  expect(placed.status).toBe(201);
  expect(await ordersOf(person)).toMatchObject([{ id: placed.data.orderId }]);
  expect(await quantityOf(shop, productId)).toBe(3);
});

test('a session whose answer was lost is the same session at the next click', async () => {
  const { person } = await buyerOf(5);
  await shop.control('fault', { kind: 'reset_after', next: 2, on: 'POST /v1/checkout/sessions' });
  expect((await placeOrder(shop, person)).status).toBe(502);
  const [order] = await ordersOf(person);
  const own = async () => (await ledger(shop)).sessions.filter((session) => session.client_reference_id === order?.id);
  const [opened] = await own();
  expect((await placeOrder(shop, person)).data.paymentUrl).toContain(opened?.id);
  expect(await own()).toHaveLength(1);
});

test('a payment whose session was never stored is found by its order', async () => {
  const order = await openOrder(shop);
  await shop.db
    .update(paymentSessions)
    .set({ sessionId: null, url: null, state: 'creating' })
    .where(eq(paymentSessions.orderId, order.orderId));
  await buy(shop, order);
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
});

test('a webhook that is cut off in the middle has had no effect, and its next delivery has all of it once', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 2);
  await shop.control('deliveries', { mode: 'drop' });
  await buy(shop, order);
  await shop.control('deliveries', { mode: 'normal' });
  const cut = await whileLocked('orders', order.orderId, () => tellPaid(order.sessionId, 'evt_cut'));
  expect(cut.status).toBe(503);
  expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
  expect(await shop.db.select().from(paymentEvents).where(eq(paymentEvents.id, 'evt_cut'))).toEqual([]);
  expect((await tellPaid(order.sessionId, 'evt_cut')).status).toBe(200);
  expect((await tellPaid(order.sessionId, 'evt_cut')).status).toBe(200);
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
  expect(await mailsOf(shop, order.orderId)).toHaveLength(1);
});

test('when a webhook was answered its event, its effect and its mail are in the database', async () => {
  const order = await openOrder(shop);
  await shop.control('deliveries', { mode: 'drop' });
  await buy(shop, order);
  await shop.control('deliveries', { mode: 'normal' });
  expect((await tellPaid(order.sessionId, 'evt_answered')).status).toBe(200);
  const { rows } = await other.query(
    `select status, outcome, (select count(*)::int from mails where order_id = orders.id) as mails
     from orders join payment_events on order_id = orders.id where payment_events.id = 'evt_answered'`,
  );
  expect(rows).toEqual([{ status: 'PAID', outcome: 'done', mails: 1 }]);
});

test('killed at any statement of the migrations a start leaves nothing, and the next one makes the whole schema', async () => {
  const { config } = inject('database');
  const name = `shop_test_migrations_${process.pid}`;
  await onServer(config, `create database ${name}`);
  try {
    const direct = withDatabase(config, name);
    const found = await killMigrations({ direct, migrations: 'src/server/db/migrations', every: 19 });
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

test('when the database goes away the callers are told to come back, and then all is as before', async () => {
  const { person, productId } = await buyerOf(9, 3);
  const endAll = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'graphile_worker'`;
  const clicks = [1, 2, 3].map(() => placeOrder(shop, person));
  await other.query(endAll);
  const answers = await Promise.all(clicks);
  expect(answers.every(({ status }) => [201, 503].includes(status))).toBe(true);
  await until(async () => expect((await placeOrder(shop, person)).status).toBe(201));
  // the test reads by the shop's connections, and a busy machine ends one of them only now
  expect(await until(() => ordersOf(person))).toHaveLength(1);
  expect(await until(() => quantityOf(shop, productId))).toBe(6);
});

test('while the database is silent callers are told within five seconds to come back, and then all is as before', async () => {
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

test('while the disk of the database is full writes say so, reads go on, and with room again all is as before', async () => {
  const { person, productId } = await buyerOf(5, 2);
  await other.query(`create function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
  for (const table of ['orders', 'cart_items'])
    await other.query(`create trigger no_room before insert or update on ${table} execute function no_room()`);
  const full = [
    await placeOrder(shop, person),
    await shop.call('addCartItem', { as: person, path: { userId: person.userId }, body: { productId, quantity: 1 } }),
  ];
  const read = await shop.call('getCart', { as: person, path: { userId: person.userId } });
  await other.query('drop function no_room cascade');
  for (const { status, code, headers } of full) {
    expect([status, code]).toEqual([507, 'storage_full']);
    expect(headers['retry-after']).toBeDefined();
  }
  expect(read.data.cartResponse.cartItems).toMatchObject([{ productId, quantity: 2 }]);
  expect(await ordersOf(person)).toEqual([]);
  expect((await placeOrder(shop, person)).status).toBe(201);
  expect(await quantityOf(shop, productId)).toBe(3);
});

test('a mistake of ours is a 500 with an id, and the next call is served', async () => {
  const person = await shop.signIn();
  const read = () => shop.call('listCustomerOrders', { as: person, path: { userId: person.userId } });
  await other.query('alter table order_items rename to order_items_gone');
  await other.query('alter table orders rename to orders_gone');
  const broken = await read();
  await other.query('alter table orders_gone rename to orders');
  await other.query('alter table order_items_gone rename to order_items');
  expect(broken).toMatchObject({ status: 500, code: 'internal' });
  expect(broken.body['requestId']).toMatch(/^[\da-f-]{36}$/);
  expect((await read()).status).toBe(200);
});

test('tokens and holds go by one clock, also when it jumps', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 2);
  shop.clock.advance(-60 * minuteMs); // the system's clock was put right
  await shop.jobs.sweepPayments();
  expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
  const held = await placeOrder(shop, await shop.again(order.as));
  expect(held.data.orderId).toBe(order.orderId);
  shop.clock.advance(120 * minuteMs);
  expect((await placeOrder(shop, order.as)).status).toBe(401); // its token was of two hours ago
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
