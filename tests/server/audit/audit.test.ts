import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, notKept } from '../../../src/server/audit/service';
import { bearer, longPassword, password } from '../../support/accounts';
import { logIn, newCustomer, newcomer, openAccount } from '../../support/auth';
import { paidOrder } from '../../support/buying';
import { multipart } from '../../support/multipart';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(async () => {
  shop.clock.advance(16 * 60_000); // rate limits of one test must not affect the next
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});

type Row = { actor_id: string; action: string; before: object; after: object; request_id: string; at: Date };
const rowsAbout = async (targetId: string) =>
  (await shop.pool.query<Row>('select * from audit_log where target_id = $1 order by id', [targetId])).rows;

describe('the audit log records who did what to which thing', () => {
  test('for role changes, deactivation and reactivation: before, after and the request', async () => {
    const { userId } = await shop.signIn();
    const path = { userId };
    const answer = await shop.call('updateUserRole', { as: owner, path, query: { role: 'ROLE_ADMIN' } });
    await shop.call('updateUserRole', { as: owner, path, query: { role: 'ROLE_ADMIN' } }); // already an admin
    for (const isEnabled of [false, false, true])
      await shop.call('updateUserEnabled', { as: owner, path, body: { isEnabled } });
    expect(answer.status).toBe(200);
    expect(await rowsAbout(userId)).toMatchObject([
      { action: 'user.role_changed', before: { role: 'ROLE_CUSTOMER' }, after: { role: 'ROLE_ADMIN' } },
      { action: 'user.disabled', before: { isEnabled: true }, after: { isEnabled: false } },
      { action: 'user.enabled', before: { isEnabled: false }, after: { isEnabled: true } },
    ]);
    for (const { actor_id, request_id } of await rowsAbout(userId)) {
      expect(actor_id).toBe(owner.userId);
      expect(request_id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('also if the call has the id in capital letters', async () => {
    const { orderId, as } = await paidOrder(shop, { quantity: 5 });
    const path = { orderId: orderId.toUpperCase() };
    const body = { shipmentTrackingUrl: 'https://parcels.example.com/1' };
    const { details } = (await shop.call('setOrderTracking', { as: owner, path, body })).data;
    expect(details.trackingChanges).toHaveLength(1);
    await shop.call('addCustomerNote', { as: owner, path: { id: as.userId.toUpperCase() }, body: { text: 'Rings' } });
    for (const [targetId, action] of [
      [orderId, 'order.tracking_set'],
      [as.userId, 'user.note_added'],
    ] as const) {
      expect(await rowsAbout(targetId)).toMatchObject([{ action }]);
      for (const id of [targetId, targetId.toUpperCase()]) {
        const { entries } = (await shop.call('listAudit', { as: owner, query: { targetId: id } })).data;
        expect(entries.content).toMatchObject([{ action }]);
      }
    }
  });

  test('for users added by staff: no name, email or address', async () => {
    const body = { ...newcomer({ password: longPassword, confirmPassword: longPassword }), role: 'ROLE_ADMIN' };
    const { data } = await shop.call('createUser', { as: owner, body });
    const [row] = await rowsAbout(data.user.id);
    expect(row).toMatchObject({ action: 'user.created', actor_id: owner.userId, after: { role: 'ROLE_ADMIN' } });
    for (const personal of [body.email, body.fullName, body.street])
      expect(JSON.stringify(row)).not.toContain(personal);
  });

  test('for changes to a user’s own profile, password and sessions: only the names of personal fields', async () => {
    const account = await openAccount(shop);
    const ana = await logIn(shop, account);
    const path = { userId: account.id };
    const headers = bearer(ana);
    const body = { fullName: 'Somebody New', email: account.email, description: 'Likes sumac' };
    await shop.call('updateProfile', { path, headers, body });
    await shop.call('updateProfile', { path, headers, body });
    await shop.call('changePassword', {
      path,
      headers,
      body: { currentPassword: password, password: longPassword, confirmPassword: longPassword },
    });
    await shop.call('endOtherSessions', { path, headers });
    expect(await rowsAbout(account.id)).toMatchObject([
      { action: 'user.profile_changed', after: { fullName: notKept, description: notKept } },
      { action: 'user.password_changed', before: null, after: null },
      { action: 'session.others_ended' },
    ]);
    expect(JSON.stringify(await rowsAbout(account.id))).not.toMatch(/Somebody New|sumac|cloves/);
  });

  test('for categories and products: only what changed', async () => {
    const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
    const name = `teas-${Date.now()}`;
    const made = await shop.call('createCategory', { as: admin, body: { name, description: 'Teas' } });
    const { id } = made.data.category;
    await shop.call('updateCategory', { as: admin, path: { id }, body: { name, description: 'Fine teas' } });
    expect(await rowsAbout(id)).toMatchObject([
      { action: 'category.created', after: { name, description: 'Teas', title: null } },
      { action: 'category.changed', before: { description: 'Teas' }, after: { description: 'Fine teas' } },
    ]);
    const form = (fields: object) =>
      multipart({
        name: 'Rooibos',
        description: 'Red',
        price: '4.35',
        availability: 'true',
        quantity: '5',
        category: id,
        ...fields,
      });
    const product = await shop.call('createProduct', { as: admin, path: { categoryId: id }, ...form({}) });
    const productId = product.data.product.id;
    await shop.call('updateProduct', { as: admin, path: { id: productId }, ...form({ price: '5.00', quantity: '7' }) });
    await shop.call('updateProduct', { as: admin, path: { id: productId }, ...form({ price: '5.00', quantity: '7' }) });
    const [created, updated, ...others] = await rowsAbout(productId);
    expect(created).toMatchObject({ action: 'product.created', after: { priceCents: 435, quantity: 5 } });
    expect(updated?.before).toEqual({ priceCents: 435, quantity: 5 });
    expect(updated?.after).toEqual({ priceCents: 500, quantity: 7 });
    expect(others).toEqual([]);
  });

  test('nothing for rejected calls', async () => {
    const { userId } = await shop.signIn({ role: 'ROLE_OWNER' });
    await shop.call('updateUserEnabled', { as: owner, path: { userId }, body: { isEnabled: false } });
    await shop.call('updateUserRole', { as: owner, path: { userId }, query: { role: 'ROLE_ADMIN' } });
    expect(await rowsAbout(userId)).toEqual([]);
  });
});

test.each(['update audit_log set action = null', 'delete from audit_log', 'truncate audit_log'])(
  'nobody can change the audit log: %s',
  async (statement) => {
    await newCustomer(shop);
    await shop.call('createCategory', { as: owner, body: { name: `c-${Date.now()}`, description: 'x' } });
    await expect(shop.pool.query(statement)).rejects.toThrow('the audit log only grows');
  },
);

test('changes are listed field by field, personal fields by name only', () => {
  const before = { role: 'a', email: 'x@example.com', same: [1] };
  expect(changed(before, { role: 'b', email: 'y@example.com', same: [1] }, ['email'])).toEqual({
    before: { role: 'a', email: notKept },
    after: { role: 'b', email: notKept },
  });
  expect(changed(before, { ...before })).toBeUndefined();
});
