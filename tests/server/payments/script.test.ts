import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtApp } from '../../support/builtApp';
import { openOwnShop, type TestShop } from '../../support/shop';

/** The provider's own script: only with a publishable key, and then on /checkout only. */
let withKey: TestShop;
let without: TestShop;
beforeAll(async () => {
  const webFolder = await builtApp();
  withKey = await openOwnShop({ webFolder, publishableKey: 'pk_test_1' });
  without = await openOwnShop({ webFolder });
});
afterAll(async () => {
  await withKey.close();
  await without.close();
});

const policyOf = async (shop: TestShop, url: string) => {
  const { headers } = await shop.app.inject({ url, headers: { accept: 'text/html' } });
  return String(headers['content-security-policy']);
};
const settings = async (shop: TestShop) =>
  (await shop.call('getPaymentSettings', { as: await shop.signIn() })).data.publishableKey;

test.each(['/checkout', '/checkout/', '/checkout?from=cart'])('with a key %s may load it', async (url) => {
  expect(await policyOf(withKey, url)).toMatch(/script-src 'self' https:\/\/js\.stripe\.com;/);
  expect(await policyOf(withKey, url)).toContain('frame-src https://js.stripe.com;');
});

test.each(['/', '/cart', '/login', '/products/spices', '/customer/orders', '/checkout-other', '/none'])(
  '%s may not, key or no key',
  async (url) => {
    for (const shop of [withKey, without]) expect(await policyOf(shop, url)).not.toContain('stripe');
  },
);

test('without a key no page may', async () => {
  expect(await policyOf(without, '/checkout')).not.toContain('stripe');
});

test('the checkout receives the key, or null', async () => {
  expect(await settings(withKey)).toBe('pk_test_1');
  expect(await settings(without)).toBeNull();
});
