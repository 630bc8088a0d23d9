import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPaymentKey } from '../../../src/server/payments/keyCheck';
import { openPayments } from '../../../src/server/payments/provider';
import { readPaymentStatus } from '../../../src/server/payments/status';
import { buy, openOrder, until } from '../../support/buying';
import { openOwnShop, publicUrl, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => (shop = await openOwnShop()));
afterAll(() => shop.close());

const quiet = { error: () => undefined };
const openWith = (secretKey: string, apiUrl = shop.sandbox.url) =>
  openPayments({ ...shop.sandboxKeys, secretKey, apiUrl: new URL(apiUrl), publicUrl });

test('the owner sees that the shop uses its test provider, and what to enter at a real one', async () => {
  const as = await shop.signIn({ role: 'ROLE_OWNER' });
  const { payments } = (await shop.call('checkPayments', { as, body: {} })).data;
  expect(payments).toMatchObject({ provider: 'sandbox', mode: 'test', key: 'ok' });
  expect(payments.webhookUrl).toMatch(/\/api\/payments\/webhook$/);
  expect(payments.events).toContain('checkout.session.completed');
  expect((await shop.call('getPaymentStatus', { as })).data).toEqual({ payments });
  expect((await shop.call('getPaymentStatus', { as: await shop.signIn({ role: 'ROLE_ADMIN' }) })).status).toBe(403);
});

test('a key is unchecked until the provider answers, and another key is unchecked again', async () => {
  const stateOf = async (payments: ReturnType<typeof openWith>) => (await readPaymentStatus(shop.db, payments)).key;
  const unreachable = openWith('sk_test_unasked', 'http://127.0.0.1:9');
  await checkPaymentKey({ ...shop, payments: unreachable }, quiet);
  expect(await stateOf(unreachable)).toBe('unchecked');
  const wrong = openWith('sk_test_of_another_shop');
  await checkPaymentKey({ ...shop, payments: wrong }, quiet);
  expect(await stateOf(wrong)).toBe('wrong');
  expect(await stateOf(openWith('sk_test_set_later'))).toBe('unchecked');
});

test('the status says when the webhook last came, and every page of staff the mode', async () => {
  const as = await shop.signIn({ role: 'ROLE_OWNER' });
  const lastSeen = async () => (await shop.call('getPaymentStatus', { as })).data.payments.webhookLastSeenAt;
  expect(await lastSeen()).toBeNull();
  await buy(shop, await openOrder(shop));
  await until(async () => expect(await lastSeen()).toEqual(expect.any(String)));
  expect((await shop.call('getSettings', { as })).data.paymentMode).toBe('test');
});
