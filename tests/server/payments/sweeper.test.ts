import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orders, paymentEventsCursor } from '../../../src/server/db/schema/tables';
import { buy, checkBooks, openOrder, statusOf, timelineOf, type Order } from '../../support/buying';
import { callsDuring } from '../../support/providerCalls';
import { openOwnShop, type TestShop } from '../../support/shop';

/** What the sweeper costs each minute, and that it finds what no webhook reported. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
  await shop.control('deliveries', { mode: 'drop' });
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const minuteMs = 60_000;
const list = 'GET /v1/events';
const sweep = () => shop.jobs.sweepPayments();
const pay = ({ sessionId }: Pick<Order, 'sessionId'>) => shop.control('pay', { session: sessionId });
const position = async () => (await shop.db.select().from(paymentEventsCursor))[0]?.takenUntil.getTime();
const countPaid = async (some: { orderId: string }[]) => {
  const ids = some.map(({ orderId }) => orderId);
  const rows = await shop.db
    .select()
    .from(orders)
    .where(sql`${orders.id} = any(${sql.param(ids)})`);
  return rows.filter(({ status }) => status === 'PAID').length;
};

test('open orders cost one list of events a minute, and no question about any of them', async () => {
  const open = await Promise.all(Array.from({ length: 5 }, () => openOrder(shop)));
  await sweep(); // left by other tests
  expect(await callsDuring(shop, sweep)).toEqual([list]);
  await buy(shop, open[0] ?? fail());
  expect(await callsDuring(shop, sweep)).toEqual([list, `GET /v1/checkout/sessions/${open[0]?.sessionId}`]);
  expect(await callsDuring(shop, sweep)).toEqual([list]);
  expect(await countPaid(open)).toBe(1);
});

test('after hours without a process, everything since the last position is found', async () => {
  const order = await openOrder(shop);
  await pay(order);
  shop.clock.advance(7 * 60 * minuteMs);
  await sweep();
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
});

test('two processes that sweep side by side lose nothing and do nothing twice', async () => {
  const paid = await Promise.all(Array.from({ length: 8 }, () => openOrder(shop)));
  const sweeps: Promise<void>[] = [];
  for (const order of paid) {
    await pay(order);
    sweeps.push(sweep(), sweep());
  }
  await Promise.all(sweeps);
  await sweep();
  for (const order of paid) expect(await timelineOf(shop, order)).toEqual(['PENDING_PAYMENT', 'PAID']);
});

test('an event that could not be processed keeps the position before it', async () => {
  const order = await openOrder(shop);
  await pay(order);
  await shop.control('fault', { next: 2, kind: '503', on: `GET /v1/checkout/sessions/${order.sessionId}` });
  shop.clock.advance(10 * minuteMs);
  const later = await openOrder(shop);
  await pay(later);
  await sweep();
  expect(await statusOf(shop, later.orderId)).toBe('PAID');
  expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
  await sweep();
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
});

test('a payment is asked about once its session has ended, even when the list cannot be read', async () => {
  const order = await openOrder(shop);
  await pay(order);
  const withoutList = async () => {
    await shop.control('fault', { next: 2, kind: '500', on: list });
    return callsDuring(shop, sweep);
  };
  shop.clock.advance(30 * minuteMs);
  expect(await withoutList()).toEqual([list, list]);
  shop.clock.advance(1.5 * minuteMs);
  expect(await withoutList()).toEqual([list, list, `GET /v1/checkout/sessions/${order.sessionId}`]);
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
});

test('a session that was ended at the provider by hand is found', async () => {
  const order = await openOrder(shop);
  await shop.control('expire', { session: order.sessionId });
  await sweep();
  expect(await statusOf(shop, order.orderId)).toBe('CANCELLED');
});

test('a position in the future, left by a wrong clock, is ignored', async () => {
  await shop.db.update(paymentEventsCursor).set({ takenUntil: new Date(shop.clock.now().getTime() + 90 * minuteMs) });
  const order = await openOrder(shop);
  await pay(order);
  shop.clock.advance(8 * minuteMs);
  await sweep();
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
  expect(await position()).toBeLessThan(shop.clock.now().getTime());
});

function fail(): never {
  throw new Error('no order');
}
