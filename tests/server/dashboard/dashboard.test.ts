import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { bucketOf, daysOf } from '../../../src/shared/dashboard';
import { defaultSettings } from '../../../src/shared/settings';
import { isNightly } from '../../support/nightly';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/**
 * Thousands of orders around the borders of days, years and daylight saving. The shop computes its figures from
 * timestamps; the expected ones come from each payment's date on the zone's own clock.
 */
let shop: TestShop;
let owner: Person;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

/** Havana repeats midnight, Santiago skips it, New York changes at two. */
const borders: Record<string, string[]> = {
  'America/New_York': ['2026-01-01T05:00Z', '2026-03-08T07:00Z', '2026-07-02T04:00Z', '2026-11-01T06:00Z'],
  'America/Havana': ['2026-01-01T05:00Z', '2026-03-08T05:00Z', '2026-07-02T04:00Z', '2026-11-01T05:00Z'],
  'America/Santiago': ['2026-01-01T03:00Z', '2026-04-05T03:00Z', '2026-07-02T04:00Z', '2026-09-06T04:00Z'],
};
const spans: [from: string, to: string][] = [
  ['2026-03-08', '2026-03-08'],
  ['2026-03-07', '2026-03-08'],
  ['2026-04-04', '2026-04-04'],
  ['2026-09-06', '2026-09-06'],
  ['2026-11-01', '2026-11-01'],
  ['2026-10-31', '2026-10-31'],
  ['2026-01-01', '2026-01-31'],
  ['2026-02-20', '2026-05-20'],
  ['2025-12-31', '2026-12-31'],
];

async function generateOrders(): Promise<void> {
  const { id: productId } = await shop.stock();
  const { userId } = await shop.signIn();
  const moments = [...new Set(Object.values(borders).flat())];
  await shop.pool.query(
    `with made as (
       insert into orders (id, order_number, user_id, cart_id, customer, street, city, state, postal_code, status,
         total_cents, delivery_cents, content_hash, created_at, paid_at)
       select gen_random_uuid(), 'G-' || n, $1, gen_random_uuid(), 'Customer ' || n, 'a', 'b', 'GA', '30303',
         case when n % 9 = 0 then 'CANCELLED' when n % 7 = 0 then 'REFUNDED' else 'DELIVERED' end,
         140 + n * 7919 % 10000, n * 7919 % 10000, '', moment - interval '1 minute', case when n % 9 > 0 then moment end
       from generate_series(1, $4::int) as n, lateral (
         select ($2::timestamptz[])[1 + n % array_length($2::timestamptz[], 1)]
           + case when n % 5 = 0 then (n % 3 - 1) * interval '1 millisecond'
             else (n::bigint * 104729 % 345600 - 172800) * interval '1 second' end as moment) as moments
       returning id, order_number, total_cents, paid_at),
     lines as (
       insert into order_items (id, order_id, product_id, product_name, unit_price_cents, unit_cost_cents, quantity,
         total_cents, category_id, position)
       select gen_random_uuid(), id, $3, 'Pepper', 10 * line, case when line < 3 then 3 + line end, line, 10 * line * line,
         (select category_id from products where products.id = $3), line from made, generate_series(1, 3) as line
       returning id, order_id, quantity),
     given as (
       insert into refunds (id, order_id, amount_cents, state, reason, stray_payment_id, restock, created_at, done_at)
       select gen_random_uuid(), id, 1 + total_cents / 3, case when total_cents % 5 = 0 then 'failed' else 'done' end, 'x',
         case when total_cents % 11 = 0 then order_number end, total_cents % 3 = 0, paid_at,
         paid_at + total_cents * interval '9 seconds'
       from made where total_cents % 4 = 0 and paid_at is not null
       returning id, order_id, restock)
     insert into refund_lines (refund_id, order_item_id, quantity, restock, goods_cents, tax_cents)
       select given.id, lines.id, 1 + quantity / 3, quantity <> 2, 0, 0
       from given join lines on lines.order_id = given.order_id where not given.restock`,
    [userId, moments, productId, isNightly ? 10_000 : 2_000],
  );
  await shop.pool.query('analyze');
}

type Sums = { paid: number; refunded: number; cost: number; sales: number };
type Part = Sums & { part: string };

/** What happened on the days of a zone, grouped by a part of its local time such as 'YYYY-MM'. */
async function recompute(from: string, to: string, zone: string, part: string): Promise<Part[]> {
  const { rows } = await shop.pool.query<Part>(
    `select to_char(clock, $4) as part, sum(paid)::int as paid, sum(refunded)::int as refunded, sum(cost)::int as cost,
       sum(sales)::int as sales
     from (select paid_at at time zone $3 as clock, total_cents as paid, 0 as refunded, 1 as sales,
             (select coalesce(sum(unit_cost_cents * quantity), 0) from order_items where order_id = orders.id) as cost
           from orders where paid_at is not null
           union all
           select done_at at time zone $3, 0, amount_cents, 0, 0 from refunds
           where state = 'done' and stray_payment_id is null
           union all
           select done_at at time zone $3, 0, 0, 0, -(
             select coalesce(sum(unit_cost_cents * case when refunds.restock then item.quantity else (
               select coalesce(sum(quantity), 0) from refund_lines
               where refund_id = refunds.id and order_item_id = item.id and refund_lines.restock) end), 0)
             from order_items as item where item.order_id = refunds.order_id)
           from refunds where done_at is not null) as moves
     where clock::date between $1 and $2 group by 1 order by 1`,
    [from, to, zone, part],
  );
  return rows;
}

const parts = { hour: 'YYYY-MM-DD"T"HH24:00', day: 'YYYY-MM-DD', week: 'IYYY-IW', month: 'YYYY-MM' };
const cents = (dollars: number | null) => Math.round((dollars ?? 0) * 100);
const dashboard = async (query: object) =>
  (await shop.call('getDashboard', { as: admin, query: { ...query } })).data.dashboard;
const setZone = (timeZone: string) =>
  shop.call('updateSettings', { as: owner, body: { ...defaultSettings, timeZone } });

test('there are no expenses until a product has a cost', async () => {
  const fresh = await openOwnShop();
  const as = await fresh.signIn({ role: 'ROLE_ADMIN' });
  const shown = async () => (await fresh.call('getDashboard', { as, query: { period: 'today' } })).data.dashboard;
  const { id } = await fresh.stock();
  expect(await shown()).toMatchObject({ expenses: null, revenue: 0, sales: 0 });
  await fresh.db.update(products).set({ unitCostCents: 120 }).where(eq(products.id, id));
  expect(await shown()).toMatchObject({ expenses: 0 });
  await fresh.close();
});

describe('every figure of thousands of orders equals that of an independent query, to the cent', () => {
  beforeAll(generateOrders);

  test.each(Object.keys(borders))('in %s', async (zone) => {
    expect((await setZone(zone)).status).toBe(200);
    for (const [from, to] of spans) {
      const shown = await dashboard({ period: 'custom', from, to });
      const [found] = await recompute(from, to, zone, '');
      const { paid = 0, refunded = 0, cost = 0, sales = 0 } = found ?? {};
      const where = `${zone} ${from} ${to}`;
      expect(cents(shown.paidAmount), where).toBe(paid);
      expect(cents(shown.refundedAmount), where).toBe(refunded);
      expect(cents(shown.revenue), where).toBe(paid - refunded);
      expect(cents(shown.expenses), where).toBe(cost);
      expect(shown.sales, where).toBe(sales);
      expect(sales, where).toBeGreaterThan(0);
    }
  });

  test.each(Object.keys(borders))('day by day in %s, without gaps', async (zone) => {
    await setZone(zone);
    for (const [from, to] of spans) {
      const { series, bucket } = await dashboard({ period: 'custom', from, to });
      const found = await recompute(from, to, zone, parts[bucket]);
      const moments = series.map((point) => Date.parse(point.from));
      expect(moments).toEqual([...new Set(moments)].toSorted((one, other) => one - other));
      const { rows } = await shop.pool.query<{ part: string }>(
        `select to_char(label::timestamp, $2) as part from unnest($1::text[]) with ordinality as labels (label, place)
         order by place`,
        [series.map(({ label }) => label.replace(/:\d\d$/, ':00')), parts[bucket]],
      );
      const shown = new Map<string, { revenue: number; cost: number; sales: number }>();
      for (const [place, point] of series.entries()) {
        const part = rows[place]?.part ?? '';
        const sums = shown.get(part) ?? { revenue: 0, cost: 0, sales: 0 };
        shown.set(part, {
          revenue: sums.revenue + cents(point.revenue),
          cost: sums.cost + cents(point.expenses),
          sales: sums.sales + point.sales,
        });
      }
      for (const { part, paid, refunded, cost, sales } of found)
        expect(shown.get(part), `${zone} ${from} ${to} ${part}`).toEqual({ revenue: paid - refunded, cost, sales });
      const empty = [...shown].filter(([part]) => !found.some((one) => one.part === part));
      for (const [, sums] of empty) expect(sums).toEqual({ revenue: 0, cost: 0, sales: 0 });
    }
  });

  test('each figure opens exactly the list that it counts', async () => {
    const zone = 'America/Santiago';
    await setZone(zone);
    const [from, to] = ['2026-04-04', '2026-04-05'];
    const { sales, paidAmount, refundedAmount } = await dashboard({ period: 'custom', from, to });
    const list = async (by: string, page: number) =>
      (await shop.call('listOrders', { as: admin, query: { by, from, to, page, size: 100 } })).data.orders;
    const all = async (by: string) => {
      const first = await list(by, 0);
      const rest = [];
      for (let page = 1; page < first.totalPages; page++) rest.push(...(await list(by, page)).content);
      return [...first.content, ...rest];
    };
    const paid = await all('paid');
    expect(paid).toHaveLength(sales);
    expect(sales).toBeGreaterThan(20);
    expect(paid.reduce((sum, { totalAmount }) => sum + cents(totalAmount), 0)).toBe(cents(paidAmount));
    const dayOf = (moment: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(moment));
    const isIn = (moment: string | null) => moment !== null && dayOf(moment) >= from && dayOf(moment) <= to;
    const money = await all('money');
    const given = money
      .flatMap(({ refunds }) => refunds)
      .filter(({ state, doneAt }) => state === 'done' && isIn(doneAt));
    const { rows } = await shop.pool.query<{ cents: number }>(
      `select sum(amount_cents)::int as cents from refunds where stray_payment_id is not null and state = 'done'
       and (done_at at time zone $3)::date between $1 and $2 and order_id = any($4)`,
      [from, to, zone, money.map(({ id }) => id)],
    );
    const strayCents = rows[0]?.cents ?? 0;
    expect(given.reduce((sum, { amount }) => sum + cents(amount), 0) - strayCents).toBe(cents(refundedAmount));
    const known = new Set(money.map(({ id }) => id));
    for (const { id } of [...paid, ...(await all('refunded'))]) expect(known.has(id)).toBe(true);
    const inEither = money.filter(
      ({ paidAt, refunds }) => isIn(paidAt ?? null) || refunds.some(({ doneAt }) => isIn(doneAt)),
    );
    expect(inEither).toHaveLength(money.length);
  });
});

describe('a period', () => {
  test.each([
    ['today', '2026-03-02', '2026-03-02', 'hour'],
    ['7days', '2026-02-24', '2026-03-02', 'day'],
    ['30days', '2026-02-01', '2026-03-02', 'day'],
    ['90days', '2025-12-03', '2026-03-02', 'week'],
    ['year', '2026-01-01', '2026-03-02', 'week'],
  ] as const)('of %s ends today, inclusive', (period, from, to, bucket) => {
    expect(daysOf({ period }, '2026-03-02')).toEqual({ from, to });
    expect(bucketOf(from, to)).toBe(bucket);
  });

  test('uses the shop’s day, not the server’s', async () => {
    await setZone('Pacific/Kiritimati');
    const there = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(shop.clock.now());
    expect(await dashboard({ period: 'today' })).toMatchObject({ from: there, to: there, bucket: 'hour' });
  });

  test.each([
    [{ period: 'custom' }],
    [{ period: 'custom', from: '2026-03-01' }],
    [{ period: 'custom', from: '2026-03-02', to: '2026-03-01' }],
    [{ period: 'custom', from: '2010-01-01', to: '2026-03-01' }],
    [{ period: 'custom', from: '2026-02-30', to: '2026-03-01' }],
    [{ period: 'custom', from: '1026-02-03', to: '2026-03-01' }],
    [{ period: 'always' }],
  ])('of %j is rejected', async (query) => {
    expect(await shop.call('getDashboard', { as: admin, query })).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
  });
});

test('open tasks are counted by kind, including unread messages', async () => {
  const raise = (kind: string) =>
    shop.pool.query('insert into alarms (id, kind, about, detail, created_at) values ($1, $2, $3, $4, $5)', [
      randomUUID(),
      kind,
      randomUUID(),
      'Something',
      shop.clock.now(),
    ]);
  for (const kind of ['mail_failed', 'event_refused', 'mail_failed']) await raise(kind);
  await shop.call('createContactMessage', { body: { email: 'ana@example.com', reason: 'Hello' } });
  expect(await dashboard({})).toMatchObject({
    attention: [
      { kind: 'mail_failed', count: 2 },
      { kind: 'event_refused', count: 1 },
    ],
    newMessages: 1,
  });
});
