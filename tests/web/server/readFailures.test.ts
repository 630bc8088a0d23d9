import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { openShop, type TestShop } from '../../support/shop';
import { openTab, see, type Tab, until } from '../openTab';

/** What a page says when the shop rejects its reads. Rule: docs/rules/screens.md, Reading data */
let shop: TestShop;
let tab: Tab | undefined;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(() => tab?.close());
afterAll(() => shop.close());

async function openRefused(problem: object) {
  tab = openTab(shop, '/contact', { as: await shop.signIn() });
  const headers = { 'content-type': 'application/problem+json' };
  const answer = () => new Response(JSON.stringify({ code: 'refused', ...problem }), { status: 409, headers });
  tab.network.answers = (pathname) => (pathname.includes('customerorders') ? answer() : undefined);
  await tab.go('/customer/orders');
}

const isSaid = (sentence: string) => document.querySelector('main')?.textContent?.includes(sentence) ?? false;

test('a rejected order history says why in its place, with Try again', async () => {
  const message = 'The shop is counting its jars.';
  await openRefused({ message });
  await until(() => isSaid(message));
  await see('Try again');
});

test('a rejected order history says what failed when the shop gives no reason', async () => {
  await openRefused({});
  await until(() => isSaid('Failed to load order history.'));
});
