import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { messages } from '../../../src/shared/checkout';
import { session } from '../../../src/web/server/session';
import { db } from '../../../src/web/device/db';
import { outbox } from '../../../src/web/outbox/outbox';
import { newCustomer, type SignedIn } from '../../support/auth';
import { openShop, type TestShop } from '../../support/shop';
import { control, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
const leave = vi.spyOn(location, 'assign').mockImplementation(() => undefined); // where the browser would go
beforeAll(async () => (shop = await openShop()));
beforeEach(() => db.outbox.clear());
afterEach(() => {
  tab.close();
  leave.mockClear();
});
afterAll(() => shop.close());

/** A customer at the checkout, with an address chosen and a jar of pepper in the cart. */
async function openCheckout(): Promise<{ awa: SignedIn; productId: string }> {
  const { id: productId } = await shop.stock({ name: 'Pepper', priceCents: 450, quantity: 3 });
  const awa = await newCustomer(shop);
  const headers = { authorization: `Bearer ${awa.jwt}` };
  await shop.call('addCartItem', { headers, path: { userId: awa.user.id }, body: { productId, quantity: 1 } });
  tab = openTab(shop, '/checkout', { as: awa });
  await see('Subtotal$4.50');
  await vi.waitFor(() => {
    const radio = document.querySelector<HTMLInputElement>('fieldset input[type=radio]');
    if (!radio) throw new Error('no saved address');
    radio.click();
  }, waiting);
  return { awa, productId };
}

const orders = () => tab.calls.filter(({ method, path }) => method === 'POST' && path.startsWith('/public/order'));
/** The shop responds, but cannot accept changes of the cart for now. */
const refuseEdits = () =>
  (tab.network.answers = (pathname) =>
    pathname.endsWith('/item/update') ? Response.json({ code: 'unavailable' }, { status: 503 }) : undefined);
const plus = ({ user }: SignedIn, productId: string, change = 1) =>
  outbox.send('updateCartItem', { userId: user.id, update: { productId, change } });

test('Place Order first sends the pending changes, so that the charge matches what is shown', async () => {
  const { awa, productId } = await openCheckout();
  refuseEdits();
  expect(await plus(awa, productId)).toMatchObject({ queued: true });
  await see('Subtotal$9.00');
  tab.network.answers = () => undefined;
  await press('Place Order');
  await until(() => leave.mock.calls.length > 0);
  const headers = { authorization: `Bearer ${awa.jwt}` };
  const { data } = await shop.call('listCustomerOrders', { headers, path: { userId: awa.user.id } });
  expect(data.orders.content).toMatchObject([{ totalAmount: 9 }]);
});

test('what the cart page passes to the checkout is not shown to the next user', async () => {
  const { awa } = await openCheckout();
  await tab.go('/cart');
  await press('Proceed to Checkout');
  await see('Cart Summary');
  const ben = await newCustomer(shop);
  tab.network.answers = (pathname) =>
    pathname.includes('/public/cart/') ? Response.json({ code: 'unavailable' }, { status: 503 }) : undefined;
  localStorage.setItem('root', JSON.stringify(ben.user)); // in another tab
  window.dispatchEvent(new StorageEvent('storage', { key: 'root' }));
  expect(session.get()?.id).not.toBe(awa.user.id);
  await vi.waitFor(() => expect(document.querySelector('aside')?.textContent).not.toContain('Pepper'), waiting);
});

test('an order is not placed while a change of the cart cannot be sent', async () => {
  const { awa, productId } = await openCheckout();
  refuseEdits();
  await plus(awa, productId);
  await see('Subtotal$9.00');
  await press('Place Order');
  await see(messages.cartUnsent);
  expect(orders()).toEqual([]);
  tab.network.answers = () => undefined;
  await press('Place Order');
  await until(() => leave.mock.calls.length > 0);
  expect(orders()).toHaveLength(1);
});

test('an order is not placed while a rejected change of the cart is unresolved', async () => {
  const { awa, productId } = await openCheckout();
  await expect(plus(awa, productId, 5)).rejects.toMatchObject({ status: 409 });
  await until(() => outbox.refused(awa.user.id).length === 1);
  expect((await control('Review 1 change')).getAttribute('href')).toBe('/cart');
  expect(document.body.textContent).not.toContain('Place Order');
  expect(orders()).toEqual([]);
});
