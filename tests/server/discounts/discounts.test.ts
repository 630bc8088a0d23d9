import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLog, discounts, orders } from '../../../src/server/db/schema/tables';
import type { QueryOf, Schema } from '../../../src/shared/contract';
import { discountStatus } from '../../../src/shared/discounts';
import { rowsOf } from '../../support/backOffice';
import { openOrder, paidOrder } from '../../support/buying';
import { someCode } from '../../support/discountScenarios';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const create = (body: object) => shop.call('createDiscount', { as: admin, body });
const made = async (facts: Partial<Schema<'DiscountForm'>> = {}) => (await create(someCode(facts))).data.discount;
const update = (discountId: string, body: object) =>
  shop.call('updateDiscount', { as: admin, path: { discountId }, body });
const read = async (discountId: string) =>
  (await shop.call('getDiscount', { as: admin, path: { discountId } })).data.discount;
const list = async (query: QueryOf<'listDiscounts'>) =>
  (await shop.call('listDiscounts', { as: admin, query: { ...query } })).data.discounts;
const use = (orderId: string, discountId: string) =>
  shop.db.update(orders).set({ discountId, discountCode: 'X' }).where(eq(orders.id, orderId));
const fromNow = (days: number) => new Date(shop.clock.now().getTime() + days * 86_400_000).toISOString();

test.each(['0000-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '9999-12-31T23:59:59-12:00'])(
  'a code that begins at %s is rejected',
  async (startsAt) => {
    expect(await create(someCode({ startsAt }))).toMatchObject({ status: 400, errors: [{ field: 'startsAt' }] });
  },
);

describe('a new code', () => {
  test('is stored in capitals without blanks at its ends, and has what was sent', async () => {
    const { id: categoryId } = await shop.category();
    const { status, data } = await create({
      code: '  yassa-15 ',
      kind: 'amount',
      amount: 4.35,
      percent: 10,
      minimum: 30,
      startsAt: fromNow(1),
      endsAt: fromNow(9),
      maxUses: 40,
      maxUsesPerCustomer: 1,
      categoryIds: [categoryId],
      note: 'For the fair',
    });
    expect(status).toBe(201);
    expect(data.discount).toMatchObject({
      code: 'YASSA-15',
      kind: 'amount',
      amount: 4.35,
      percent: null,
      minimum: 30,
      maxUses: 40,
      maxUsesPerCustomer: 1,
      categoryIds: [categoryId],
      note: 'For the fair',
      isActive: true,
      status: 'planned',
      uses: 0,
      revenue: 0,
    });
    expect(await read(data.discount.id)).toEqual(data.discount);
  });

  test('is rejected when its name is taken, in any case', async () => {
    const { code } = await made();
    expect(await create(someCode({ code: code.toLowerCase() }))).toMatchObject({
      status: 409,
      code: 'code_taken',
      errors: [{ field: 'code', message: "There's already a code with this name" }],
    });
  });

  const wrong: [string, object, field: string, message: string][] = [
    ['letters that no code has', { code: 'A B' }, 'code', 'Use 3 to 40 letters, numbers, and hyphens'],
    ['two letters', { code: 'AB' }, 'code', 'Use 3 to 40 letters, numbers, and hyphens'],
    ['no percent', { percent: null }, 'percent', 'Enter a whole number from 1 to 100'],
    ['101 percent', { percent: 101 }, 'percent', 'Enter a whole number from 1 to 100'],
    ['no amount', { kind: 'amount' }, 'amount', 'Enter an amount, such as 5.00'],
    ['half a cent', { kind: 'amount', amount: 1.005 }, 'amount', 'Enter an amount, such as 5.00'],
    ['nothing off', { kind: 'amount', amount: 0 }, 'amount', 'Enter an amount, such as 5.00'],
    ['no use', { maxUses: 0 }, 'maxUses', 'Enter a whole number from 1 to 1,000,000'],
    ['no category', { categoryIds: [] }, 'categoryIds', 'Choose at least one category'],
    [
      'a category that is not there',
      { categoryIds: ['3f6b1d2e-7a48-4c95-8e10-5d9c2b7f4a61'] },
      'categoryIds',
      'This category no longer exists',
    ],
    [
      'an end before its start',
      { startsAt: '2026-11-02T00:00:00Z', endsAt: '2026-11-01T00:00:00Z' },
      'endsAt',
      "The end date can't be before the start date",
    ],
    ['a note that is too long', { note: 'x'.repeat(201) }, 'note', 'Use 200 characters or fewer'],
  ];
  test.each(wrong)('is rejected with %s', async (_, facts, field, message) => {
    expect(await create({ ...someCode(), ...facts })).toMatchObject({ status: 400, errors: [{ field, message }] });
  });
});

describe('a change', () => {
  test('is written to the audit log, unless it changes nothing', async () => {
    const { id, code } = await made();
    const entries = () => shop.db.select().from(auditLog).where(eq(auditLog.targetId, id)).orderBy(auditLog.id);
    await update(id, { code, kind: 'percent', percent: 10 });
    await update(id, { code, kind: 'percent', percent: 20, isActive: false });
    const written = (await entries()).map(({ action, before, after, actorId }) => ({ action, before, after, actorId }));
    expect(written).toEqual([
      expect.objectContaining({ action: 'discount.created', actorId: admin.userId }),
      {
        action: 'discount.changed',
        before: { percent: 10, isActive: true },
        after: { percent: 20, isActive: false },
        actorId: admin.userId,
      },
    ]);
  });

  test('of the code or the kind is rejected once it was used in an order; all else can be changed', async () => {
    const { id, code } = await made();
    await use((await openOrder(shop)).orderId, id);
    expect(await update(id, { code: 'OTHER-1', kind: 'free_delivery' })).toMatchObject({
      status: 409,
      code: 'discount_used',
      errors: [
        { field: 'code', message: "This code has been used, so its name can't change" },
        { field: 'kind', message: "This code has been used, so its discount type can't change" },
      ],
    });
    const { data } = await update(id, { code: code.toLowerCase(), kind: 'percent', percent: 5, note: 'Less' });
    expect(data.discount).toMatchObject({ code, percent: 5, note: 'Less', uses: 1 });
  });

  test('keeps a category that was deleted since', async () => {
    const { id: categoryId } = await shop.category();
    const { id, code } = await made({ categoryIds: [categoryId] });
    await shop.pool.query('delete from categories where id = $1', [categoryId]);
    const { status } = await update(id, { code, kind: 'percent', percent: 1, categoryIds: [categoryId] });
    expect(status).toBe(200);
  });
});

describe('uses and revenue', () => {
  test('a canceled order returns its use, and refunds reduce the revenue', async () => {
    const { id } = await made();
    const paid = await paidOrder(shop, { priceCents: 1_000 }, 2);
    const open = await openOrder(shop, { priceCents: 1_000 });
    const gone = await openOrder(shop, { priceCents: 1_000 });
    for (const { orderId } of [paid, open, gone]) await use(orderId, id);
    await shop.db.update(orders).set({ status: 'CANCELLED' }).where(eq(orders.id, gone.orderId));
    expect(await read(id)).toMatchObject({ uses: 2, revenue: 20 });
    const body = { reason: 'Asked for', amount: 5 };
    expect((await shop.call('refundOrder', { as: admin, path: { orderId: paid.orderId }, body })).status).toBe(200);
    expect(await read(id)).toMatchObject({ uses: 2, revenue: 15 });
    const ofCode = await shop.call('listOrders', { as: admin, query: { discount: id } });
    expect(ofCode.data.orders.content.map((order) => order.id).toSorted()).toEqual(
      [paid.orderId, open.orderId, gone.orderId].toSorted(),
    );
  });

  test('revenue is that of a period, uses are of all time', async () => {
    const { id, code } = await made();
    const { orderId } = await paidOrder(shop, { priceCents: 1_000 });
    await use(orderId, id);
    await shop.db
      .update(orders)
      .set({ paidAt: new Date('2025-05-05T12:00:00Z') })
      .where(eq(orders.id, orderId));
    const ofDay = async (day: string) => (await list({ q: code, from: day, to: day })).content;
    expect(await ofDay('2025-05-05')).toMatchObject([{ uses: 1, revenue: 10 }]);
    expect(await ofDay('2025-05-06')).toMatchObject([{ uses: 1, revenue: 0 }]);
    expect((await list({ q: code })).content).toMatchObject([{ uses: 1, revenue: 10 }]);
    expect((await list({ q: code, period: 'today' })).content).toMatchObject([{ uses: 1, revenue: 0 }]);
  });
});

describe('the list', () => {
  test("shows each code's status by the rule of statuses, and is filtered by it", async () => {
    const [past, later] = [fromNow(-3), fromNow(3)];
    const all = await Promise.all(
      [
        {},
        { endsAt: past },
        { startsAt: later },
        { isActive: false, endsAt: past },
        { maxUses: 1 },
        { maxUses: 2, startsAt: later },
      ].map((facts) => made({ ...facts, note: 'of the statuses' })),
    );
    for (const { maxUses, id } of all) if (maxUses === 1) await use((await openOrder(shop)).orderId, id);
    const rows = await shop.db.select().from(discounts).where(eq(discounts.note, 'of the statuses'));
    const shown = (await list({ q: 'OF THE statuses', size: 50 })).content;
    expect(shown).toHaveLength(all.length);
    for (const { id, status, uses } of shown) {
      const row = rows.find((each) => each.id === id);
      if (row) expect(status).toBe(discountStatus(row, { uses, now: shop.clock.now() }));
    }
    expect(new Set(shown.map(({ status }) => status)).size).toBe(5);
    for (const { status } of shown) {
      const filtered = await list({ q: 'of the statuses', status, size: 50 });
      expect(filtered.totalElements).toBe(shown.filter((each) => each.status === status).length);
    }
  });

  test('is sorted by each column, both ways, and the file has the same rows', async () => {
    const notes = { note: 'of the order' };
    for (const code of ['ORDER-B', 'ORDER-C', 'ORDER-A']) await made({ code, ...notes });
    const codes = async (query: QueryOf<'listDiscounts'>) =>
      (await list({ q: 'of the order', ...query })).content.map(({ code }) => code);
    expect(await codes({})).toEqual(['ORDER-A', 'ORDER-C', 'ORDER-B']);
    expect(await codes({ sort: 'code', direction: 'asc' })).toEqual(['ORDER-A', 'ORDER-B', 'ORDER-C']);
    expect(await codes({ sort: 'code', direction: 'asc', size: 2, page: 1 })).toEqual(['ORDER-C']);
    for (const sort of ['uses', 'revenue', 'createdAt'] as const) {
      const up = await codes({ sort, direction: 'asc' });
      expect(await codes({ sort, direction: 'desc' })).toEqual(up.toReversed());
    }
    const headers = { authorization: `Bearer ${admin.token}` };
    const url = '/api/admin/discounts/export?q=of+the+order&sort=code';
    expect(rowsOf((await shop.app.inject({ url, headers })).body)).toMatchObject([
      { Code: 'ORDER-C', Percent: '10', Used: '0', Revenue: '0.00', Status: 'Active' },
      { Code: 'ORDER-B' },
      { Code: 'ORDER-A' },
    ]);
    expect(await list({ q: 'of the order', page: 5 })).toMatchObject({ content: [], totalElements: 3 });
  });
});
