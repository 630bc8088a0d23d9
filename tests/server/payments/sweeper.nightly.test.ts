import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orders, paymentEventsCursor } from '../../../src/server/db/schema/tables';
import { checkBooks, openOrder, until, type Order } from '../../support/buying';
import { callsDuring } from '../../support/providerCalls';
import { openOwnShop, type TestShop } from '../../support/shop';

/** How the sweeper, once a minute, reads more events than one page of the provider's list has. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
  await shop.control('deliveries', { mode: 'drop' });
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

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

test('with 200 open orders a list that breaks off keeps what it delivered, and the next minute reads the rest', async () => {
  const open: Order[] = [];
  for (let made = 0; made < 200; made += 10)
    open.push(...(await Promise.all(Array.from({ length: 10 }, () => openOrder(shop)))));
  expect(await callsDuring(shop, sweep)).toEqual([list]);
  await shop.control('clock', { advanceMs: 1000 }); // an event's time is a whole second
  for (const order of open) await pay(order);
  const before = await position();
  await shop.control('hold', { on: list });
  const broken = await callsDuring(shop, async () => {
    const sweeping = sweep();
    await until(async () => expect(await shop.control('hold', { on: 'nothing' })).toMatchObject({ held: 1 }));
    await shop.control('fault', { next: 2, kind: '500', on: list }); // the second page, and the SDK's retry of it
    await shop.control('release');
    await sweeping;
  });
  expect(await countPaid(open)).toBe(100);
  // saved before the second was requested: a shop killed every other minute still makes progress
  expect(broken.indexOf(list, 1)).toBe(1 + 100);
  expect(await position()).toBe(before);

  const calls = await callsDuring(shop, sweep);
  expect(calls.filter((call) => call === list)).toHaveLength(2);
  expect(calls).toHaveLength(2 + 100);
  expect(await countPaid(open)).toBe(200);
  expect(await position()).toBeGreaterThan(before ?? 0);
  expect(await callsDuring(shop, sweep)).toEqual([list, list]);
});
