import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { pickTicksKey } from '../../../src/shared/deviceNames';
import { paidOrder } from '../../support/buying';
import { openShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, box, bulkBar, control, miss, openTab, press, see, type Tab, until } from '../openTab';

/** Rule: docs/rules/back-office.md, Packing */
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

const customer = `Packer's customer ${Date.now()}`;
const rub = { name: 'Afra Grill Rub', shelf: 'C 11', sku: `AGR-${Date.now()}`, netGrams: 110 };

async function shippedOrder() {
  const order = await paidOrder(shop, { name: 'Cumin' }, 1, { fullName: customer });
  await shop.call('updateOrderStatus', { as: admin, path: { orderId: order.orderId, status: 'OUT_FOR_DELIVERY' } });
  return order;
}

test('chosen orders have a pick list and packing slips, a reload keeps what is picked, and nothing is silently left out', async () => {
  const [first, second] = [await paidOrder(shop, rub, 3, { fullName: customer }), await shippedOrder()];
  tab = openTab(shop, '/ordered/products', { as: admin });
  for (const { orderNumber } of [second, first]) (await box(`Select #${orderNumber}`)).click();
  await press('Pick list', bulkBar());
  await see("1 order, 1 product, 3 units. Refunded and shipped units aren't included.");
  await see(`1 order has nothing left to ship: #${second.orderNumber} (On Delivery).`);
  await see('Shelf C');
  await see(`C 11Afra Grill Rub3.9 oz (110 g)${rub.sku}3#${first.orderNumber}`);
  (await box('Picked: Afra Grill Rub, 3.9 oz (110 g)')).click();
  await until(() => localStorage.getItem(pickTicksKey)?.includes(':3') ?? false);
  const chosen = tab.path();
  tab.close();
  tab = openTab(shop, chosen, { as: admin, after: tab });
  expect((await box('Picked: Afra Grill Rub, 3.9 oz (110 g)')).checked).toBe(true);

  const titles: string[] = [];
  const print = vi.spyOn(window, 'print').mockImplementation(() => void titles.push(document.title));
  await press('Print pick list');
  window.dispatchEvent(new Event('afterprint'));
  await press('Packing slips (1)');
  await see(`Order #${first.orderNumber}`);
  await see(`Afra Grill Rub3.9 oz (110 g)${rub.sku}33`);
  await press('Print 1 packing slip');
  window.dispatchEvent(new Event('afterprint'));
  await tab.go(chosen.replace('pick-list', 'packing-slips'));
  await see(`1 order is already shipped: #${second.orderNumber} (On Delivery). Its slip has what was shipped.`);
  await see(/Order #.*In this order.*Cumin11/);
  await miss('nothing left to ship');
  await control('Print 2 packing slips');
  expect(titles).toEqual(['Pick list', `Packing slip ${first.orderNumber}`]);
  print.mockRestore();
});

test('chosen orders are exported for a label service, stay chosen, and those with nothing left are named', async () => {
  const { orderNumber } = await paidOrder(shop, { name: 'Sumac', shippingGrams: 90 }, 1, {
    fullName: customer,
  });
  const shipped = await shippedOrder();
  const saved: Blob[] = [];
  const save = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob);
    return 'blob:labels';
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  tab = openTab(shop, '/ordered/products', { as: admin });
  (await box(`Select #${orderNumber}`)).click();
  click.mockClear();
  await press('Export labels', bulkBar());
  await until(() => saved.length === 1 && click.mock.calls.length > 0);
  expect(await saved[0]?.text()).toMatch(new RegExp(`"${orderNumber}".*"3.2"`));
  expect((await box(`Select #${orderNumber}`)).checked).toBe(true);
  await miss('left out');
  (await box(`Select #${shipped.orderNumber}`)).click();
  await press('Export labels', bulkBar());
  await see(`1 order had nothing left to ship and was left out: #${shipped.orderNumber} (On Delivery).`);
  await until(() => saved.length === 2);
  expect(await saved[1]?.text()).not.toContain(`"${shipped.orderNumber}"`);
  (await box(`Select #${orderNumber}`)).click();
  await press('Export labels', bulkBar());
  await see('The chosen orders have nothing left to ship');
  expect(saved).toHaveLength(2);
  save.mockRestore();
  click.mockRestore();
});

test('units that changed are no longer picked, and without chosen orders the page says so', async () => {
  const { orderId } = await paidOrder(shop, { name: 'Allspice' }, 3);
  const path = `/admin/orders/pick-list?ids=${orderId}`;
  tab = openTab(shop, path, { as: admin });
  await see('Products');
  (await box('Picked: Allspice')).click();
  await until(() => localStorage.getItem(pickTicksKey)?.includes(orderId) ?? false);
  const { orderItems } = (await shop.call('getOrder', { as: admin, path: { orderId } })).data.orderResponse;
  const lines = orderItems.map(({ orderItemId }) => ({ orderItemId, quantity: 1, restock: true }));
  await shop.call('refundOrder', { as: admin, path: { orderId }, body: { reason: 'Asked for', lines } });
  tab.close();
  tab = openTab(shop, path, { as: admin, after: tab });
  await see('1 order, 1 product, 2 units.');
  expect((await box('Picked: Allspice')).checked).toBe(false);
  await tab.go('/admin/orders/pick-list?ids=1,2');
  await see('Choose orders in the list first.');
  await miss('Print pick list');
});
