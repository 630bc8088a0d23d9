import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../src/shared/settings';
import { rowsOf } from '../../support/backOffice';
import { paidOrder } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
let admin: Person;
const targetId = randomUUID();
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER', fullName: 'Example Owner' });
  admin = await shop.signIn({ role: 'ROLE_ADMIN', fullName: '=Example Admin' });
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, timeZone: 'Asia/Tokyo' } });
  // a day in Tokyo starts at 15:00 UTC
  const entries: [string, string, string, string | null][] = [
    ['2026-03-01T14:59:59Z', 'order.status_changed', 'order', admin.userId],
    ['2026-03-01T15:00:00Z', 'order.status_changed', 'order', owner.userId],
    ['2026-03-02T14:59:59Z', 'product.changed', 'product', admin.userId],
    ['2026-03-02T15:00:00Z', 'user.created', 'user', null],
  ];
  for (const [at, action, kind, actor] of entries) {
    await shop.pool.query(
      `insert into audit_log (at, action, target_kind, target_id, actor_id, before, after)
       values ($1, $2, $3, $4, $5, '{"status": "PAID"}', null)`,
      [at, action, kind, targetId, actor],
    );
  }
});
afterAll(() => shop.close());

const list = async (query: object) =>
  (await shop.call('listAudit', { as: admin, query: { targetId, ...query } })).data.entries;
const days = async (query: object) => (await list(query)).content.map(({ at }) => at.slice(0, 16));

describe('the audit log', () => {
  test('shows the newest entries first, with who did it, in pages', async () => {
    const { content, totalElements } = await list({ size: 3 });
    expect(totalElements).toBe(4);
    expect(content).toMatchObject([
      { action: 'user.created', actor: null, before: { status: 'PAID' }, after: null },
      { action: 'product.changed', actor: { userId: admin.userId, fullName: '=Example Admin' } },
      { action: 'order.status_changed', targetKind: 'order', targetId },
    ]);
    expect(await days({ size: 3, page: 1 })).toEqual(['2026-03-01T14:59']);
  });

  test('can be filtered by person, action, kind of thing, and days in the shop’s time zone', async () => {
    expect(await days({ actor: owner.userId })).toEqual(['2026-03-01T15:00']);
    expect(await days({ action: 'product.changed' })).toEqual(['2026-03-02T14:59']);
    expect(await days({ kind: 'order', actor: admin.userId })).toEqual(['2026-03-01T14:59']);
    expect(await days({ from: '2026-03-02', to: '2026-03-02' })).toEqual(['2026-03-02T14:59', '2026-03-01T15:00']);
    expect(await days({ to: '2026-03-01' })).toEqual(['2026-03-01T14:59']);
    expect(await days({ from: '2026-03-03' })).toEqual(['2026-03-02T15:00']);
    expect(await days({ action: 'no.such' })).toEqual([]);
  });

  test('lists its filter options: every action in it, and all staff, including those who are customers now', async () => {
    const customer = await shop.signIn();
    const { filters } = (await shop.call('listAudit', { as: admin })).data;
    const actions = ['order.status_changed', 'product.changed', 'setting.changed', 'user.created'];
    expect(filters.actions).toEqual(expect.arrayContaining(actions));
    expect(filters.actions).toEqual(filters.actions.toSorted());
    const ids = filters.actors.map(({ userId }) => userId);
    expect(ids).toEqual([admin.userId, owner.userId]);
    expect(ids).not.toContain(customer.userId);

    const former = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Former Admin' });
    await shop.call('updateUserRole', { as: owner, path: { userId: former.userId }, query: { role: 'ROLE_CUSTOMER' } });
    const promoted = await shop.signIn({ fullName: 'New Admin' });
    await shop.call('updateUserRole', { as: owner, path: { userId: promoted.userId }, query: { role: 'ROLE_ADMIN' } });
    const { data } = await shop.call('listAudit', { as: admin });
    const names = data.filters.actors.map(({ fullName }) => fullName);
    expect(names).toEqual(['=Example Admin', 'Example Owner', 'Former Admin', 'New Admin']);
  });

  test('exports exactly the entries of its filter, without formulas', async () => {
    const { body, statusCode } = await shop.app.inject({
      url: '/api/admin/audit/export',
      query: { actor: admin.userId, targetId },
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect(statusCode).toBe(200);
    expect(rowsOf(body)).toMatchObject([
      {
        Time: '2026-03-02T23:59:59+09:00',
        Who: `'=Example Admin`,
        Action: 'product.changed',
        Before: '{"status":"PAID"}',
        Item: 'Product',
        Change: 'Status was Paid',
      },
      { Time: '2026-03-01T23:59:59+09:00', Action: 'order.status_changed', After: '' },
    ]);
  });

  test('describes a change in words, with the current names of things', async () => {
    const { orderId } = await paidOrder(shop, { name: 'Ebbeh', priceCents: 1250 });
    const { rows } = await shop.pool.query<Record<'order_number' | 'id' | 'product_id', string>>(
      `select order_number, order_items.id, product_id from orders join order_items on order_id = orders.id
       where orders.id = $1`,
      [orderId],
    );
    const [item] = rows;
    const lines = [{ orderItemId: item?.id, quantity: 1, restock: true }];
    await shop.call('refundOrder', { as: admin, path: { orderId }, body: { reason: 'Broken', lines } });
    const category = await shop.category({ title: 'Herbal Teas' });
    await shop.pool.query(
      `insert into audit_log (at, action, target_kind, target_id, before, after)
       values (now(), 'product.changed', 'product', $1, $2, '{"categoryId": null}')`,
      [item?.product_id, { categoryId: category.id }],
    );
    const inWords = async (query: Record<string, unknown>) =>
      (await shop.call('listAudit', { as: admin, query })).data.entries.content.map(({ thing, changes }) => [
        thing,
        ...changes,
      ]);
    expect(await inWords({ kind: 'order', targetId: orderId })).toEqual([
      [`Order #${item?.order_number}`, 'Refunded $12.50: 1 × Ebbeh (restocked)'],
    ]);
    expect(await inWords({ kind: 'product', targetId: item?.product_id })).toEqual([
      ['Ebbeh', 'Category removed, was Herbal Teas'],
    ]);
  });

  test('records who exported which list', async () => {
    const person = await shop.signIn({ role: 'ROLE_OWNER' });
    for (const call of ['exportOrders', 'exportUsers', 'exportProducts', 'exportCategories'] as const)
      await shop.call(call, { as: person });
    await shop.call('exportDiscounts', { as: person });
    await shop.call('exportTaxRates', { as: person });
    await shop.call('exportReport', { as: person, path: { by: 'month' } });
    await shop.call('exportAudit', { as: person });
    const { rows } = await shop.pool.query<{ action: string }>(
      `select action from audit_log where actor_id = $1 and target_kind = 'export' order by id`,
      [person.userId],
    );
    const lists = ['orders', 'users', 'products', 'categories', 'discounts', 'tax_rates', 'report', 'audit_log'];
    expect(rows.map(({ action }) => action)).toEqual(lists.map((list) => `${list}.exported`));
  });

  test('records a settled alarm once', async () => {
    const id = randomUUID();
    await shop.pool.query(
      `insert into alarms (id, kind, about, detail, created_at) values ($1, 'mail_failed', $2, 'Something', $3)`,
      [id, `mail:${id}`, shop.clock.now()],
    );
    for (const as of [admin, owner]) await shop.call('settleAlarm', { as, path: { alarmId: id } });
    expect((await list({ targetId: id, kind: 'alarm' })).content).toMatchObject([
      { action: 'alarm.settled', actor: { userId: admin.userId }, after: { kind: 'mail_failed' } },
    ]);
  });
});
