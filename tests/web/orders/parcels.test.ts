import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findSavedOrders } from '../../../src/web/orders/onDevice';
import { buy, openOrder } from '../../support/buying';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, dialog, miss, openTab, press, see, type Tab, waiting } from '../openTab';

/** Rule: docs/rules/orders-and-payment.md, Parcels */
let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  allowCallsElsewhere(); // orders are created before the first tab is open
});
afterEach(() => tab.close());
afterAll(() => shop.close());

/** A paid order of three units, of which one is in a package. */
async function shippedInPart() {
  const order = await openOrder(shop, { name: 'Black pepper' }, 3);
  await buy(shop, order);
  const path = { orderId: order.orderId };
  const [item] = (await shop.call('getOrder', { as: admin, path })).data.orderResponse.orderItems;
  const lines = [{ orderItemId: item?.orderItemId ?? '', quantity: 1 }];
  const body = { lines, carrier: 'usps', trackingNumber: '9400 1118' } as const;
  await shop.call('createParcel', { as: admin, path, body });
  return order;
}

test('what is in a package and what is not shipped yet can be read offline', async () => {
  const { as } = await shippedInPart();
  tab = openTab(shop, '/contact', { as });
  const saved = async () => (await findSavedOrders(as.userId, 1))?.content ?? [];
  await vi.waitFor(async () => expect(await saved()).toMatchObject([{ parcels: [{ carrier: 'usps' }] }]), waiting);
  tab.close();
  tab.network.isDown = true;
  tab = openTab(shop, '/customer/orders', { after: tab });
  await see('Last updated');
  await see('Partially shipped');
  await see(/Package 1 of 2 · USPS9400 1118Shipped [^×]+\.1 × Black pepperTrackNot shipped yet2 × Black pepper/);
});

test('an order that was shipped as a whole, without tracking, looks as before', async () => {
  const order = await openOrder(shop);
  await buy(shop, order);
  const path = { orderId: order.orderId, status: 'OUT_FOR_DELIVERY' } as const;
  await shop.call('updateOrderStatus', { as: admin, path });
  tab = openTab(shop, '/customer/orders', { as: order.as });
  await see('On Delivery');
  await miss('Package');
  await miss('Tracking');
});

test('the slip of a package is printed as soon as it is shipped, if staff choose so', async () => {
  const { orderId, orderNumber } = await shippedInPart();
  tab = openTab(shop, `/admin/orders/${orderId}`, { as: admin });
  const titles: string[] = [];
  const print = vi.spyOn(window, 'print').mockImplementation(() => void titles.push(document.title));
  await press('Ship items');
  await press('Ship and print slip', await dialog());
  await see(/Packing slip.*Package 2 of 2.*Black pepper32.*Black pepper1In package 1/);
  expect(titles).toEqual([`Packing slip ${orderNumber}`]);
  window.dispatchEvent(new Event('afterprint'));
  await miss('Package 2 of 2');
  print.mockRestore();
});

test('the packing slip of an order that was shipped in part has what is left, that of a package its items', async () => {
  const { orderId, orderNumber } = await shippedInPart();
  tab = openTab(shop, `/admin/orders/${orderId}`, { as: admin });
  await see('3 ordered, 1 shipped, 2 left to ship');
  await press('Print');
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  await press('Packing slip', document.body);
  await see('Black pepper32');
  await see('Black pepper1In package 1');
  window.dispatchEvent(new Event('afterprint'));
  await miss('Black pepper32');
  await press('Print slip of package 1');
  await see('Black pepper31');
  await see('Black pepper2Not shipped yet');
  window.dispatchEvent(new Event('afterprint'));
  print.mockRestore();
  await tab.go(`/ordered/products?q=${orderNumber}`);
  await see(/Partially shipped/);
});

test('the slip of a package without tracking names no carrier', async () => {
  const order = await openOrder(shop);
  await buy(shop, order);
  const { orderId } = order;
  await shop.call('updateOrderStatus', { as: admin, path: { orderId, status: 'OUT_FOR_DELIVERY' } });
  tab = openTab(shop, `/admin/orders/${orderId}`, { as: admin });
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  await press('Print slip of package 1');
  await see('Delivery–');
  await miss('Other carrier');
  window.dispatchEvent(new Event('afterprint'));
  print.mockRestore();
});
