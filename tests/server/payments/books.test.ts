import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBreaches } from '../../support/books';
import { ledger, openOrder, paidOrder } from '../../support/buying';
import { openShop, type TestShop } from '../../support/shop';

/** The checker of the books is checked: a fault that is put there on purpose is found, and named. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const brokenRules = async () =>
  (await findBreaches({ pool: shop.pool, ledger: await ledger(shop) })).map(({ rule }) => rule);
const run = (query: string, ...values: unknown[]) => shop.pool.query(query, values);

const stepsOf = async (orderId: string) =>
  (await run('select status from order_timeline where order_id = $1 order by id', orderId)).rows.map(
    ({ status }: { status: string }) => status,
  );

test('an honest shop has no broken rule', async () => {
  await paidOrder(shop, { quantity: 5 }, 2);
  await openOrder(shop);
  expect(await brokenRules()).toEqual([]);
});

test('an event that had its effect twice is found', async () => {
  const { orderId } = await paidOrder(shop, { quantity: 5 }, 2);
  await run(`insert into order_timeline (order_id, status, at) values ($1, 'PAID', now())`, orderId);
  await run(
    `insert into mails (id, kind, about, recipient, order_id, state, created_at)
     select gen_random_uuid(), kind, about || ':again', recipient, order_id, state, created_at from mails where order_id = $1`,
    orderId,
  );
  expect(await brokenRules()).toEqual([
    'an order is paid once',
    'each event had at most one effect',
    'a paid order is confirmed by one mail',
    'every step of an order is legal',
  ]);
  await run(`delete from mails where order_id = $1 and about like '%:again'`, orderId);
  await run(`delete from order_timeline where id = (select max(id) from order_timeline where order_id = $1)`, orderId);
  expect(await brokenRules()).toEqual([]);
});

test('an event that cancelled an order twice is found', async () => {
  const { orderId, sessionId } = await openOrder(shop);
  await shop.control('expire', { session: sessionId });
  await expect.poll(() => stepsOf(orderId)).toEqual(['PENDING_PAYMENT', 'CANCELLED']);
  expect(await brokenRules()).toEqual([]);
  await run(`insert into order_timeline (order_id, status, at) values ($1, 'CANCELLED', now())`, orderId);
  expect(await brokenRules()).toEqual(['each event had at most one effect', 'every step of an order is legal']);
  await run(`delete from order_timeline where id = (select max(id) from order_timeline where order_id = $1)`, orderId);
  expect(await brokenRules()).toEqual([]);
});

test('one unit too many on the shelf is found, and one sold that was not there', async () => {
  const { orderId } = await paidOrder(shop, { quantity: 5 }, 2);
  const ofOrder = `(select product_id from order_items where order_id = $1)`;
  await run(`update products set quantity = quantity + 1 where id = ${ofOrder}`, orderId);
  expect(await brokenRules()).toEqual(['the stock is the sum of its ledger']);
  await run(`update products set quantity = quantity - 1 where id = ${ofOrder}`, orderId);

  await run(`update stock_movements set held = held + 1 where kind = 'sale' and order_id = $1`, orderId);
  expect(await brokenRules()).toEqual([
    'what is held belongs to open orders',
    'what left the shop belongs to orders that were paid',
  ]);
  await run(`update stock_movements set held = held - 1 where kind = 'sale' and order_id = $1`, orderId);
  expect(await brokenRules()).toEqual([]);
});

test('a cent that is off is found, also where order, line and payment agree and only the provider knows', async () => {
  const { orderId } = await paidOrder(shop, { quantity: 5 }, 2);
  await run('update orders set total_cents = total_cents + 1 where id = $1', orderId);
  expect(await brokenRules()).toContain('an order is the sum of its lines');
  await run(
    `update order_items set quantity = 1, unit_price_cents = total_cents + 1, total_cents = total_cents + 1 where order_id = $1`,
    orderId,
  );
  await run('update payment_sessions set amount_cents = amount_cents + 1 where order_id = $1', orderId);
  const rules = await brokenRules();
  expect(rules).toContain('no order is paid without a paid session of its own, of the same amount');
  expect(rules).toContain('the payment page asks for what the order costs');
  expect(rules).not.toContain('an order is the sum of its lines');
  await run('update payment_sessions set amount_cents = amount_cents - 1 where order_id = $1', orderId);
  await run(
    `update order_items set quantity = 2, unit_price_cents = (total_cents - 1) / 2, total_cents = total_cents - 1 where order_id = $1`,
    orderId,
  );
  await run('update orders set total_cents = total_cents - 1 where id = $1', orderId);
  expect(await brokenRules()).toEqual([]);
});

test("an order that counts as paid by somebody else's payment is found", async () => {
  const [honest, thief] = [await paidOrder(shop, { quantity: 5 }, 2), await paidOrder(shop, { quantity: 5 }, 2)];
  const setSession = (orderId: string, sessionId: string) =>
    run('update payment_sessions set session_id = $2 where order_id = $1', orderId, sessionId);
  await setSession(honest.orderId, 'cs_test_gone');
  await setSession(thief.orderId, honest.sessionId);
  expect(await brokenRules()).toContain('no order is paid without a paid session of its own, of the same amount');
  await setSession(thief.orderId, thief.sessionId);
  await setSession(honest.orderId, honest.sessionId);
  expect(await brokenRules()).toEqual([]);
});

test('an order that is lost is found by its payment', async () => {
  const { orderId } = await paidOrder(shop, { quantity: 5 }, 2);
  for (const table of ['mails', 'payment_events', 'order_timeline', 'order_items', 'payment_sessions', 'holds'])
    await run(`delete from ${table} where order_id = $1`, orderId);
  await run('update stock_movements set order_id = null where order_id = $1', orderId);
  await run('delete from orders where id = $1', orderId);
  expect(await brokenRules()).toEqual([
    'what left the shop belongs to orders that were paid',
    'a paid session has its paid order of the same amount',
  ]);
});
