import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BodyOf } from '../../../src/shared/contract';
import type { OrderStatus } from '../../../src/shared/orders';
import { checkBooks, paidOrder } from '../../support/buying';
import { runDueJobs } from '../../support/mails';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** Parcels without a number, which a status makes. Rule: docs/rules/orders-and-payment.md, Parcels */
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const move = async (orderId: string, status: OrderStatus) =>
  (await shop.call('updateOrderStatus', { as: admin, path: { orderId, status } })).data.orderResponse;
const sendMails = async () => {
  await shop.pool.query(`update graphile_worker._private_jobs set run_at = now()`);
  await runDueJobs(shop);
};

test('each of them is told, also a second one of an order', async () => {
  const { orderId, orderItemId } = await orderOfFive();
  const lines = [{ orderItemId, quantity: 1 }];
  const body = { lines, carrier: 'usps', notify: false } as const;
  const { parcels = [] } = (await shop.call('createParcel', { as: admin, path: { orderId }, body })).data.orderResponse;
  await move(orderId, 'OUT_FOR_DELIVERY');
  await sendMails();
  shop.clock.advance(10_001);
  admin = await shop.again(admin);
  const path = { orderId, parcelId: parcels[0]?.id ?? '' };
  expect((await shop.call('deleteParcel', { as: admin, path })).data.orderResponse.orderStatus).toBe('PAID');
  await move(orderId, 'OUT_FOR_DELIVERY');
  await move(orderId, 'PAID');
  await move(orderId, 'OUT_FOR_DELIVERY');
  await sendMails();
  expect((await toldUnits(orderId)).map(({ state, units }) => [state, units])).toEqual([
    ['cancelled', null],
    ['sent', 1],
    ['sent', 4],
  ]);
});

test("a changed link is the order's own too", async () => {
  const { orderId } = await orderOfFive();
  const link = 'https://parcels.example.com/1';
  await shop.call('setOrderTracking', { as: admin, path: { orderId }, body: { shipmentTrackingUrl: link } });
  const { parcels = [], shipmentTrackingUrl } = await move(orderId, 'OUT_FOR_DELIVERY');
  expect([shipmentTrackingUrl, parcels[0]?.trackingUrl]).toEqual([link, link]);
  const path = { orderId, parcelId: parcels[0]?.id ?? '' };
  const change = async (body: BodyOf<'updateParcel'>) =>
    (await shop.call('updateParcel', { as: admin, path, body })).data.orderResponse.shipmentTrackingUrl;
  expect(await change({ trackingUrl: 'https://parcels.example.com/2' })).toBe('https://parcels.example.com/2');
  const numbered = { carrier: 'ups', trackingNumber: '1Z84F29W0355182207', trackingUrl: null } as const;
  expect(await change(numbered)).toBe('https://www.ups.com/track?tracknum=1Z84F29W0355182207');
});

async function orderOfFive() {
  const { orderId } = await paidOrder(shop, { quantity: 9 }, 5);
  const [line] = (await shop.call('getOrder', { as: admin, path: { orderId } })).data.orderResponse.orderItems;
  return { orderId, orderItemId: line?.orderItemId ?? '' };
}

/** The mails about parcels, with the units that each names. */
async function toldUnits(orderId: string) {
  const { rows } = await shop.pool.query<{ state: string; units: number | null }>(
    `select mails.state, sum(quantity)::int as units
     from mails left join parcel_lines on parcel_id = (facts ->> 'parcelId')::uuid
     where order_id = $1 and kind = 'out_for_delivery' group by mails.id, mails.state order by state, units`,
    [orderId],
  );
  return rows;
}
