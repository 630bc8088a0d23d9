import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openShop, type TestShop } from '../../support/shop';
import { openTab, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => {
  tab.close();
  vi.unstubAllGlobals();
});
afterAll(() => shop.close());

/** The first page of twelve products, with the pointer on a card. @returns the requests */
async function pointAtCard(): Promise<string> {
  const { id: categoryId, name } = await shop.category();
  for (let number = 1; number <= 12; number += 1) await shop.stock({ categoryId });
  tab = openTab(shop, `/products/${name}`);
  await see('1–10 of 12');
  const card = document.querySelector<HTMLAnchorElement>('main li a[href^="/customer/view/product/"]');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  card?.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
  await vi.advanceTimersByTimeAsync(1_000); // it has to rest there for 50 ms
  vi.useRealTimers();
  return `/public/products/${card?.pathname.split('/').pop()}`;
}
const asked = () => tab.calls.map(({ path }) => path.split('?')[0]);

test('a product under the pointer is fetched before the click', async () => {
  const product = await pointAtCard();
  await until(() => asked().includes(product));
});

test('a user who saves data gets only what was requested', async () => {
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { connection: { saveData: true } }));
  const product = await pointAtCard();
  await tab.go('/contact');
  await see('Message'); // comes after what was in flight
  expect(asked()).not.toContain(product);
});
