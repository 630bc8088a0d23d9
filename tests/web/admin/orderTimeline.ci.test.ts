import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { stepsOf } from '../../../src/web/admin/orders/timelineSteps';
import { openOrder, paidOrder } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { allowCallsElsewhere, fill, miss, openTab, press, see, type Tab } from '../openTab';

/** Rule: docs/rules/back-office.md, Orders */
let shop: TestShop;
let tab: Tab | undefined;
let staff: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Musa Camara' });
  allowCallsElsewhere(); // orders are created before the first tab is open
});
afterEach(() => tab?.close());
afterAll(() => shop.close());

const read = async (orderId: string) => (await shop.call('getOrderForStaff', { as: staff, path: { orderId } })).data;

test('all that happened to an order is one list: packages, refunds, emails, and notes', async () => {
  const { orderId, as } = await paidOrder(shop, { name: 'Afra Grill Rub', priceCents: 1250 }, 3);
  const [{ orderItemId } = { orderItemId: '' }] = (await read(orderId)).orderResponse.orderItems;
  const path = { orderId };
  const ship = (trackingNumber: string) =>
    shop.call('createParcel', {
      as: staff,
      path,
      body: { carrier: 'ups', trackingNumber, notify: false, lines: [{ orderItemId, quantity: 1 }] },
    });
  const { parcels = [] } = (await ship('1Z999AA10123456784')).data.orderResponse;
  const parcel = { orderId, parcelId: parcels[0]?.id ?? '' };
  shop.clock.advance(1_000);
  await shop.call('updateParcel', { as: staff, path: parcel, body: { carrier: 'fedex' } });
  shop.clock.advance(1_000);
  await shop.call('deleteParcel', { as: staff, path: parcel });
  shop.clock.advance(1_000);
  await ship('1Z999AA10123450000');
  shop.clock.advance(1_000);
  const lines = [{ orderItemId, quantity: 1, restock: true }];
  const refund = { reason: 'Asked for', customerNote: 'Sorry about that', lines };
  await shop.call('refundOrder', { as: staff, path, body: refund });
  shop.clock.advance(1_000);
  await shop.call('addOrderNote', { as: staff, path, body: { text: 'Called her back' } });

  tab = openTab(shop, `/admin/orders/${orderId}`, { as: staff });
  const by = '[^$]*?Musa Camara';
  await see(
    new RegExp(
      [
        `Order placed.*?\\$37\\.50.*?Paid.*?\\$37\\.50.*?`,
        `Package shipped${by}UPSPackage tracking changed${by}FedExPackage deleted${by}`,
        `Package 1 shipped${by}UPS 1Z999AA10123450000Refunded \\$12\\.50${by}Afra Grill Rub, 1.*?\\$12\\.50`,
        'Asked forNote to customer: Sorry about thatRestocked: 1 × Afra Grill Rub',
        `.*?Note added${by}Called her backOn DeliveryDelivered`,
      ].join(''),
    ),
  );
  await see(`To ${as.email}`);
  await see(/Refunded.*\$12\.50Total after refunds\$25\.00/);
  await miss('Refunds');
  await fill('New note', 'Sent a new jar');
  await press('Add note');
  await see(/Note added.*Called her back.*Note added.*Sent a new jarOn Delivery/);
});

test('a payment that arrives after the order was canceled is in the list', async () => {
  const { orderId } = await openOrder(shop);
  const { orderResponse: placed, details } = await read(orderId);
  const at = shop.clock.now().toISOString();
  const step = { at, by: null, note: null };
  const timeline = [...placed.timeline, { ...step, status: 'CANCELLED' as const }];
  const late = { ...placed, paidAt: at, timeline };
  const wordsOf = (order: typeof placed) =>
    stepsOf(order, details, 'us').map(({ what, notes = [] }) => [what, ...notes.filter(Boolean)]);
  expect(wordsOf(late)).toEqual([
    ['Order placed', '$4.50'],
    ['Canceled'],
    ['Payment received', '$4.50', 'Paid after the order was canceled'],
  ]);
  expect(wordsOf({ ...late, timeline: [...timeline, { ...step, status: 'PAID' as const }] }).slice(2)).toEqual([
    ['Paid', '$4.50', 'Paid after the order was canceled'],
  ]);
});
