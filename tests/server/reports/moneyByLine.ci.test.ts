/**
 * The table in which the lists of orders that reports by product and category link to are looked up. Triggers
 * maintain it: after any write it matches the orders, the refunds and their lines.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest';
import type { QueryOf } from '../../../src/shared/contract';
import { findSeries } from '../../../src/server/dashboard/figures';
import { findRows, type FigureRow } from '../../../src/server/reports/figures';
import { createRandom } from '../../chaos/random';
import { paidOrder } from '../../support/buying';
import { isNightly } from '../../support/nightly';
import { seed, logSeed } from '../../support/random';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { randomOrder, type Shelf, type SoldOrder, writeOrders } from '../../support/soldOrders';

let shop: TestShop;
let admin: Person;
let buyer: Person;
let shelf: Shelf[];
let sold: SoldOrder[];
const random = createRandom(seed);
const dayMs = 86_400_000;
const timeZone = 'America/New_York';
const dayOf = (at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);
const before = (days: number) => new Date(shop.clock.now().getTime() - days * dayMs);

beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  buyer = await shop.signIn();
  shelf = await fillShelf();
  sold = await sell(120, shelf);
});
beforeEach(() => onTestFailed(logSeed));
afterAll(() => shop.close());

async function fillShelf(): Promise<Shelf[]> {
  const filled: Shelf[] = [];
  for (const priceCents of [199, 450, 1_299]) {
    const { id: categoryId } = await shop.category();
    for (const name of ['Cumin', 'Sumac']) {
      const { id: productId } = await shop.stock({ categoryId, name, priceCents });
      filled.push({ productId, priceCents, categoryId });
    }
  }
  return filled;
}

/** @param of what the orders contain; by default new products, in no list of another test */
async function sell(count: number, of?: Shelf[]): Promise<SoldOrder[]> {
  const its = of ?? (await fillShelf());
  const made = Array.from({ length: count }, () =>
    randomOrder(random, { shelf: its, discountIds: [], from: before(200), until: shop.clock.now() }),
  ).filter(({ totalCents }) => totalCents > 0);
  await writeOrders(shop.pool, made, buyer.userId);
  return made;
}

const run = (query: string, ...values: unknown[]) => shop.pool.query(query, values);
/** As the books have it (tests/support/books.ts). */
const wrongMoney = async (on: Pick<pg.ClientBase, 'query'> = shop.pool) =>
  (
    await on.query(`(select * from money_by_line except all select * from money_by_line_anew)
      union all (select * from money_by_line_anew except all select * from money_by_line)`)
  ).rows;

type Query = QueryOf<'listOrders'>;
type By = NonNullable<Query['by']>;
type Parts = Pick<Query, 'product' | 'category'>;

describe.each<By>(['created', 'paid', 'refunded', 'money'])('the list of orders by %s', (by) => {
  test.each([['product'], ['category'], ['product', 'category']] as const)(
    'has those with a line of the %s %s',
    async (...names) => {
      const days = { from: dayOf(before(120)), to: dayOf(before(30)) };
      const some = isNightly ? shelf : shelf.slice(0, 1);
      for (const { productId, categoryId } of [...some, { ...shelf[0], categoryId: shelf[2]?.categoryId }]) {
        const all = { product: productId ?? '', category: categoryId ?? '' };
        const parts: Parts = Object.fromEntries(names.map((name) => [name, all[name]]));
        const expected = sold.filter((order) => isListed(by, order, { parts, days }));
        expect(await idsOf({ ...parts, ...days, by }), JSON.stringify(parts)).toEqual(
          expected.map(({ id }) => id).toSorted(),
        );
      }
    },
  );
});

async function idsOf(query: Query): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0; ; page++) {
    const { data } = await shop.call('listOrders', { as: admin, query: { ...query, page, size: 100 } });
    ids.push(...data.orders.content.map(({ orderId }) => orderId));
    if (page + 1 < data.orders.totalPages) continue;
    expect(data.orders.totalElements).toBe(ids.length);
    return ids.toSorted();
  }
}

/** The expected list, computed from the orders themselves. Each has all parts, and a refund returned some of each. */
function isListed(
  by: By,
  order: SoldOrder,
  { parts, days }: { parts: Parts; days: { from: string; to: string } },
): boolean {
  const isIn = (at: Date | null) => at !== null && dayOf(at) >= days.from && dayOf(at) <= days.to;
  const has = (lines: readonly { productId: string }[]) =>
    (!parts.product || lines.some(({ productId }) => productId === parts.product)) &&
    (!parts.category || lines.some(({ productId }) => homeOf(productId) === parts.category));
  const wasPaid = isIn(order.paidAt) && has(order.lines);
  const wasGivenBack = order.refunds.some(
    (refund) =>
      refund.state === 'done' &&
      refund.strayPaymentId === null &&
      isIn(refund.doneAt) &&
      has(order.lines.filter(({ id }) => refund.lines.some(({ itemId }) => itemId === id))),
  );
  if (by === 'created') return isIn(createdAt(order)) && has(order.lines);
  if (by === 'paid') return wasPaid;
  return by === 'refunded' ? wasGivenBack : wasPaid || wasGivenBack;
}

const homeOf = (productId: string) => shelf.find((each) => each.productId === productId)?.categoryId;
/** As writeOrders has it. */
const createdAt = ({ paidAt }: SoldOrder) => new Date((paidAt ?? new Date()).getTime() - 60_000);

test('contains an order that is paid and refunded by lines, by an amount and entirely', async () => {
  const { orderId } = await paidOrder(shop, { quantity: 5 }, 3);
  const path = { orderId };
  const [item] = (await shop.call('getOrder', { as: admin, path })).data.orderResponse.orderItems;
  const lines = [{ orderItemId: item?.orderItemId ?? '', quantity: 1, restock: true }];
  for (const given of [{ lines, restock: false }, { amount: 0.5 }, {}]) {
    const body = { reason: 'Asked for', ...given };
    expect((await shop.call('refundOrder', { as: admin, path, body })).status).toBe(200);
    expect(await wrongMoney()).toEqual([]);
  }
  const { rows } = await run(
    'select units, refund_cents from money_by_line where order_id = $1 order by units',
    orderId,
  );
  expect(rows.map(({ units }: { units: number }) => units)).toEqual([0, 3]);
});

test('two orders of the same product are paid at the same time, and neither waits for the other', async () => {
  const [one, other] = (await sell(40)).filter(({ paidAt }) => paidAt === null);
  const [first, second] = [await shop.pool.connect(), await shop.pool.connect()];
  const pay = `update orders set paid_at = now(), status = 'PAID' where id = $1`;
  try {
    await first.query('begin');
    await first.query(pay, [one?.id]);
    await second.query('begin');
    await second.query(`set local lock_timeout = '100ms'`);
    await second.query(pay, [other?.id]);
    await second.query('commit');
    await first.query('commit');
  } finally {
    first.release();
    second.release();
  }
  expect(await wrongMoney()).toEqual([]);
});

test('a login that may only write orders can pay an order', async () => {
  const [order] = (await sell(40)).filter(({ paidAt }) => paidAt === null);
  const role = `orders_only_${randomUUID().replaceAll('-', '')}`;
  const client = await shop.pool.connect();
  try {
    await client.query('begin');
    await client.query(`create role ${role}`);
    await client.query(`grant select, update on orders to ${role}`);
    await client.query(`set local role ${role}`);
    await client.query('update orders set paid_at = now() where id = $1', [order?.id]);
    await client.query('reset role');
    const { rows } = await client.query('select from money_by_line where order_id = $1', [order?.id]);
    expect(rows).toHaveLength(order?.lines.length ?? 0);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('reports add up to the Revenue of the dashboard while orders are paid and refunded', async () => {
  const waiting = (await sell(isNightly ? 200 : 60)).filter(({ paidAt }) => paidAt === null).map(({ id }) => id);
  const state = { isOver: false };
  const paying = (async () => {
    for (const id of waiting) {
      await run(`update orders set paid_at = $2, status = 'PAID' where id = $1`, id, shop.clock.now());
      await run(
        `with made as (
           insert into refunds (id, order_id, amount_cents, tax_cents, is_by_lines, state, reason, created_at)
           select gen_random_uuid(), order_id, total_cents + tax_cents, tax_cents, true, 'asked', 'x', $2
           from order_items where order_id = $1 and position = 0 returning id)
         insert into refund_lines (refund_id, order_item_id, quantity, restock, goods_cents, tax_cents)
         select made.id, item.id, quantity, false, total_cents, tax_cents
         from made, order_items as item where order_id = $1 and position = 0`,
        id,
        shop.clock.now(),
      );
      await run(`update refunds set state = 'done', done_at = $2 where order_id = $1`, id, shop.clock.now());
    }
    state.isOver = true;
  })();
  const [from, to] = [dayOf(before(199)), dayOf(before(-1))];
  for (let rounds = 0; rounds < 3 || !state.isOver; rounds += 1)
    await shop.db.transaction(
      async (tx) => {
        const series = await findSeries(tx, { from, to, timeZone, bucket: 'month' });
        const revenue = series.reduce((sum, { paidCents, refundedCents }) => sum + paidCents - refundedCents, 0);
        for (const by of kinds) {
          const { rows } = await findRows(tx, by, { from, to, timeZone });
          expect(
            rows.map(netOf).reduce((sum, net) => sum + net, 0),
            by,
          ).toBe(revenue);
        }
      },
      { isolationLevel: 'repeatable read' },
    );
  await paying;
  expect(await wrongMoney()).toEqual([]);
});

const kinds = ['product', 'category', 'month', 'state'] as const;
const netOf = (row: FigureRow) =>
  row.goodsCents - row.discountCents + row.deliveryCents + row.taxCents - row.refundCents;

test('follows changes to an order that the shop itself never makes', async () => {
  const order = (await sell(60)).find(({ paidAt, refunds }) => paidAt && refunds.some(({ lines }) => lines.length > 0));
  const changes = [
    `update orders set paid_at = paid_at - interval '40 days' where id = $1`,
    'update orders set paid_at = null where id = $1',
    'update orders set paid_at = created_at where id = $1',
    'update order_items set category_id = gen_random_uuid() where order_id = $1',
    `update order_items set product_id = '${shelf[0]?.productId}' where order_id = $1`,
    `insert into order_items (id, order_id, product_id, product_name, unit_price_cents, quantity, total_cents,
       category_id, position)
     values (gen_random_uuid(), $1, '${shelf[0]?.productId}', 'Mace', 100, 2, 200, '${shelf[0]?.categoryId}', 9)`,
    `update refunds set state = 'failed' where order_id = $1`,
    `update refunds set state = 'done', done_at = created_at where order_id = $1`,
    `update refunds set done_at = done_at - interval '3 days' where order_id = $1`,
    `update refunds set stray_payment_id = id::text where order_id = $1`,
    'update refunds set stray_payment_id = null where order_id = $1',
    'update refund_lines set goods_cents = 0 where refund_id in (select id from refunds where order_id = $1)',
    'delete from refund_lines where refund_id in (select id from refunds where order_id = $1)',
    'delete from order_items where order_id = $1',
  ];
  const client = await shop.pool.connect();
  try {
    await client.query('begin'); // and undone: its parts no longer add up then
    for (const change of changes) {
      const { rowCount } = await client.query(change, [order?.id]);
      expect(rowCount, change).toBeGreaterThan(0);
      expect(await wrongMoney(client), change).toEqual([]);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});
