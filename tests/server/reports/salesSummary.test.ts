/**
 * The sales summary of random orders over two years, some with costs and restocked units. The shop's figures come from
 * sums that it keeps by day; the expected ones from the orders, one by one.
 */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import type { QueryOf, Schema } from '../../../src/shared/contract';
import { figureLabels, periodBefore, type SummaryBy, summaryLabels } from '../../../src/shared/reports';
import { createRandom } from '../../chaos/random';
import { rowsOf } from '../../support/backOffice';
import { isNightly } from '../../support/nightly';
import { logSeed, seed } from '../../support/random';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { randomOrder, type Shelf, type SoldOrder, type SoldRefund, writeOrders } from '../../support/soldOrders';

let shop: TestShop;
let admin: Person;
let sold: SoldOrder[];
let shelf: Shelf[];
const random = createRandom(seed);
const kinds = Object.keys(summaryLabels) as SummaryBy[];
const clock = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
const dayOf = (at: Date) => clock.format(at);
const cents = (dollars: number | null) => Math.round((dollars ?? 0) * 100);

beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  const { userId } = await shop.signIn();
  shelf = [];
  for (const priceCents of [199, 450, 1_299]) {
    const { id: categoryId } = await shop.category();
    for (const name of ['Cumin', 'Sumac'])
      shelf.push({ productId: (await shop.stock({ categoryId, name, priceCents })).id, priceCents, categoryId });
  }
  const discountIds: string[] = [];
  for (const code of ['SPRING', 'FALL']) {
    const body = { code, kind: 'percent', percent: 10 } as const;
    discountIds.push((await shop.call('createDiscount', { as: admin, body })).data.discount.id);
  }
  const until = shop.clock.now();
  const from = new Date(until.getTime() - 700 * 86_400_000);
  const made = Array.from({ length: isNightly ? 1_500 : 300 }, () =>
    randomOrder(random, { shelf, discountIds, from, until }),
  );
  sold = made.filter(({ totalCents }) => totalCents > 0);
  await writeOrders(shop.pool, sold, userId);
  await shop.jobs.keepDailyMoney();
});
beforeEach(() => onTestFailed(logSeed));
afterAll(() => shop.close());

type Summary = Schema<'SalesSummary'>;
/** With all rows, unless the query names a page. */
async function summary(query: QueryOf<'getSalesSummary'>): Promise<Summary> {
  const { page = 0, size = 100 } = query;
  const ask = async (each: number) =>
    (await shop.call('getSalesSummary', { as: admin, query: { ...query, page: each, size } })).data.summary;
  const first = await ask(page);
  const { rows = [], totalRows = 0 } = first;
  while (query.page === undefined && rows.length < totalRows)
    rows.push(...((await ask(rows.length / size)).rows ?? []));
  return first;
}

type Days = { from: string; to: string };
const daysBefore = (days: number) => dayOf(new Date(shop.clock.now().getTime() - days * 86_400_000));
function randomDays(): Days {
  const [one, other] = [daysBefore(random.below(760)), daysBefore(random.below(760))].toSorted();
  return { from: one ?? '', to: other ?? '' };
}
const isIn = (at: Date | null, { from, to }: Days): at is Date => at !== null && dayOf(at) >= from && dayOf(at) <= to;

type Sums = Record<'units' | 'gross' | 'discounts' | 'returns' | 'delivery' | 'tax' | 'cost' | 'unknown', number>;
const found = (of: Schema<'SalesPeriod'> | Schema<'SalesRow'> | Summary): Sums => ({
  units: of.units,
  gross: cents(of.grossSales),
  discounts: cents(of.discounts),
  returns: cents(of.returns),
  delivery: cents(of.delivery),
  tax: cents(of.tax),
  cost: cents(of.costOfGoods),
  unknown: of.unitsWithoutCost,
});
const sumUp = (all: readonly Sums[]): Sums => {
  const sum: Sums = { units: 0, gross: 0, discounts: 0, returns: 0, delivery: 0, tax: 0, cost: 0, unknown: 0 };
  for (const each of all) for (const name of Object.keys(sum) as (keyof Sums)[]) sum[name] += each[name];
  return sum;
};

/** Each figure's key is a product or so, or the day. */
type Keys = Record<SummaryBy, string>;
type Move = Keys & Partial<Sums>;

function movesIn(days: Days): Move[] {
  const moves: Move[] = [];
  const homeOf = new Map(shelf.map(({ productId, categoryId }) => [productId, categoryId]));
  for (const order of sold) {
    const add = (at: Date, line: string | { productId: string }, sums: Partial<Sums>) => {
      const product = typeof line === 'string' ? line : line.productId;
      const category = typeof line === 'string' ? line : (homeOf.get(line.productId) ?? '');
      const day = dayOf(at);
      const ofOrder = { state: order.state, code: order.discountId ?? 'none', day, month: day.slice(0, 7) };
      moves.push({ product, category, ...ofOrder, ...sums });
    };
    const costOf = (line: SoldOrder['lines'][number], units: number) =>
      line.unitCostCents === null || line.unitCostCents === undefined
        ? { cost: 0, unknown: units }
        : { cost: line.unitCostCents * units, unknown: 0 };
    if (isIn(order.paidAt, days)) {
      for (const line of order.lines)
        add(order.paidAt, line, {
          units: line.quantity,
          gross: line.cents,
          discounts: line.discountCents,
          tax: line.taxCents,
          ...costOf(line, line.quantity),
        });
      add(order.paidAt, 'delivery', { delivery: order.deliveryCents, tax: order.deliveryTaxCents });
    }
    for (const refund of order.refunds.filter(({ state, doneAt }) => state === 'done' && isIn(doneAt, days)))
      addRefund(order, refund, { add: (...rest) => add(refund.doneAt, ...rest), costOf });
  }
  return moves;
}

type Adding = {
  add: (line: string | { productId: string }, sums: Partial<Sums>) => void;
  costOf: (line: SoldOrder['lines'][number], units: number) => { cost: number; unknown: number };
};
function addRefund(order: SoldOrder, refund: SoldRefund, { add, costOf }: Adding): void {
  const back = (line: SoldOrder['lines'][number], units: number) => {
    const { cost, unknown } = costOf(line, units);
    add(line, { cost: -cost, unknown });
  };
  if (refund.restock) for (const line of order.lines) back(line, line.quantity);
  for (const part of refund.lines) {
    const line = order.lines.find(({ id }) => id === part.itemId);
    if (line && part.restock) back(line, part.quantity);
    if (line && refund.strayPaymentId === null) add(line, { returns: part.goodsCents, tax: -part.taxCents });
  }
  if (refund.strayPaymentId !== null) return;
  const { amountCents, deliveryCents, taxCents } = refund;
  const ofLines = refund.lines.reduce((sum, line) => sum + line.goodsCents, 0);
  const taxOfLines = refund.lines.reduce((sum, line) => sum + line.taxCents, 0);
  add(refund.isByLines ? 'delivery' : 'none', {
    returns: amountCents - deliveryCents - taxCents - ofLines,
    delivery: -deliveryCents,
    tax: -(taxCents - taxOfLines),
  });
}

const sumOf = (moves: readonly Move[]): Sums =>
  sumUp(
    moves.map((move) => ({
      ...sumUp([]),
      ...Object.fromEntries(Object.keys(sumUp([])).map((name) => [name, move[name as keyof Sums] ?? 0])),
    })),
  );

const periods = isNightly ? 200 : 20;

test(`in ${periods} periods the figures are those of the orders, and add up`, async () => {
  for (let round = 0; round < periods; round += 1) {
    const days = randomDays();
    const of = await summary(days);
    const where = `${days.from} ${days.to}`;
    expect(found(of), where).toEqual(sumOf(movesIn(days)));
    for (const each of [of, of.previous]) {
      expect(cents(each.netSales), where).toBe(cents(each.grossSales) - cents(each.discounts) - cents(each.returns));
      expect(cents(each.total), where).toBe(cents(each.netSales) + cents(each.delivery) + cents(each.tax));
      const isKnown = each.costOfGoods !== null; // not if no unit of a short period has a cost
      expect(each.grossProfit === null ? null : cents(each.grossProfit), where).toBe(
        isKnown ? cents(each.netSales) - cents(each.costOfGoods) : null,
      );
    }
    const { data } = await shop.call('getDashboard', { as: admin, query: { period: 'custom', ...days } });
    expect(of.total, where).toBe(data.dashboard.revenue);
  }
});

test('the period before ends the day before, with its own figures', async () => {
  for (let round = 0; round < 5; round += 1) {
    const days = randomDays();
    const { previous } = await summary(days);
    expect(previous).toMatchObject(periodBefore(days));
    expect(found(previous)).toEqual(found(await summary({ from: previous.from, to: previous.to })));
  }
});

test.each([
  ['days', '2026-03-10', '2026-03-14', '2026-03-05', '2026-03-09'],
  ['the first days of a month', '2026-03-01', '2026-03-30', '2026-01-30', '2026-02-28'],
  ['a month', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['a quarter', '2026-01-01', '2026-03-31', '2025-10-01', '2025-12-31'],
  ['a year', '2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'],
])('before %s come as many', (_, from, to, fromBefore, toBefore) => {
  expect(periodBefore({ from, to })).toEqual({ from: fromBefore, to: toBefore });
});

describe.each(kinds)('the rows by %s', (by) => {
  test('add up to the summary, and each has the figures of its orders', async () => {
    for (let round = 0; round < (isNightly ? 20 : 3); round += 1) {
      const days = randomDays();
      const { rows = [], ...of } = await summary({ ...days, by });
      expect(sumUp(rows.map(found))).toEqual(found(of));
      const moves = movesIn(days);
      for (const row of rows) expect(found(row), row.name).toEqual(sumOf(moves.filter((move) => move[by] === row.key)));
      expect(rows.map(({ key }) => key)).toHaveLength(new Set(rows.map(({ key }) => key)).size);
    }
  });

  test('are a CSV file with two decimals, and discounts, returns and costs negative', async () => {
    const days = { from: daysBefore(400), to: daysBefore(35) };
    const { rows = [] } = await summary({ ...days, by });
    const lines = await download({ ...days, by });
    expect(
      lines.map((line) => [line[summaryLabels[by]], line['Net sales'], line['Returns'], line['Cost of sales']]),
    ).toEqual(
      rows.map(({ name, netSales, returns, costOfGoods }) => [
        name,
        netSales.toFixed(2),
        (0 - returns).toFixed(2),
        costOfGoods === null ? '' : (0 - costOfGoods).toFixed(2),
      ]),
    );
    for (const line of lines) {
      const figure = (name: string) => cents(Number(line[name]));
      expect(figure('Gross sales') + figure('Discounts') + figure('Returns')).toBe(figure('Net sales'));
      expect(figure('Net sales') + figure('Delivery') + figure('Sales tax')).toBe(figure('Total'));
    }
  });
});

async function download(query: Record<string, string>): Promise<Record<string, string>[]> {
  const headers = { authorization: `Bearer ${admin.token}` };
  const url = `/api/admin/reports/summary/export?${new URLSearchParams(query).toString()}`;
  return rowsOf((await shop.app.inject({ url, headers })).body);
}

test('without rows, the file has each figure beside that of the period before', async () => {
  const days = { from: daysBefore(400), to: daysBefore(35) };
  const { previous, ...of } = await summary(days);
  const lines = await download(days);
  expect(lines.map(({ Figure }) => Figure)).toEqual(Object.values(figureLabels));
  expect(lines[1]).toEqual({
    Figure: 'Discounts',
    [`${days.from} to ${days.to}`]: (0 - of.discounts).toFixed(2),
    [`${previous.from} to ${previous.to}`]: (0 - previous.discounts).toFixed(2),
  });
});

test('products come by net sales, then delivery, then refunds without a line; codes before orders without one', async () => {
  const { rows: ofProducts = [] } = await summary({ period: '12months', by: 'product' });
  expect(ofProducts.slice(-2).map(({ name }) => name)).toEqual(['Delivery', 'Custom-amount refunds']);
  const nets = ofProducts.slice(0, -2).map(({ netSales }) => netSales);
  expect(nets).toEqual(nets.toSorted((one, other) => other - one));
  const { rows: codes = [] } = await summary({ period: '12months', by: 'code' });
  expect(codes.map(({ name }) => name).toSorted()).toEqual(['FALL', 'No code', 'SPRING']);
  expect(codes.at(-1)?.name).toBe('No code');
});

test('a page has its rows of all, in the same order', async () => {
  const query = { period: '12months', by: 'product' } as const;
  const { rows: all = [] } = await summary(query);
  const pages = [0, 1, 2].map((page) => summary({ ...query, page, size: 5 }));
  const found = await Promise.all(pages);
  expect(found.map(({ totalRows }) => totalRows)).toEqual([8, 8, 8]);
  expect(found.map(({ rows }) => rows)).toEqual([all.slice(0, 5), all.slice(5), []]);
});

test('products are named with their size', async () => {
  const sized = { netGrams: 110 };
  await shop.db
    .update(products)
    .set(sized)
    .where(eq(products.id, shelf[0]?.productId ?? ''));
  const query = { period: '12months' } as const;
  const { report } = (await shop.call('getReport', { as: admin, path: { by: 'product' }, query })).data;
  const { rows = [] } = await summary({ ...query, by: 'product' });
  const nameIn = (all: { key: string; name: string }[]) =>
    shelf.slice(0, 2).map(({ productId }) => all.find(({ key }) => key === productId)?.name);
  for (const all of [report.rows, rows]) expect(nameIn(all)).toEqual(['Cumin, 3.9 oz (110 g)', 'Sumac']);
});

test('this month and last month are those of the calendar', async () => {
  const today = dayOf(shop.clock.now());
  expect(await summary({})).toMatchObject({ from: `${today.slice(0, 7)}-01`, to: today });
  const { from, to } = await summary({ period: 'lastMonth' });
  expect([from.slice(8), from.slice(0, 7)]).toEqual(['01', to.slice(0, 7)]);
  expect(Date.parse(`${today.slice(0, 7)}-01`) - Date.parse(to)).toBe(86_400_000);
});

test('the last day must not be before the first, and custom needs both', async () => {
  const ask = (query: QueryOf<'getSalesSummary'>) => shop.call('getSalesSummary', { as: admin, query });
  expect(await ask({ from: '2026-03-02', to: '2026-03-01' })).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await ask({ from: '2026-03-02' })).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('the first days that there can be have a period before, too', async () => {
  const { previous } = await summary({ from: '2000-01-03', to: '2000-01-09' });
  expect(previous).toMatchObject({ from: '2000-01-01', to: '2000-01-02', total: 0 });
  expect((await summary({ from: '2000-01-01', to: '2000-01-09' })).previous.total).toBe(0);
});

test('costs that are unknown are not zero', async () => {
  const own = await openOwnShop();
  const as = await own.signIn({ role: 'ROLE_ADMIN' });
  const { userId } = await own.signIn();
  const read = async () => (await own.call('getSalesSummary', { as, query: { by: 'product' } })).data.summary;
  expect(await read()).toMatchObject({ costOfGoods: 0, grossProfit: 0, unitsWithoutCost: 0 });
  const { id: categoryId } = await own.category();
  const sell = async (name: string, unitCostCents: number | null) => {
    const { id: productId } = await own.stock({ categoryId, name, priceCents: 500 });
    const paidAt = new Date(own.clock.now().getTime() - 1);
    const plain = {
      discountId: null,
      taxRatePpm: null,
      discountCents: 0,
      deliveryCents: 0,
      taxedCents: 0,
      taxCents: 0,
      deliveryTaxCents: 0,
    };
    const line = { productId, categoryId, quantity: 2, cents: 1_000, discountCents: 0, taxCents: 0, unitCostCents };
    const order = { ...plain, state: 'GA', paidAt, goodsCents: 1_000, totalCents: 1_000, refunds: [] };
    const lines = [{ ...line, id: crypto.randomUUID() }];
    await writeOrders(own.pool, [{ ...order, id: crypto.randomUUID(), lines }], userId);
  };
  await sell('Mace', null);
  expect(await read()).toMatchObject({ netSales: 10, costOfGoods: null, grossProfit: null, unitsWithoutCost: 2 });
  await sell('Nutmeg', 120);
  const { rows = [], ...of } = await read();
  expect(of).toMatchObject({ netSales: 20, costOfGoods: 2.4, grossProfit: 17.6, unitsWithoutCost: 2 });
  expect(rows.map(({ name, costOfGoods }) => [name, costOfGoods])).toEqual([
    ['Mace', null],
    ['Nutmeg', 2.4],
  ]);
  await own.close();
});
