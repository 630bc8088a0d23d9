import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, test } from 'vitest';
import { orderNotes, orders, orderTimeline, refunds } from '../../../src/server/db/schema/tables';
import { shopFactsKey } from '../../../src/shared/deviceNames';
import { defaultSettings } from '../../../src/shared/settings';
import { paidOrder } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, openTab, press, see, type Tab } from '../openTab';

let shop: TestShop;
let tab: Tab;
let staff: Person;
let order: Awaited<ReturnType<typeof paidOrder>>;

/** The evening before, and in another season, compared with the same moments where this test runs. */
const placed = new Date('2026-07-01T03:30:00Z');
const sent = new Date('2026-12-01T07:05:00Z');

beforeAll(async () => {
  shop = await openOwnShop();
  allowCallsElsewhere(); // the order is created before the first tab is open
  const owner = await shop.signIn({ role: 'ROLE_OWNER' });
  staff = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Isatou Jallow' });
  order = await paidOrder(shop, { priceCents: 1250 }, 2);
  const { orderId } = order;
  const path = { orderId };
  await shop.call('refundOrder', { as: staff, path, body: { amount: 5, reason: 'One jar broke' } });
  await shop.call('addOrderNote', { as: staff, path, body: { text: 'Two jars' } });
  await shop.db.update(orders).set({ createdAt: placed, paidAt: placed }).where(eq(orders.id, orderId));
  await shop.db.update(orderTimeline).set({ at: placed }).where(eq(orderTimeline.orderId, orderId));
  await shop.db.update(refunds).set({ createdAt: sent, doneAt: sent }).where(eq(refunds.orderId, orderId));
  await shop.db.update(orderNotes).set({ at: sent }).where(eq(orderNotes.orderId, orderId));
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, timeZone: 'America/Los_Angeles' } });
});
afterEach(() => tab.close());
afterAll(() => shop.close());

test('a customer reads the times of an order in the shop’s time zone, which is named', async () => {
  tab = openTab(shop, '/customer/orders', { as: order.as });
  await see(/Order #\d+ ?Jun 30, 2026, 8:30\sPM PDT/);
  await press(`Receipt for order ${order.orderNumber}`);
  await see(/Order dateJun 30, 2026, 8:30\sPM PDTPaidJun 30, 2026, 8:30\sPM PDT/);
  await see(/Refunded Nov 30, 2026, 11:05\sPM PST/);
});

test('staff read them the same way in the list, on the order, and on its packing slip', async () => {
  tab = openTab(shop, `/ordered/products?q=${order.orderNumber}`, { as: staff });
  await see(/Jun 30, 2026, 8:30\sPM PDT/);
  await press(`#${order.orderNumber}`);
  await see(/Order dateJun 30, 2026, 8:30\sPM PDT/);
  await see(/Order placedJun 30, 8:30\sPM PDT/);
  await see(/PaidJun 30, 8:30\sPM PDT/);
  await see(/Note addedNov 30, 11:05\sPM PST, Isatou JallowTwo jars/);
  await see(/Refunded \$5\.00Nov 30, 11:05\sPM PST, Isatou Jallow.*One jar broke/);
  await press('Print');
  await press('Packing slip', document.body);
  await see(/Packing slipOrder #\d+.*OrderedJun 30, 2026, 8:30\sPM PDT/);
});

test.each([
  ['the browser does not know that time zone', { timeZone: 'Africa/Serekunda' }, /Jul 1, 2026, 3:30\sAM UTC/],
])('where %s, a time still has its zone', async (_, kept, messages) => {
  const before = openTab(shop, '/contact', { as: order.as });
  await see('Contact');
  before.close();
  const facts = { name: 'Spices', contactEmail: 'hello@example.com', contactPhone: '', ...kept };
  localStorage.setItem(shopFactsKey, JSON.stringify(facts));
  before.network.hangs = /\/public\/shop$/;
  tab = openTab(shop, '/customer/orders', { as: order.as, after: before });
  await see(messages);
});
