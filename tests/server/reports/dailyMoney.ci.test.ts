/**
 * The sums by day that reports read. They always are what the orders, refunds and their lines give: whether the job has
 * run, while it runs, after changes of closed days, and in another time zone.
 */
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import { keepDailyMoney } from '../../../src/server/reports/dailyMoney';
import { createRandom } from '../../chaos/random';
import { isNightly } from '../../support/nightly';
import { logSeed, seed } from '../../support/random';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { randomOrder, type Shelf, type SoldOrder, writeOrders } from '../../support/soldOrders';

let shop: TestShop;
let buyer: Person;
let shelf: Shelf[];
const random = createRandom(seed);
const dayMs = 86_400_000;
const home = 'America/New_York';

beforeAll(async () => {
  shop = await openOwnShop();
  buyer = await shop.signIn();
  shelf = [];
  for (const priceCents of [199, 1_299]) {
    const { id: categoryId } = await shop.category();
    const { id: productId } = await shop.stock({ categoryId, priceCents });
    shelf.push({ productId, priceCents, categoryId });
  }
  await sell(isNightly ? 400 : 80);
});
beforeEach(() => onTestFailed(logSeed));
afterAll(() => shop.close());

async function sell(count: number, days = 90): Promise<SoldOrder[]> {
  const until = shop.clock.now();
  const from = new Date(until.getTime() - days * dayMs);
  const made = Array.from({ length: count }, () => randomOrder(random, { shelf, discountIds: [], from, until })).filter(
    ({ totalCents }) => totalCents > 0,
  );
  await writeOrders(shop.pool, made, buyer.userId);
  return made;
}

const run = (query: string, ...values: unknown[]) => shop.pool.query(query, values);
const touched = async () => (await run('select at from money_touched')).rows.length;

/** What reports read and what the orders give, where they differ. */
async function wrongMoney(zone = home, on: Pick<typeof shop.pool, 'query'> = shop.pool): Promise<unknown[]> {
  const days = `date '2025-10-01', date '2026-05-31'`;
  const anew = `select * from daily_money_anew(array(select day::date from generate_series(${days}, interval '1 day') as day), $1)`;
  const read = `select * from daily_money_of(${days}, $1)`;
  const { rows } = await on.query(`(${read} except all ${anew}) union all (${anew} except all ${read})`, [zone]);
  return rows;
}

test('are right before the job ran, after it, and for sales since', async () => {
  expect(await wrongMoney()).toEqual([]);
  await keepDailyMoney(shop.db, home);
  expect(await touched()).toBe(0);
  expect((await run('select from daily_money')).rows.length).toBeGreaterThan(0);
  expect(await wrongMoney()).toEqual([]);
  await sell(20);
  expect(await touched()).toBeGreaterThan(0);
  expect(await wrongMoney()).toEqual([]);
  await keepDailyMoney(shop.db, home);
  expect(await touched()).toBe(0);
  expect(await wrongMoney()).toEqual([]);
});

test.each(['Asia/Kolkata', 'America/Havana', home])(
  'are those of the time zone %s after a change to it',
  async (zone) => {
    expect(await wrongMoney(zone)).toEqual([]);
    await keepDailyMoney(shop.db, zone);
    expect(await touched()).toBe(0);
    expect(await wrongMoney(zone)).toEqual([]);
  },
);

test('a payment that commits while the job runs is not forgotten', async () => {
  await keepDailyMoney(shop.db, home);
  const [order] = (await sell(40)).filter(({ paidAt }) => paidAt === null);
  await keepDailyMoney(shop.db, home);
  const client = await shop.pool.connect();
  try {
    await client.query('begin');
    await client.query(`update orders set paid_at = $2, status = 'PAID' where id = $1`, [order?.id, shop.clock.now()]);
    await keepDailyMoney(shop.db, home); // does not see it yet, nor waits for it
    await client.query('commit');
  } finally {
    client.release();
  }
  expect(await touched()).toBe(1);
  expect(await wrongMoney()).toEqual([]);
});

test('two processes may sum up at the same time', async () => {
  await sell(30);
  await Promise.all([keepDailyMoney(shop.db, home), keepDailyMoney(shop.db, home)]);
  await keepDailyMoney(shop.db, home);
  expect(await touched()).toBe(0);
  expect(await wrongMoney()).toEqual([]);
});

test('follow every change of a closed day', async () => {
  const of = (order: SoldOrder) => order.paidAt && order.refunds.some(({ lines }) => lines.length > 0);
  const order = (await sell(60)).find(of);
  await keepDailyMoney(shop.db, home);
  const ofRefunds = 'refund_id in (select id from refunds where order_id = $1)';
  const changes = [
    `update orders set paid_at = paid_at - interval '40 days' where id = $1`,
    'update orders set paid_at = null where id = $1',
    'update orders set paid_at = created_at where id = $1',
    `update orders set state = 'OH' where id = $1`,
    'update orders set delivery_cents = delivery_cents + 7, total_cents = total_cents + 7 where id = $1',
    'update order_items set category_id = gen_random_uuid() where order_id = $1',
    'update order_items set unit_cost_cents = 3 where order_id = $1',
    `insert into order_items (id, order_id, product_id, product_name, unit_price_cents, quantity, total_cents,
       category_id, position)
     values (gen_random_uuid(), $1, '${shelf[0]?.productId}', 'Mace', 100, 2, 200, '${shelf[0]?.categoryId}', 9)`,
    `update refunds set state = 'failed' where order_id = $1`,
    `update refunds set state = 'done', done_at = created_at where order_id = $1`,
    `update refunds set done_at = done_at - interval '3 days' where order_id = $1`,
    `update refunds set stray_payment_id = id::text where order_id = $1`,
    'update refunds set stray_payment_id = null where order_id = $1',
    'update refunds set restock = not restock where order_id = $1',
    `update refund_lines set restock = not restock where ${ofRefunds}`,
    `delete from refund_lines where ${ofRefunds}`,
    'delete from refunds where order_id = $1',
    'delete from order_items where order_id = $1',
    'delete from orders where id = $1',
  ];
  const client = await shop.pool.connect();
  try {
    await client.query('begin'); // and undone: its parts no longer add up then
    for (const change of changes) {
      const { rowCount } = await client.query(change, [order?.id]);
      expect(rowCount, change).toBeGreaterThan(0);
      expect(await wrongMoney(home, client), change).toEqual([]);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('change while orders are paid and refunded, and the job runs again and again', { timeout: 60_000 }, async () => {
  const waiting = (await sell(isNightly ? 300 : 60)).filter(({ paidAt }) => paidAt === null).map(({ id }) => id);
  const state = { isOver: false };
  const keeping = (async () => {
    while (!state.isOver) await keepDailyMoney(shop.db, home);
  })();
  for (const id of waiting) {
    await run(`update orders set paid_at = $2, status = 'PAID' where id = $1`, id, shop.clock.now());
    const moment = new Date(shop.clock.now().getTime() - random.below(80) * dayMs);
    await run(
      `insert into refunds (id, order_id, amount_cents, state, reason, created_at, done_at)
       values (gen_random_uuid(), $1, 1, 'done', 'x', $2, $2)`,
      id,
      moment,
    );
    expect(await wrongMoney()).toEqual([]);
  }
  state.isOver = true;
  await keeping;
  await keepDailyMoney(shop.db, home);
  expect(await touched()).toBe(0);
  expect(await wrongMoney()).toEqual([]);
});

test('a login that may only write orders can pay an order', async () => {
  const [order] = (await sell(40)).filter(({ paidAt }) => paidAt === null);
  const role = `orders_only_${crypto.randomUUID().replaceAll('-', '')}`;
  const client = await shop.pool.connect();
  try {
    await client.query('begin');
    await client.query(`create role ${role}`);
    await client.query(`grant select, update on orders to ${role}`);
    await client.query(`set local role ${role}`);
    await client.query('update orders set paid_at = now() where id = $1', [order?.id]);
    await client.query('reset role');
  } finally {
    await client.query('rollback');
    client.release();
  }
});
