import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { users } from '../../../src/server/db/schema/tables';
import { defaultSettings } from '../../../src/shared/settings';
import { buy, openOrder, paidOrder, statusOf } from '../../support/buying';
import { logIn, openAccount } from '../../support/auth';
import { runDueJobs } from '../../support/mails';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import {
  allowCallsElsewhere,
  box,
  bulkBar,
  choose,
  control,
  dialog,
  fieldCalled,
  fill,
  miss,
  logInAgain,
  openTab,
  press,
  see,
  type Tab,
  until,
  waiting,
} from '../openTab';

let shop: TestShop;
let tab: Tab;
let owner: Person;
/** Replaces a browser API missing in this window: it receives only what a test sends. */
class Stream extends EventTarget {
  static latest: Stream | undefined;
  constructor() {
    super();
    Stream.latest = this;
  }
  close(): void {}
}
beforeAll(async () => {
  shop = await openOwnShop();
  vi.stubGlobal('EventSource', Stream);
  allowCallsElsewhere(); // orders are created before the first tab is open
});
beforeEach(async () => (owner = await shop.signIn({ role: 'ROLE_OWNER', fullName: 'Isatou Jallow' })));
afterEach(() => tab.close());
afterAll(async () => {
  vi.unstubAllGlobals();
  await shop.close();
});

const soldOrder = () => paidOrder(shop, { priceCents: 1250 }, 2);
const announceOrder = (...paidOrderIds: string[]) => {
  const data = JSON.stringify({ isPaid: true, paidOrderIds });
  Stream.latest?.dispatchEvent(Object.assign(new Event('admin-orders'), { data }));
};

/** The toast with a sentence, once it is shown. */
async function toastOf(sentence: string): Promise<Element> {
  const find = () =>
    [...document.querySelectorAll('[role=status]')].find(({ textContent }) => textContent.includes(sentence));
  await until(() => find() !== undefined);
  return find() ?? document.body;
}

test('an order is shipped from its row, and Undo reverts it', async () => {
  const { orderId, orderNumber } = await soldOrder();
  tab = openTab(shop, `/ordered/products?q=${orderNumber}`, { as: owner });
  await see('$25.00');
  await press(`More actions for #${orderNumber}`);
  await choose('On Delivery');
  await see('Order status updated successfully');
  expect(await statusOf(shop, orderId)).toBe('OUT_FOR_DELIVERY');
  await press('Undo');
  await see('Order status restored');
  expect(await statusOf(shop, orderId)).toBe('PAID');
});

test('several orders are shipped in one go, an impossible one is named, and Undo reverts the others', async () => {
  const [first, second] = [await soldOrder(), await soldOrder()];
  const unpaid = await openOrder(shop, { priceCents: 1250 }, 2);
  tab = openTab(shop, '/ordered/products?sort=createdAt&direction=desc', { as: owner });
  for (const { orderNumber } of [first, second, unpaid]) (await box(`Select #${orderNumber}`)).click();
  await see('3 selected');
  await press('On Delivery', bulkBar());
  await see(`2 on delivery, 1 skipped: #${unpaid.orderNumber} (not paid)`);
  expect(await statusOf(shop, first.orderId)).toBe('OUT_FOR_DELIVERY');
  expect(await statusOf(shop, second.orderId)).toBe('OUT_FOR_DELIVERY');
  await press('Undo');
  await see('2 orders marked Paid');
  expect(await statusOf(shop, first.orderId)).toBe('PAID');
});

test('several orders whose shipping took longer than the undo period offer no Undo', async () => {
  const [first, second] = [await soldOrder(), await soldOrder()];
  tab = openTab(shop, '/ordered/products?sort=createdAt&direction=desc', { as: owner });
  for (const { orderNumber } of [first, second]) (await box(`Select #${orderNumber}`)).click();
  await see('2 selected');
  const later = vi.spyOn(Date, 'now');
  tab.network.passes = ({ method }) => {
    const { length } = tab.calls.filter((call) => call.method === 'PUT');
    if (method === 'PUT' && length === 1) later.mockReturnValue(performance.timeOrigin + performance.now() + 11_000);
    return true;
  };
  await press('On Delivery', bulkBar());
  await see('2 orders marked On Delivery');
  later.mockRestore();
  expect([...document.querySelectorAll('button')].map((each) => each.textContent)).not.toContain('Undo');
});

test('a step that an order cannot take is grayed out and says why', async () => {
  const { orderId, orderNumber } = await soldOrder();
  await shop.call('updateOrderStatus', { as: owner, path: { orderId, status: 'DELIVERED' } });
  tab = openTab(shop, `/ordered/products?q=${orderNumber}`, { as: owner });
  await press(`More actions for #${orderNumber}`);
  await see("This order is Delivered, so it can't be changed to On Delivery");
  const item = await control('On Delivery');
  expect(document.getElementById(item.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    "This order is Delivered, so it can't be changed to On Delivery",
  );
  expect(item.getAttribute('aria-disabled')).toBe('true');
});

test('the listed orders are saved with a row per order or per product line', async () => {
  const { orderNumber } = await soldOrder();
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  tab = openTab(shop, `/ordered/products?q=${orderNumber}`, { as: owner });
  await see(`#${orderNumber}`);
  for (const [form, header] of [
    ['One row per order', '"Order ID","Order Date","Customer Name"'],
    ['One row per product line', '"Order ID","Order Date","Paid"'],
  ] as const) {
    saved.length = 0;
    await press('Export CSV');
    await press(form);
    await until(() => saved.length === 1);
    const [head, ...rows] = (await saved[0]!.text()).trim().split('\n');
    expect(head).toContain(header);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain(`"#${orderNumber}"`);
  }
  click.mockRestore();
});

test('a new order appears in the list without a reload', async () => {
  tab = openTab(shop, '/ordered/products', { as: owner });
  await see('Orders');
  await miss('Loading Orders'); // it listens once it is rendered
  await until(() => Stream.latest !== undefined);
  const { orderId, orderNumber } = await soldOrder();
  announceOrder(orderId);
  await see(`New order #${orderNumber}, $25.00`);
  await control(`#${orderNumber}`);
  announceOrder(orderId, randomUUID());
  await see('2 new orders');
  await press('View', await toastOf(`New order #${orderNumber}`));
  await until(() => tab.path() === `/admin/orders/${orderId}`);
});

test('a new order plays a sound, until the sound is turned off on this device', async () => {
  let notes = 0;
  class Part {
    gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
    connect = (next: unknown) => next;
    start = () => (notes += 1);
    stop() {}
  }
  vi.stubGlobal(
    'AudioContext',
    class extends Part {
      state = 'running';
      currentTime = 0;
    },
  );
  vi.stubGlobal('OscillatorNode', Part);
  vi.stubGlobal('GainNode', Part);
  tab = openTab(shop, '/ordered/products', { as: owner });
  const isOn = async () => (await control('Sound for new orders')).getAttribute('aria-pressed');
  expect(await isOn()).toBe('true');
  await miss('Loading Orders'); // it listens once it is rendered
  announceOrder();
  await until(() => notes === 2);
  await press('Sound for new orders');
  expect(await isOn()).toBe('false');
  announceOrder();
  await see('New paid order');
  tab.close();
  tab = openTab(shop, '/ordered/products', { as: owner, after: tab });
  expect(await isOn()).toBe('false');
  await miss('Loading Orders');
  announceOrder();
  await press('Sound for new orders'); // and confirms it by playing one
  await until(() => notes === 4);
});

test('a pick list and a customer’s figures follow what colleagues do', async () => {
  const { as, orderId } = await soldOrder();
  const refund = (amount: number) =>
    shop.call('refundOrder', { as: owner, path: { orderId }, body: { reason: 'Late', amount, restock: false } });
  const notifyOfChange = () => {
    const data = JSON.stringify({ isPaid: false, paidOrderIds: [] });
    Stream.latest?.dispatchEvent(Object.assign(new Event('admin-orders'), { data }));
  };
  tab = openTab(shop, `/admin/view/user/${as.userId}`, { as: owner });
  await see(/Spent\$25\.00.*1 to ship/);
  await refund(5);
  notifyOfChange();
  await see(/Spent\$20\.00/);
  tab.close();
  tab = openTab(shop, `/admin/orders/pick-list?ids=${orderId}`, { as: owner });
  await see('1 order, 1 product, 2 units.');
  await shop.call('updateOrderStatus', { as: owner, path: { orderId, status: 'DELIVERED' } });
  notifyOfChange();
  await see(/1 order has nothing left to ship: #\d+ \(Delivered\)/);
});

test('an order’s timeline shows declined cards, and why', async () => {
  const order = await openOrder(shop);
  await shop.control('pay', { session: order.sessionId, card: '4000000000009995' });
  await buy(shop, order);
  await vi.waitFor(async () => {
    const { rows } = await shop.pool.query(
      `select 1 from payment_events where type = 'payment_intent.payment_failed' and order_id = $1`,
      [order.orderId],
    );
    expect(rows).toHaveLength(1);
  }, waiting);
  tab = openTab(shop, `/admin/orders/${order.orderId}`, { as: owner });
  await see(/Payment declined.*insufficient funds/);
});

test('an order accepts a link that begins with https, and refunds a part of its money', async () => {
  const { orderId, orderNumber } = await soldOrder();
  const link = { shipmentTrackingUrl: 'https://parcels.example.com/0' };
  await shop.call('setOrderTracking', { as: owner, path: { orderId }, body: link }); // as older clients do
  tab = openTab(shop, `/admin/orders/${orderId}`, { as: owner });
  await see(`Order #${orderNumber}`);
  await see('Order placed');
  await press('Change tracking link');
  await fill('Tracking link', 'http://parcels.example.com/1');
  await press('Save', await dialog());
  await see('Enter a link that starts with https://');
  await fill('Tracking link', 'https://parcels.example.com/1');
  await press('Save', await dialog());
  await see('Tracking link saved');
  await see('https://parcels.example.com/1');

  await press('Refund');
  (await fieldCalled('Custom amount')).click();
  expect((await fieldCalled('Amount')).value).toBe('25.00');
  await fill('Amount', '25.01');
  await press('Refund', await dialog());
  await see('You can refund up to $25.00');
  await fill('Amount', '$4.50');
  await fill('Reason', 'One jar arrived broken');
  await press('Refund', await dialog());
  await see('Refund issued');
  await see('$4.50');
  expect(await statusOf(shop, orderId)).toBe('PAID');
  await see('Partially refunded');
  await see(/Tracking link changed.*Isatou Jallow.*Refunded \$4\.50.*Isatou Jallow/);
  await see(/Email (waiting|sent): Order confirmation/);

  await tab.go(`/ordered/products?q=${orderNumber}`);
  await see(/2–\$25\.00PaidTo shipPartially refunded/);
});

test('an unknown order says so, and an unavailable one says that', async () => {
  tab = openTab(shop, '/admin/orders/a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043', { as: owner });
  await see('No order details available.');
});

test('a message is marked as read once it is opened, and its reply is saved until it is sent', async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  await shop.call('createContactMessage', { body: { fullName: 'Lamin Touray', email, reason: 'Half-kilo bags?' } });
  tab = openTab(shop, `/admin/messages?q=${email}`, { as: owner });
  await see('Unread');
  await press('Lamin Touray');
  await see('No reply yet');
  await fill('Your reply', 'Yes, from December on.');
  const broken = { status: 500, headers: { 'content-type': 'application/problem+json' } };
  tab.network.answers = (path) => (path.endsWith('/reply') ? new Response('{"code":"internal"}', broken) : undefined);
  await press('Send reply');
  await see("Couldn't send your reply. Try again.");
  expect((await fieldCalled('Your reply')).value).toBe('Yes, from December on.');
  tab.network.answers = () => undefined;
  await press('Send reply');
  await see('Reply sent');
  await see(/Yes, from December on\.\s*Isatou Jallow/);
  await press('Close', await dialog());
  await see('Replied');
  await miss('Unread');
});

test('the settings leave changes from another device alone', async () => {
  const before = { ...defaultSettings, timeZone: 'Africa/Abidjan' }; // the first of the list, which this window shows for any other too
  await shop.call('updateSettings', { as: owner, body: before });
  tab = openTab(shop, '/admin/settings/general', { as: owner });
  await fill('Low stock', '7');
  const elsewhere = { ...before, shopName: 'Spice Corner', newCustomerUnits: 4 };
  await shop.call('updateSettings', { as: owner, body: elsewhere });
  await press('Save');
  await see('Settings saved');
  const { settings } = (await shop.call('getSettings', { as: owner })).data;
  expect(settings).toMatchObject({ ...elsewhere, lowStockThreshold: 7 });
  const name = await box('Shop name');
  await until(() => name.value === 'Spice Corner');
  await shop.call('updateSettings', { as: owner, body: defaultSettings });
});

test('text typed into a form is restored after the session ended and a login in between', async () => {
  const account = await openAccount(shop);
  await shop.db.update(users).set({ role: 'ROLE_OWNER' }).where(eq(users.id, account.id));
  const as = await logIn(shop, account);
  tab = openTab(shop, '/new/product/category', { as });
  await fill('Title', 'Pickles & Chili');
  expect((await fieldCalled('Name')).value).toBe('pickles-and-chili');
  await fill('Name', 'pickles');
  await fill('Title', 'Pickles');
  await fill('Description', 'Sour and hot');
  await shop.call('logout', { body: {}, headers: { authorization: `Bearer ${as.jwt}` } });
  await press('Save');
  await logInAgain(tab, account, '/new/product/category');
  await expect.poll(async () => (await fieldCalled('Name')).value).toBe('pickles');
  expect((await fieldCalled('Description')).value).toBe('Sour and hot');
  await press('Save');
  await see('Category created');
});

test('a mail is shown as its recipient sees it, with its source folded', async () => {
  const { orderNumber } = await soldOrder();
  await runDueJobs(shop);
  tab = openTab(shop, '/admin/mail', { as: owner });
  await see(`#${orderNumber}`);
  await see('No mail server');
  await press('Order confirmation');
  await see(`Order #${orderNumber} confirmed`);
  await see('2 × Black pepper');
  const source = document.querySelector('details');
  expect(source?.open).toBe(false);
  expect(source?.textContent).toContain('Show source');
});
