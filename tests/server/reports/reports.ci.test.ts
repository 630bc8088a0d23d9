import { afterAll, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest';
import type { QueryOf, Schema } from '../../../src/shared/contract';
import type { ReportBy } from '../../../src/shared/reports';
import { rowsOf } from '../../support/backOffice';
import { isNightly } from '../../support/nightly';
import { createRandom } from '../../chaos/random';
import { seed, logSeed } from '../../support/random';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { randomOrder, type Shelf, type SoldOrder, type SoldRefund, writeOrders } from '../../support/soldOrders';

/**
 * 500 random orders, nightly 1,500, over two years, whose parts add up, with refunds by lines and of other amounts. The
 * shop's figures come from sums in the database; the expected ones from the orders, one by one.
 */
let shop: TestShop;
let admin: Person;
let sold: SoldOrder[];
let shelf: Shelf[];
const random = createRandom(seed);
const count = isNightly ? 1_500 : 500;
/** 2026-03-02, in the default time zone. */
const clock = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
const dayOf = (at: Date) => clock.format(at);
const kinds: ReportBy[] = ['product', 'category', 'month', 'state'];

beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  const { userId } = await shop.signIn();
  shelf = [];
  for (const priceCents of [199, 333, 450, 725, 1_299, 2_001]) {
    const { id: categoryId } = await shop.category();
    for (const name of ['Cumin', 'Sumac']) {
      const { id: productId } = await shop.stock({ categoryId, name, priceCents });
      shelf.push({ productId, priceCents, categoryId });
    }
  }
  const until = shop.clock.now();
  const from = new Date(until.getTime() - 700 * 86_400_000);
  const made = Array.from({ length: count }, () => randomOrder(random, { shelf, discountIds: [], from, until }));
  sold = made.filter(({ totalCents }) => totalCents > 0);
  await writeOrders(shop.pool, sold, userId);
});
beforeEach(() => onTestFailed(logSeed));
afterAll(() => shop.close());

const report = async (by: ReportBy, query: QueryOf<'getReport'>): Promise<Schema<'Report'>> =>
  (await shop.call('getReport', { as: admin, path: { by }, query })).data.report;
const dashboard = async (query: QueryOf<'getDashboard'>) =>
  (await shop.call('getDashboard', { as: admin, query })).data.dashboard;
const cents = (dollars: number) => Math.round(dollars * 100);

type Days = { from: string; to: string };
const today = () => dayOf(shop.clock.now());
const daysBefore = (days: number) => dayOf(new Date(shop.clock.now().getTime() - days * 86_400_000));

function randomDays(): Days {
  const [one, other] = [daysBefore(random.below(760)), daysBefore(random.below(760))].toSorted();
  return { from: one ?? '', to: other ?? '' };
}

const isIn = (at: Date | null, { from, to }: Days): at is Date => at !== null && dayOf(at) >= from && dayOf(at) <= to;
const isCounted = ({ state, strayPaymentId, doneAt }: SoldRefund, days: Days) =>
  state === 'done' && strayPaymentId === null && isIn(doneAt, days);

const periods = isNightly ? 200 : 8;

describe('a report of any period', () => {
  test(`adds up to the Revenue of the dashboard, whatever it is by: ${periods} periods`, async () => {
    for (let round = 0; round < periods; round += 1) {
      if (round === 4) await shop.jobs.keepDailyMoney(); // until then each report sums up its days itself, which is slow
      const days = randomDays();
      const [{ revenue }, ...reports] = await Promise.all([
        dashboard({ period: 'custom', ...days }),
        ...kinds.map((by) => report(by, days)),
      ]);
      for (const { by, rows, sum, ...span } of reports) {
        const where = `${by} ${days.from} ${days.to}`;
        expect(span, where).toMatchObject(days);
        expect(cents(sum.net), where).toBe(cents(revenue));
        for (const part of ['units', 'goods', 'discounts', 'delivery', 'tax', 'refunds', 'net'] as const)
          expect(
            rows.reduce((all, row) => all + cents(row[part]), 0),
            `${where} ${part}`,
          ).toBe(cents(sum[part]));
        for (const { goods, discounts, delivery, tax, refunds, net } of rows)
          expect(cents(net), where).toBe(
            cents(goods) - cents(discounts) + cents(delivery) + cents(tax) - cents(refunds),
          );
      }
    }
  });

  test('has the same goods, discounts, delivery, tax and refunds by each of the four', async () => {
    const days = { from: daysBefore(500), to: daysBefore(20) };
    const [first, ...others] = await Promise.all(kinds.map(async (by) => (await report(by, days)).sum));
    for (const { units: _, ...sum } of others) expect(first).toMatchObject(sum);
  });
});

/** The expected rows, computed from the orders one by one. Cents. */
type Model = Map<
  string,
  { units: number; goods: number; discounts: number; delivery: number; tax: number; refunds: number }
>;
function modelOf(by: ReportBy, days: Days): Model {
  const rows: Model = new Map();
  const add = (key: string, part: keyof NonNullable<ReturnType<Model['get']>>, value: number) => {
    const row = rows.get(key) ?? { units: 0, goods: 0, discounts: 0, delivery: 0, tax: 0, refunds: 0 };
    row[part] += value;
    rows.set(key, row);
  };
  const isOfLines = by === 'product' || by === 'category';
  const homeOf = new Map(shelf.map(({ productId, categoryId }) => [productId, categoryId]));
  for (const order of sold) {
    const keyOf = (at: Date) => (by === 'month' ? dayOf(at).slice(0, 7) : order.state);
    const keys = new Map(
      order.lines.map(({ id, productId }) => [id, by === 'product' ? productId : (homeOf.get(productId) ?? '')]),
    );
    if (isIn(order.paidAt, days)) {
      if (isOfLines) {
        for (const line of order.lines) {
          const key = keys.get(line.id) ?? '';
          add(key, 'units', line.quantity);
          add(key, 'goods', line.cents);
          add(key, 'discounts', line.discountCents);
          add(key, 'tax', line.taxCents);
        }
        if (order.deliveryCents > 0) {
          add('delivery', 'delivery', order.deliveryCents);
          add('delivery', 'tax', order.deliveryTaxCents);
        }
      } else {
        const key = keyOf(order.paidAt);
        add(key, 'units', 1);
        add(key, 'goods', order.goodsCents);
        add(key, 'discounts', order.discountCents);
        add(key, 'delivery', order.deliveryCents);
        add(key, 'tax', order.taxCents);
      }
    }
    for (const refund of order.refunds.filter((each) => isCounted(each, days))) {
      if (!isOfLines) add(keyOf(refund.doneAt), 'refunds', refund.amountCents);
      else if (!refund.isByLines) add('none', 'refunds', refund.amountCents);
      else {
        let rest = refund.amountCents;
        for (const { itemId, goodsCents, taxCents } of refund.lines) {
          add(keys.get(itemId) ?? '', 'refunds', goodsCents + taxCents);
          rest -= goodsCents + taxCents;
        }
        if (rest > 0) add('delivery', 'refunds', rest);
      }
    }
  }
  return rows;
}

describe.each(kinds)('a report by %s', (by) => {
  const days = () => ({ from: daysBefore(400), to: daysBefore(35) });

  test('has the figures of its orders, one by one', async () => {
    const { rows } = await report(by, days());
    const model = modelOf(by, days());
    for (const { key, units, ...row } of rows) {
      const { units: count = 0, ...sums } = model.get(key) ?? {};
      expect(units, key).toBe(count);
      for (const [part, sum] of Object.entries(sums))
        expect(cents(row[part as keyof typeof row] as number), `${key} ${part}`).toBe(sum);
      model.delete(key);
    }
    expect([...model.keys()]).toEqual([]);
  });

  test('is a CSV file with the same rows', async () => {
    const { rows } = await report(by, days());
    const headers = { authorization: `Bearer ${admin.token}` };
    const url = `/api/admin/reports/${by}/export?${new URLSearchParams(days()).toString()}`;
    const lines = rowsOf((await shop.app.inject({ url, headers })).body);
    for (const line of lines) {
      const parts = ['Gross sales', 'Discounts', 'Delivery', 'Tax', 'Refunds'].map((part) => cents(Number(line[part])));
      expect(parts.reduce((sum, part) => sum + part)).toBe(cents(Number(line['Net total'])));
    }
    expect(lines.map((line) => [Object.values(line)[0], line['Gross sales'], line['Net total']])).toEqual(
      rows.map(({ name, goods, net }) => [name, goods.toFixed(2), net.toFixed(2)]),
    );
  });

  test('leads from each row to the orders that it counts', async () => {
    const { from, to, rows } = await report(by, days());
    for (const { key } of rows) {
      const span = by === 'month' ? monthOf(key, { from, to }) : { from, to };
      const query = { by: 'money', size: 1, ...span, ...(by === 'month' ? {} : { [by]: key }) } as const;
      const { data } = await shop.call('listOrders', { as: admin, query });
      const counted = sold.filter((order) => isOrderOf(by, key, order, span));
      expect(data.orders.totalElements, key).toBe(counted.length);
    }
  });
});

function monthOf(month: string, { from, to }: Days): Days {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return { from: from > `${month}-01` ? from : `${month}-01`, to: to < last ? to : last };
}

function isOrderOf(by: ReportBy, key: string, order: SoldOrder, days: Days): boolean {
  const refunds = order.refunds.filter((each) => isCounted(each, days));
  const isPaid = isIn(order.paidAt, days);
  if (by === 'month') return isPaid || refunds.length > 0;
  if (by === 'state') return order.state === key && (isPaid || refunds.length > 0);
  if (key === 'none') return refunds.some(({ isByLines }) => !isByLines);
  if (key === 'delivery')
    return (isPaid && order.deliveryCents > 0) || refunds.some((each) => each.isByLines && each.deliveryCents > 0);
  const of = shelf.filter((each) => (by === 'product' ? each.productId : each.categoryId) === key);
  const lines = order.lines.filter((line) => of.some(({ productId }) => productId === line.productId));
  const ids = lines.map(({ id }) => id);
  return (isPaid && ids.length > 0) || refunds.some((each) => each.lines.some(({ itemId }) => ids.includes(itemId)));
}

test('months are without gaps, the latest first, and the last 12 begin on the first of a month', async () => {
  const { rows, from, to } = await report('month', {});
  expect(to).toBe(today());
  expect(from).toMatch(/-01$/);
  const keys = rows.map(({ key }) => key);
  expect(keys).toHaveLength(12);
  expect(keys[0]).toBe(today().slice(0, 7));
  expect(keys.at(-1)).toBe(from.slice(0, 7));
  expect(keys).toEqual(keys.toSorted().toReversed());
});

test('products are sorted by revenue, then comes delivery, then refunds without a line', async () => {
  const { rows } = await report('product', { period: '12months' });
  const keys = rows.map(({ key }) => key);
  expect(keys.slice(-2)).toEqual(['delivery', 'none']);
  expect(rows.slice(-2).map(({ name }) => name)).toEqual(['Delivery', 'Custom-amount refunds']);
  const nets = rows.slice(0, -2).map(({ net }) => net);
  expect(nets).toEqual(nets.toSorted((one, other) => other - one));
});

test.each<ReportBy>(['product', 'category', 'state', 'month'])('a page by %s has its rows of all', async (by) => {
  const query = { period: '12months' } as const;
  const all = await report(by, query);
  const pages = await Promise.all([0, 1, 2, 9].map((page) => report(by, { ...query, page, size: 3 })));
  expect(pages.map(({ rows }) => rows)).toEqual([0, 3, 6, 27].map((first) => all.rows.slice(first, first + 3)));
  const counts = {
    totalRows: all.rows.length,
    namedRows: all.rows.filter(({ key }) => key !== 'delivery' && key !== 'none').length,
    sum: all.sum,
  };
  for (const page of pages) expect(page).toMatchObject(counts);
});

test('a line counts in the category that it had when it was sold', async () => {
  const own = await openOwnShop();
  const as = await own.signIn({ role: 'ROLE_ADMIN' });
  const { userId } = await own.signIn();
  const [was, is] = [await own.category(), await own.category()];
  const { id: productId } = await own.stock({ categoryId: is.id, priceCents: 500 });
  const line = { productId, quantity: 1, cents: 500, discountCents: 0, taxCents: 0 };
  const order = randomOrder(random, {
    shelf: [{ productId, priceCents: 500, categoryId: was.id }],
    discountIds: [],
    from: new Date(own.clock.now().getTime() - 1_000),
    until: own.clock.now(),
  });
  const plain = { discountCents: 0, deliveryCents: 0, taxedCents: 0, taxCents: 0, deliveryTaxCents: 0, refunds: [] };
  const sale = {
    ...order,
    ...plain,
    paidAt: new Date(own.clock.now().getTime() - 500),
    goodsCents: 500,
    totalCents: 500,
  };
  await writeOrders(
    own.pool,
    [{ ...sale, id: crypto.randomUUID(), lines: [{ ...line, id: crypto.randomUUID(), categoryId: was.id }] }],
    userId,
  );
  const { data } = await own.call('getReport', { as, path: { by: 'category' }, query: { period: 'today' } });
  expect(data.report.rows.map(({ key, units }) => [key, units])).toEqual([[was.id, 1]]);
  await own.pool.query('delete from categories where id = $1', [was.id]);
  const later = await own.call('getReport', { as, path: { by: 'category' }, query: { period: 'today' } });
  expect(later.data.report.rows.map(({ name }) => name)).toContain('Deleted category');
  await own.close();
});

test('the last day must not be before the first, and custom needs both', async () => {
  const ask = (query: QueryOf<'getReport'>) => shop.call('getReport', { as: admin, path: { by: 'state' }, query });
  expect(await ask({ from: '2026-03-02', to: '2026-03-01' })).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await ask({ period: 'custom' })).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await ask({ from: '2026-03-02' })).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('a period without payments has no rows except its months', async () => {
  const days = { from: '2020-01-10', to: '2020-02-10' };
  for (const by of ['product', 'category', 'state'] as const) expect((await report(by, days)).rows).toEqual([]);
  const { rows, sum } = await report('month', days);
  expect(rows.map(({ name, units, net }) => [name, units, net])).toEqual([
    ['February 2020', 0, 0],
    ['January 2020', 0, 0],
  ]);
  expect(sum.net).toBe(0);
});
