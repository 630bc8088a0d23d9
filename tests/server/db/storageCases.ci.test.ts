import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentEvents } from '../../../src/server/db/schema/tables';
import { buy, deliverEvent, ledger, openOrder, placeOrder, quantityOf, statusOf, until } from '../../support/buying';
import { openFailingStorage, type FailingStorage } from '../../support/failingStorage';
import { mailsOf } from '../../support/mails';

/**
 * Storage that fails midway, seen from the API. storageCases.nightly.test.ts takes longer; kills are in the chaos run.
 */
let storage: FailingStorage;
beforeAll(async () => {
  storage = await openFailingStorage();
});
afterAll(() => storage.close());

const notifyPaid = (sessionId: string, id: string) =>
  deliverEvent(storage.shop, 'checkout.session.completed', { id: sessionId, object: 'checkout.session' }, { id });

test('an order cut off while it is written does not exist, and the same click works', async () => {
  const { shop, buyerOf, ordersOf, whileLocked } = storage;
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
  const { shop, buyerOf, ordersOf } = storage;
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

test('a session whose response was lost is the same session at the next click', async () => {
  const { shop, buyerOf, ordersOf } = storage;
  const { person } = await buyerOf(5);
  await shop.control('fault', { kind: 'reset_after', next: 2, on: 'POST /v1/checkout/sessions' });
  expect((await placeOrder(shop, person)).status).toBe(502);
  const [order] = await ordersOf(person);
  const own = async () => (await ledger(shop)).sessions.filter((session) => session.client_reference_id === order?.id);
  const [opened] = await own();
  expect((await placeOrder(shop, person)).data.paymentUrl).toContain(opened?.id);
  expect(await own()).toHaveLength(1);
});

test('a webhook cut off midway has no effect, and its next delivery has all of it once', async () => {
  const { shop, whileLocked } = storage;
  const order = await openOrder(shop, { quantity: 5 }, 2);
  await shop.control('deliveries', { mode: 'drop' });
  await buy(shop, order);
  await shop.control('deliveries', { mode: 'normal' });
  const cut = await whileLocked('orders', order.orderId, () => notifyPaid(order.sessionId, 'evt_cut'));
  expect(cut.status).toBe(503);
  expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
  expect(await shop.db.select().from(paymentEvents).where(eq(paymentEvents.id, 'evt_cut'))).toEqual([]);
  expect((await notifyPaid(order.sessionId, 'evt_cut')).status).toBe(200);
  expect((await notifyPaid(order.sessionId, 'evt_cut')).status).toBe(200);
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
  expect(await mailsOf(shop, order.orderId)).toHaveLength(1);
});

test('when a webhook was answered, its event, effect and mail are in the database', async () => {
  const { shop, other } = storage;
  const order = await openOrder(shop);
  await shop.control('deliveries', { mode: 'drop' });
  await buy(shop, order);
  await shop.control('deliveries', { mode: 'normal' });
  expect((await notifyPaid(order.sessionId, 'evt_answered')).status).toBe(200);
  const { rows } = await other.query(
    `select status, outcome, (select count(*)::int from mails where order_id = orders.id) as mails
     from orders join payment_events on order_id = orders.id where payment_events.id = 'evt_answered'`,
  );
  expect(rows).toEqual([{ status: 'PAID', outcome: 'done', mails: 1 }]);
});

test('when the database goes away callers get a 503, and then all is as before', async () => {
  const { shop, other, buyerOf, ordersOf } = storage;
  const { person, productId } = await buyerOf(9, 3);
  const endAll = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'graphile_worker'`;
  const clicks = [1, 2, 3].map(() => placeOrder(shop, person));
  await other.query(endAll);
  const answers = await Promise.all(clicks);
  expect(answers.every(({ status }) => [201, 503].includes(status))).toBe(true);
  await until(async () => expect((await placeOrder(shop, person)).status).toBe(201));
  // the test uses the shop's connections, and a busy machine may end one of them only now
  expect(await until(() => ordersOf(person))).toHaveLength(1);
  expect(await until(() => quantityOf(shop, productId))).toBe(6);
});

test("while the database's disk is full, writes report it and reads work, and with free space all is as before", async () => {
  const { shop, other, buyerOf, ordersOf } = storage;
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

test('a bug is a 500 with an id, and the next call is served', async () => {
  const { shop, other } = storage;
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
