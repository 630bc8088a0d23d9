// @vitest-environment happy-dom
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openShop, type TestShop } from '../../support/shop';
import { control, openTab, see, type Tab } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => {
  shop = await openShop();
  for (const name of ['savory', 'spices', 'teas']) await shop.category({ name });
});
afterEach(() => tab.close());
afterAll(() => shop.close());

test.each(['/', '/cart', '/customer/orders', '/products/teas?heat=5'])(
  'a category that staff made later has its link on %s',
  async (path) => {
    tab = openTab(shop, path, { as: await shop.signIn() });
    for (const name of ['savory', 'spices', 'teas']) {
      const link = await control(name, document.querySelector('main') ?? document);
      expect(link.getAttribute('href')).toBe(`/products/${name}`);
    }
  },
);

test('its tile on the home page bears its name', async () => {
  tab = openTab(shop, '/');
  await see('teasProducts');
});
