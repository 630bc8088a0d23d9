import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCustomer, type SignedIn } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const bearer = ({ jwt }: SignedIn) => ({ authorization: `Bearer ${jwt}` });

test('a customer reads their own account with its addresses', async () => {
  const ana = await newCustomer(shop);
  const answer = await shop.call('getUser', { path: { userId: ana.user.id }, headers: bearer(ana) });
  expect(answer.status).toBe(200);
  expect(answer.data.user).toEqual(ana.user);
  expect(answer.headers['cache-control']).toBe('no-store');
  const upperCase = await shop.call('getUser', { path: { userId: ana.user.id.toUpperCase() }, headers: bearer(ana) });
  expect(upperCase.data.user).toEqual(ana.user);
});

test('another customer’s account looks exactly like a missing one, to staff too', async () => {
  const [ana, ben] = [await newCustomer(shop), await newCustomer(shop)];
  const owner = await shop.signIn({ role: 'ROLE_OWNER' });
  for (const headers of [bearer(ana), { authorization: `Bearer ${owner.token}` }]) {
    const foreign = await shop.call('getUser', { path: { userId: ben.user.id }, headers });
    const missing = await shop.call('getUser', { path: { userId: randomUUID() }, headers });
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
  }
});

test('a visitor can read no account', async () => {
  const { user } = await newCustomer(shop);
  expect(await shop.call('getUser', { path: { userId: user.id } })).toMatchObject({
    status: 401,
    code: 'unauthenticated',
  });
});
