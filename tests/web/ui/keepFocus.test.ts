import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { afterOthersMs } from '../../../src/web/ui/keepFocus';
import { openShop, type TestShop } from '../../support/shop';
import { control, dialog, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

const pressByKey = async (name: string) => {
  const found = await control(name, document.querySelector('main') ?? document);
  found.focus();
  expect(document.activeElement).toBe(found);
  found.click();
};
const isOnHeading = () => document.activeElement?.tagName === 'H1';

test('a button that disappears with its message leaves the focus to the heading of its page', async () => {
  const ana = await shop.signIn();
  const { id: productId } = await shop.stock({ priceCents: 450 });
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId, quantity: 2 } });
  await shop.db.update(products).set({ priceCents: 500 }).where(eq(products.id, productId));
  tab = openTab(shop, '/cart', { as: ana });
  await see('Now $5.00 (was $4.50)');
  await pressByKey('OK, $5.00');
  await see('Subtotal$10.00');
  await until(isOnHeading);
});

test('so does Next on the way to the last page', async () => {
  for (let made = 0; made < 11; made++) await shop.stock({ name: `Jollofrice ${made}` });
  tab = openTab(shop, '/search?q=jollofrice');
  await pressByKey('Next');
  await until(() => tab.path().includes('page=2'));
  await until(isOnHeading);
});

test('a part closed by the user moves no focus when it disappears', async () => {
  tab = openTab(shop, '/contact');
  const send = await control('Send');
  send.focus();
  send.blur();
  await new Promise((resolve) => setTimeout(resolve)); // closing is known after the event
  send.remove();
  await Promise.resolve(); // the observer is notified, and would begin to wait now
  await new Promise((resolve) => setTimeout(resolve, afterOthersMs)); // ends after a wait that began before it
  expect(document.activeElement).toBe(document.body);
});

test('in a dialog the focus stays in the dialog', async () => {
  const ana = await shop.signIn();
  const { id: productId } = await shop.stock();
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId, quantity: 2 } });
  tab = openTab(shop, '/cart', { as: ana });
  await press('Clear Cart');
  const asking = await dialog();
  await until(() => asking.contains(document.activeElement)); // its first button; until then it would take the focus back
  const extra = asking.appendChild(document.createElement('button'));
  extra.focus();
  extra.disabled = true; // the dialog itself notices only removed elements
  await until(() => document.activeElement === asking);
  await press('Cancel', asking);
});
