import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { paidOrder } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import {
  allowCallsElsewhere,
  box,
  bulkBar,
  dialog,
  fieldCalled,
  fill,
  miss,
  openTab,
  press,
  see,
  type Tab,
  until,
} from '../openTab';

/** Rule: docs/rules/back-office.md, Orders */
let shop: TestShop;
let tab: Tab;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  allowCallsElsewhere(); // orders are created before the first tab is open
});
afterEach(() => tab.close());
afterAll(() => shop.close());

const listed = () => [...document.querySelectorAll('main tbody tr')].map((row) => row.querySelector('a')?.textContent);

test('the list of orders says what is to ship, counts it, and shows only that', async () => {
  const [whole, part, gone] = [
    await paidOrder(shop, {}, 2, { fullName: 'Ana' }),
    await paidOrder(shop, {}, 2, { fullName: 'Binta' }),
    await paidOrder(shop, {}, 2, { fullName: 'Chef' }),
  ];
  for (const [{ orderId }, quantity] of [
    [part, 1],
    [gone, 2],
  ] as const) {
    const path = { orderId };
    const [item] = (await shop.call('getOrder', { as: admin, path })).data.orderResponse.orderItems;
    const lines = [{ orderItemId: item?.orderItemId ?? '', quantity }];
    await shop.call('createParcel', { as: admin, path, body: { lines, carrier: 'ups' } });
  }
  tab = openTab(shop, '/ordered/products', { as: admin });
  await see(new RegExp(`#${gone.orderNumber}.*On Delivery`));
  await see(new RegExp(`#${part.orderNumber}.*Paid\\s*Partially shipped`));
  await see(new RegExp(`#${whole.orderNumber}.*Paid\\s*To ship`));
  await press('To ship 2');
  await until(() => tab.path() === '/ordered/products?toShip=true');
  await miss('On Delivery');
  await until(() => listed().length === 2);
  expect(listed()).toEqual([`#${part.orderNumber}`, `#${whole.orderNumber}`]);
  await press('To ship 2');
  await until(() => listed().length === 3);
});

type Placed = Awaited<ReturnType<typeof paidOrder>>;
const ordersOf = async (count: number): Promise<Placed[]> => {
  const orders: Placed[] = [];
  for (let made = 0; made < count; made++) orders.push(await paidOrder(shop, { name: `Spice ${made}` }, 2));
  return orders;
};
const openShipping = (orders: readonly Placed[]) =>
  openTab(shop, `/admin/orders/ship?ids=${orders.map(({ orderId }) => orderId).join(',')}`, { as: admin });
const number = ({ orderNumber }: Placed) => `Tracking number of #${orderNumber}`;
const carrier = ({ orderNumber }: Placed) => `Carrier of #${orderNumber}`;
const pressEnter = () =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
  );

/** How an order was shipped, and how many emails its customer gets about it. */
async function shipped({ orderId }: Placed) {
  const { data } = await shop.call('getOrder', { as: admin, path: { orderId } });
  const { rows } = await shop.pool.query(`select from mails where order_id = $1 and kind = 'out_for_delivery'`, [
    orderId,
  ]);
  const { parcels = [], orderStatus } = data.orderResponse;
  const units = parcels.flatMap(({ lines }) => lines.map(({ quantity }) => quantity));
  return [orderStatus, parcels.map((parcel) => `${parcel.carrier} ${parcel.trackingNumber ?? ''}`), units, rows.length];
}
const nothing = ['PAID', [], [], 0];

test('chosen orders are shipped together: Enter goes to the next number, and a number names its carrier', async () => {
  const orders = await ordersOf(4);
  const [first, second, third, fourth] = orders as [Placed, Placed, Placed, Placed];
  tab = openTab(shop, '/ordered/products?size=25', { as: admin });
  for (const { orderNumber } of orders) (await box(`Select #${orderNumber}`)).click();
  await press('Ship orders', bulkBar());
  await see('Enter a tracking number, or choose Without tracking.');
  expect((await box(carrier(first))).value).toBe('usps');
  (await box(number(first))).focus();
  await fill(number(first), '1Z 84F 29W 03 5518 2207');
  expect((await box(carrier(first))).value).toBe('ups');
  pressEnter();
  expect(document.activeElement).toBe(await box(number(second)));
  await fill(carrier(second), 'fedex');
  await fill(number(second), 'AB-1');
  expect((await box(carrier(third))).value).toBe('fedex');
  pressEnter();
  pressEnter();
  pressEnter();
  expect(document.activeElement?.textContent).toBe('Save');
  (await box(`Without tracking of #${third.orderNumber}`)).click();
  await see('3 orders ready to ship. 1 order without a number stays as it is.');
  await press('Save');
  await see('3 orders shipped');
  await see('UPS 1Z 84F 29W 03 5518 2207');
  await see('Enter a tracking number, or choose Without tracking.');
  expect(await Promise.all(orders.map(shipped))).toEqual([
    ['OUT_FOR_DELIVERY', ['ups 1Z 84F 29W 03 5518 2207'], [2], 1],
    ['OUT_FOR_DELIVERY', ['fedex AB-1'], [2], 1],
    ['OUT_FOR_DELIVERY', ['fedex '], [2], 1],
    nothing,
  ]);
  await tab.go(`/admin/orders/ship?ids=${fourth.orderId}`);
  expect((await box(carrier(fourth))).value).toBe('fedex');
});

test('a package of one order starts with the carrier chosen last, too', async () => {
  const [one, other] = (await ordersOf(2)) as [Placed, Placed];
  tab = openTab(shop, `/admin/orders/${one.orderId}`, { as: admin });
  await press('Ship items');
  expect((await box('Carrier')).value).toBe('usps');
  await fill('Carrier', 'dhl');
  await fill('Tracking number', '1Z84F29W0355182207');
  expect((await box('Carrier')).value).toBe('ups');
  await press('Ship items', await dialog());
  await see('Items shipped');
  await tab.go(`/admin/orders/${other.orderId}`);
  await press('Ship items');
  expect((await box('Carrier')).value).toBe('dhl');
  await press('Close', await dialog());
  await tab.go(`/admin/orders/ship?ids=${other.orderId}`);
  expect((await box(carrier(other))).value).toBe('dhl');
});

test('what one order refuses is said at its row, and the others stay shipped', async () => {
  const orders = await ordersOf(3);
  const [good, canceled, wrong] = orders as [Placed, Placed, Placed];
  tab = openShipping(orders);
  await fill(number(good), 'A-1');
  await fill(number(canceled), 'A-2');
  await fill(number(wrong), 'A_3');
  const { orderId } = canceled;
  tab.network.answers = () => undefined;
  await shop.call('cancelOrder', { as: admin, path: { orderId }, body: {} });
  await press('Save');
  await see('1 order shipped');
  await see('Nothing in this order is left to ship');
  await see('Use only letters, digits, spaces, and hyphens');
  await see("1 order wasn't shipped. Its row says why.");
  await until(() => document.activeElement === document.querySelector('input[aria-invalid]'));
  await fill(number(wrong), 'A-3');
  await miss('Use only letters, digits');
  await press('Save');
  await see('Everything here is shipped.');
  expect(await Promise.all([good, wrong].map(shipped))).toEqual([
    ['OUT_FOR_DELIVERY', ['usps A-1'], [2], 1],
    ['OUT_FOR_DELIVERY', ['usps A-3'], [2], 1],
  ]);
  expect((await shipped(canceled)).slice(0, 2)).toEqual(['REFUNDED', []]);
});

/** Without the emails: that of a deleted package is not sent, but its row stays. */
const packages = async (orders: readonly Placed[]) =>
  (await Promise.all(orders.map(shipped))).map(([status, parcels]) => [status, parcels]);
const none = ['PAID', []];

test('shipped orders can be undone together: the packages are gone, and the numbers are back', async () => {
  const orders = await ordersOf(3);
  const [one, other, rest] = orders as [Placed, Placed, Placed];
  tab = openShipping(orders);
  await fill(number(one), 'E-1');
  (await box(`Without tracking of #${other.orderNumber}`)).click();
  await press('Save');
  await see('2 orders shipped');
  await see('USPS E-1');
  await fill(number(rest), 'E-3');
  await press('Undo', document.body);
  await see('2 packages deleted');
  await until(() => sessionStorage.getItem('shipping')?.includes('E-1') ?? false);
  expect((await box(number(one))).value).toBe('E-1');
  expect((await box(`Without tracking of #${other.orderNumber}`)).checked).toBe(true);
  expect(await packages(orders)).toEqual([none, none, none]);
  await see('3 orders ready to ship.');
  await press('Save');
  await see('Everything here is shipped.');
  expect(await packages(orders)).toEqual([
    ['OUT_FOR_DELIVERY', ['usps E-1']],
    ['OUT_FOR_DELIVERY', ['usps ']],
    ['OUT_FOR_DELIVERY', ['usps E-3']],
  ]);
});

test('what can no longer be undone is said, and the others are undone', async () => {
  const orders = await ordersOf(2);
  const [kept, undone] = orders as [Placed, Placed];
  tab = openShipping(orders);
  for (const order of orders) await fill(number(order), 'F-1');
  await press('Save');
  await see('2 orders shipped');
  await shop.call('updateOrderStatus', { as: admin, path: { orderId: kept.orderId, status: 'DELIVERED' } });
  await press('Undo', document.body);
  await see("This order is Delivered, so its packages can't be deleted");
  await see('1 package deleted');
  await until(() => sessionStorage.getItem('shipping')?.includes('F-1') ?? false);
  expect((await box(number(undone))).value).toBe('F-1');
  expect(await packages(orders)).toEqual([['DELIVERED', ['usps F-1']], none]);
});

test('an order whose answer was lost is sent again with its key, and not shipped twice', async () => {
  const [lost] = (await ordersOf(1)) as [Placed];
  tab = openShipping([lost]);
  await fill(number(lost), 'B-1');
  const keys: (string | null)[] = [];
  tab.network.passes = ({ url, method, headers }) => {
    if (url.includes('/admin/orders?')) return keys.length === 0; // the page stays as it was
    if (method === 'POST' && url.includes('/parcels')) return keys.push(headers.get('Idempotency-Key')) > 1;
    return true;
  };
  await press('Save');
  await see("The shop didn't answer. Save again: nothing ships twice.");
  await miss('Go online to ship orders');
  await press('Save');
  await see('USPS B-1');
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(await shipped(lost)).toEqual(['OUT_FOR_DELIVERY', ['usps B-1'], [2], 1]);
  expect(sessionStorage.getItem('shipping')).toBeNull();
});

test('what was entered survives a reload, with the key of an order that was sent', async () => {
  const orders = await ordersOf(2);
  const [sent, other] = orders as [Placed, Placed];
  tab = openShipping(orders);
  await fill(number(sent), 'C-1');
  tab.network.answers = (pathname) => (pathname.endsWith('/parcels') ? new Response('', { status: 502 }) : undefined);
  await press('Save');
  await see("The shop didn't answer. Save again: nothing ships twice.");
  await fill(number(other), 'C-2');
  const saved = () => sessionStorage.getItem('shipping') ?? '';
  await until(() => saved().includes('C-2'));
  const [, key = 'none'] = /"key":"([^"]+)/.exec(saved()) ?? [];
  tab.close();
  tab.network.answers = () => undefined;
  tab = openTab(shop, tab.path(), { as: admin, after: tab });
  const keys: (string | null)[] = [];
  tab.network.passes = ({ url, headers }) => {
    if (url.endsWith('/parcels')) keys.push(headers.get('Idempotency-Key'));
    return true;
  };
  expect([(await box(number(sent))).value, (await box(number(other))).value]).toEqual(['C-1', 'C-2']);
  await press('Save');
  await see('Everything here is shipped.');
  expect(keys).toContain(key);
  expect(await Promise.all(orders.map(shipped))).toEqual([
    ['OUT_FOR_DELIVERY', ['usps C-1'], [2], 1],
    ['OUT_FOR_DELIVERY', ['usps C-2'], [2], 1],
  ]);
});

test('a number for an order that a colleague has shipped is forgotten', async () => {
  const [gone] = (await ordersOf(1)) as [Placed];
  tab = openShipping([gone]);
  await fill(number(gone), 'D-1');
  await until(() => sessionStorage.getItem('shipping')?.includes('D-1') ?? false);
  await shop.call('updateOrderStatus', { as: admin, path: { orderId: gone.orderId, status: 'OUT_FOR_DELIVERY' } });
  await tab.cache.invalidateQueries();
  await see('No tracking');
  await until(() => sessionStorage.getItem('shipping') === null);
});

test('the same number in two rows is pointed out, and logging out forgets what was entered', async () => {
  const orders = await ordersOf(2);
  const [one, other] = orders as [Placed, Placed];
  tab = openShipping(orders);
  await fill(number(one), '9400 1118');
  await fill(number(other), '94001118');
  await see(`Also entered for #${one.orderNumber}`);
  expect((await fieldCalled(number(other))).getAttribute('aria-invalid')).toBeNull();
  await until(() => sessionStorage.getItem('shipping')?.includes('94001118') ?? false);
  await press('Account');
  await press('Logout', document.body);
  await until(() => sessionStorage.getItem('shipping') === null);
});
