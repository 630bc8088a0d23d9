import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BodyOf, Schema } from '../../../src/shared/contract';
import type { OrderStatus } from '../../../src/shared/orders';
import { buy, checkBooks, paidOrder, placedOrder, quantityOf, shopperWith } from '../../support/buying';
import { runDueJobs } from '../../support/mails';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** Rule: docs/rules/orders-and-payment.md, Parcels */
let shop: TestShop;
let admin: Person;
let other: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Musa Camara' });
  other = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Isatou Jallow' });
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

/** A paid order of 3 rubs and 2 blends. */
async function orderToShip() {
  const [rub, blend] = [await shop.stock({ name: 'Rub' }), await shop.stock({ name: 'Blend' })];
  const as = await shopperWith(shop, 3, rub);
  await shop.call('addCartItem', { as, path: { userId: as.userId }, body: { productId: blend.id, quantity: 2 } });
  const placed = await placedOrder(shop, as);
  await buy(shop, placed);
  const { orderId } = placed;
  const { orderItems } = await read(orderId);
  const idOf = (name: string) => orderItems.find(({ productName }) => productName === name)?.orderItemId ?? '';
  return { as, orderId, orderNumber: placed.orderNumber, rub: idOf('Rub'), blend: idOf('Blend'), rubId: rub.id };
}

type Units = Readonly<Record<string, number>>;
type RefundedLine = Omit<NonNullable<BodyOf<'refundOrder'>['lines']>[number], 'restock'> & { restock?: boolean };
const linesOf = (units: Units) => Object.entries(units).map(([orderItemId, quantity]) => ({ orderItemId, quantity }));
const read = async (orderId: string, as = admin) =>
  (await shop.call('getOrder', { as, path: { orderId } })).data.orderResponse;
const ship = (orderId: string, units: Units, more: Partial<BodyOf<'createParcel'>> = {}, as = admin) =>
  shop.call('createParcel', { as, path: { orderId }, body: { lines: linesOf(units), carrier: 'usps', ...more } });
const move = (orderId: string, status: OrderStatus, as = admin) =>
  shop.call('updateOrderStatus', { as, path: { orderId, status } });
const refund = (orderId: string, lines: RefundedLine[]) =>
  shop.call('refundOrder', { as: admin, path: { orderId }, body: { reason: 'Asked for', lines } });
const parcelsOf = ({ parcels = [] }: Schema<'Order'>) => parcels;
const unitsOf = ({ orderItems }: Schema<'Order'>) =>
  orderItems.map(({ quantity, refundedQuantity, shippedQuantity, leftToShip }) => [
    quantity,
    refundedQuantity,
    shippedQuantity,
    leftToShip,
  ]);
const remove = (orderId: string, parcelId: string, as = admin) =>
  shop.call('deleteParcel', { as, path: { orderId, parcelId } });
const mailsOf = async (orderId: string) => {
  const { rows } = await shop.pool.query<{ id: string; state: string }>(
    `select id, state from mails where order_id = $1 and kind = 'out_for_delivery' order by created_at, about`,
    [orderId],
  );
  return rows;
};
const textOf = async (mailId: string) => {
  const owner = await shop.signIn({ role: 'ROLE_OWNER' });
  return (await shop.call('getMail', { as: owner, path: { mailId } })).data.content;
};
const sendMails = async () => {
  await shop.pool.query(`update graphile_worker._private_jobs set run_at = now()`);
  await runDueJobs(shop);
};

describe('an order that is shipped in parts', () => {
  test('says what is left after the first parcel, and is On Delivery after the last', async () => {
    const { as, orderId, rub, blend } = await orderToShip();
    const first = await ship(orderId, { [rub]: 1 }, { trackingNumber: '9400 1118 9956' });
    expect(first.status).toBe(201);
    expect(first.message).toBe('Items shipped');
    const part = first.data.orderResponse;
    expect(part.orderStatus).toBe('PAID');
    expect(unitsOf(part)).toEqual([
      [3, 0, 1, 2],
      [2, 0, 0, 2],
    ]);
    expect(parcelsOf(part)).toMatchObject([
      {
        carrier: 'usps',
        trackingNumber: '9400 1118 9956',
        trackingUrl: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=940011189956',
        lines: [{ orderItemId: rub, quantity: 1 }],
        by: 'Musa Camara',
        isNotified: true,
      },
    ]);
    const rest = (await ship(orderId, { [rub]: 2, [blend]: 2 }, { carrier: 'ups' }, other)).data.orderResponse;
    expect(rest.orderStatus).toBe('OUT_FOR_DELIVERY');
    expect(rest.timeline.map(({ status, by }) => [status, by]).at(-1)).toEqual(['OUT_FOR_DELIVERY', 'Isatou Jallow']);
    const own = await read(orderId, as);
    expect(unitsOf(own)).toEqual([
      [3, 0, 3, 0],
      [2, 0, 2, 0],
    ]);
    expect(parcelsOf(own).map(({ by }) => by)).toEqual([null, null]);
    expect(own.shipmentTrackingUrl).toContain('usps'); // for clients that know no parcels
    expect((await move(orderId, 'DELIVERED')).data.orderResponse.parcels).toHaveLength(2);
  });

  test('tells its customer of each parcel once, and not of the status as well', async () => {
    const { orderId, orderNumber, rub, blend } = await orderToShip();
    await ship(orderId, { [rub]: 1 }, { trackingNumber: '9400 1118' });
    await sendMails();
    const [part] = await mailsOf(orderId);
    const first = await textOf(part?.id ?? '');
    expect(first.subject).toBe(`Part of order #${orderNumber} is on its way`);
    for (const words of ['It ships with USPS. Tracking number: 9400 1118', 'Rub  1', 'Total items  1'])
      expect(first.text).toContain(words);
    expect(first.text).not.toContain('Blend');
    expect(first.text).toContain("We'll email you when the rest ships.");
    expect(first.text).toContain('https://tools.usps.com/go/TrackConfirmAction?tLabels=94001118');
    await ship(orderId, { [rub]: 2 }, { notify: false });
    await ship(orderId, { [blend]: 2 });
    await move(orderId, 'DELIVERED');
    await sendMails();
    expect(await mailsOf(orderId)).toHaveLength(2);
  });

  test.each(['OUT_FOR_DELIVERY', 'DELIVERED'] as const)(
    '%s ships what is left, in a parcel without a number',
    async (status) => {
      const { orderId, rub, blend } = await orderToShip();
      await shop.call('setOrderTracking', {
        as: admin,
        path: { orderId },
        body: { shipmentTrackingUrl: 'https://parcels.example.com/1' },
      });
      await ship(orderId, { [rub]: 3 });
      const order = (await move(orderId, status)).data.orderResponse;
      expect(parcelsOf(order)[1]).toMatchObject({
        carrier: 'other',
        trackingNumber: null,
        trackingUrl: 'https://parcels.example.com/1',
        lines: [{ orderItemId: blend, quantity: 2 }],
        isNotified: status === 'OUT_FOR_DELIVERY',
      });
      await shop.call('setOrderTracking', { as: admin, path: { orderId }, body: { shipmentTrackingUrl: null } });
      expect(parcelsOf(await read(orderId))[1]?.trackingUrl).toBeNull();
    },
  );
});

test('no parcel has more units than are left, other items, or an item twice', async () => {
  const { orderId, rub, blend } = await orderToShip();
  await refund(orderId, [{ orderItemId: rub, quantity: 1 }]);
  expect(await ship(orderId, { [rub]: 3 })).toMatchObject({
    status: 409,
    code: 'nothing_left_to_ship',
    message: 'Only 2 of Rub left to ship',
  });
  expect(await ship(orderId, { [randomUUID()]: 1 })).toMatchObject({ status: 400, code: 'invalid_request' });
  for (const again of [rub, rub.toUpperCase()]) {
    const twice = [rub, again].map((orderItemId) => ({ orderItemId, quantity: 1 }));
    expect(await ship(orderId, {}, { lines: twice })).toMatchObject({ status: 400 });
  }
  await ship(orderId, { [rub]: 2, [blend]: 2 });
  expect(await ship(orderId, { [rub]: 1 })).toMatchObject({ message: 'Nothing in this order is left to ship' });
  const { orderId: unpaid } = await placedOrder(shop, await shopperWith(shop, 1, await shop.stock()));
  const [line] = (await read(unpaid)).orderItems;
  expect(await ship(unpaid, { [line?.orderItemId ?? '']: 1 })).toMatchObject({ code: 'nothing_left_to_ship' });
});

test('of two staff members who ship or refund the last units at the same time, one does', async () => {
  const { orderId, rub, blend } = await orderToShip();
  await ship(orderId, { [blend]: 2 });
  const answers = await Promise.all([
    ship(orderId, { [rub]: 3 }),
    ship(orderId, { [rub]: 3 }, {}, other),
    ship(orderId, { [rub]: 3 }, {}, other),
    refund(orderId, [{ orderItemId: rub, quantity: 1 }]),
  ]);
  const order = await read(orderId);
  const [line] = unitsOf(order);
  const shipped = answers.slice(0, 3).filter(({ status }) => status === 201).length;
  expect(shipped).toBeLessThanOrEqual(1);
  expect(line).toEqual(shipped === 1 ? [3, 1, 3, 0] : [3, 1, 0, 2]);
});

describe('a parcel is deleted', () => {
  test('within ten seconds with its mail and the status that it made', async () => {
    const { orderId, rub, blend } = await orderToShip();
    await ship(orderId, { [rub]: 1 });
    const sent = (await ship(orderId, { [rub]: 2, [blend]: 2 })).data.orderResponse;
    const answer = await remove(orderId, parcelsOf(sent)[1]?.id ?? '', other);
    expect(answer.data.orderResponse).toMatchObject({ orderStatus: 'PAID' });
    expect(unitsOf(answer.data.orderResponse)).toEqual([
      [3, 0, 1, 2],
      [2, 0, 0, 2],
    ]);
    await sendMails();
    expect((await mailsOf(orderId)).map(({ state }) => state)).toEqual(expect.arrayContaining(['sent', 'cancelled']));
  });

  test('later only if its customer was not notified, and never once the order is delivered', async () => {
    const { orderId, rub, blend } = await orderToShip();
    const told = parcelsOf((await ship(orderId, { [rub]: 1 })).data.orderResponse)[0]?.id ?? '';
    const quiet = (await ship(orderId, { [rub]: 2, [blend]: 2 }, { notify: false })).data.orderResponse;
    const silent = parcelsOf(quiet).find(({ id }) => id !== told)?.id ?? '';
    shop.clock.advance(10_001);
    admin = await shop.again(admin);
    expect(await remove(orderId, told)).toMatchObject({ status: 409, code: 'parcel_final' });
    expect((await remove(orderId, silent)).data.orderResponse.orderStatus).toBe('PAID');
    const again = (await ship(orderId, { [rub]: 2, [blend]: 2 }, { notify: false })).data.orderResponse;
    await move(orderId, 'DELIVERED');
    const late = parcelsOf(again).find(({ id }) => id !== told)?.id ?? '';
    expect(await remove(orderId, late)).toMatchObject({
      code: 'parcel_final',
      message: "This order is Delivered, so its packages can't be deleted",
    });
  });

  test('by undoing the status, with its mail; made again, it is told once', async () => {
    const { orderId, rub } = await orderToShip();
    await move(orderId, 'OUT_FOR_DELIVERY');
    await refund(orderId, [{ orderItemId: rub, quantity: 1, restock: true }]);
    expect((await move(orderId, 'PAID')).data.orderResponse.parcels).toEqual([]);
    expect((await mailsOf(orderId)).map(({ state }) => state)).toEqual(['cancelled']);
    // the unit that was refunded meanwhile never left
    expect(unitsOf(await read(orderId))[0]).toEqual([3, 1, 0, 2]);
    const order = (await move(orderId, 'OUT_FOR_DELIVERY')).data.orderResponse;
    expect(unitsOf(order)[0]).toEqual([3, 1, 2, 0]);
    await sendMails();
    expect((await mailsOf(orderId)).map(({ state }) => state)).toEqual(['sent']);
  });
});

test("a parcel's number can be changed, and is mailed again only if staff ask for it", async () => {
  const { orderId, rub } = await orderToShip();
  const [parcel] = parcelsOf((await ship(orderId, { [rub]: 1 }, { trackingNumber: '1' })).data.orderResponse);
  const path = { orderId, parcelId: parcel?.id ?? '' };
  const change = (body: BodyOf<'updateParcel'>) => shop.call('updateParcel', { as: admin, path, body });
  // the mail waits: it will have the new number
  await change({ trackingNumber: ' 1Z 84F 29W 03 5518 2207 ', carrier: 'ups', notify: true });
  await sendMails();
  const [sent] = await mailsOf(orderId);
  expect((await textOf(sent?.id ?? '')).text).toContain('It ships with UPS. Tracking number: 1Z 84F 29W 03 5518 2207');
  await change({ trackingNumber: '12345', notify: false });
  expect(await mailsOf(orderId)).toHaveLength(1);
  await change({ trackingUrl: 'https://parcels.example.com/2', notify: true });
  await sendMails();
  const [, again] = await mailsOf(orderId);
  const { subject, text } = await textOf(again?.id ?? '');
  expect(subject).toMatch(/^New tracking for order #/);
  expect(text).toContain('https://parcels.example.com/2');
  const [changed] = parcelsOf((await change({ trackingUrl: '' })).data.orderResponse);
  expect(changed).toMatchObject({ trackingUrl: 'https://www.ups.com/track?tracknum=12345' });
  const { rows } = await shop.pool.query(`select * from audit_log where target_id = $1`, [orderId]);
  expect(JSON.stringify(rows)).not.toContain('12345');
});

test.each([
  { trackingUrl: 'http://parcels.example.com/1' },
  { trackingUrl: 'javascript:alert(1)' },
  { trackingNumber: '<b>1</b>' },
  { trackingNumber: '9'.repeat(61) },
])('accepts no parcel with %o', async (more) => {
  const answer = await ship(randomUUID(), { [randomUUID()]: 1 }, more);
  expect(answer).toMatchObject({ status: 400, errors: [{ field: Object.keys(more)[0] }] });
});

describe('a refund by lines', () => {
  const refundedOf = async (orderId: string) =>
    (await read(orderId)).refunds?.map(({ lines }) =>
      lines?.map(({ quantity, unshippedQuantity }) => [quantity, unshippedQuantity]),
    );

  test('takes units that were not shipped first', async () => {
    const { orderId, rub, rubId } = await orderToShip();
    await ship(orderId, { [rub]: 1 });
    const stock = (await quantityOf(shop, rubId)) ?? 0;
    await refund(orderId, [{ orderItemId: rub, quantity: 1, restock: true }]);
    expect(unitsOf(await read(orderId))[0]).toEqual([3, 1, 1, 1]);
    await refund(orderId, [{ orderItemId: rub, quantity: 2 }]);
    expect(unitsOf(await read(orderId))[0]).toEqual([3, 3, 1, 0]);
    expect(await refundedOf(orderId)).toEqual([[[1, 1]], [[2, 1]]]);
    expect(await quantityOf(shop, rubId)).toBe(stock + 1);
  });

  test('of the last units that are left makes the order On Delivery', async () => {
    const { orderId, rub, blend } = await orderToShip();
    await ship(orderId, { [rub]: 3 });
    await refund(orderId, [{ orderItemId: blend, quantity: 1 }]);
    expect((await read(orderId)).orderStatus).toBe('PAID');
    await refund(orderId, [{ orderItemId: blend, quantity: 1 }]);
    const { orderStatus, timeline } = await read(orderId);
    expect([orderStatus, timeline.at(-1)]).toMatchObject([
      'OUT_FOR_DELIVERY',
      { by: null, note: 'The rest was refunded' },
    ]);
    await sendMails();
    expect(await mailsOf(orderId)).toHaveLength(1);
  });

  test('takes shipped units first if staff say that they came back', async () => {
    const { orderId, rub } = await orderToShip();
    await ship(orderId, { [rub]: 1 });
    await refund(orderId, [{ orderItemId: rub, quantity: 1, restock: true, cameBack: true }]);
    expect(unitsOf(await read(orderId))[0]).toEqual([3, 1, 1, 2]);
    await refund(orderId, [{ orderItemId: rub, quantity: 1, cameBack: true }]); // no other unit was shipped
    expect(await refundedOf(orderId)).toEqual([[[1, 0]], [[1, 1]]]);
    expect(unitsOf(await read(orderId))[0]).toEqual([3, 2, 1, 1]);
  });
});

test('an order that was shipped before parcels existed has nothing left to ship', async () => {
  const { orderId } = await paidOrder(shop, { quantity: 5 }, 2);
  await shop.pool.query(
    `with moved as (update orders set status = 'OUT_FOR_DELIVERY' where id = $1 returning id, user_id)
     insert into order_timeline (order_id, status, at) select id, 'OUT_FOR_DELIVERY', $2 from moved`,
    [orderId, shop.clock.now()],
  );
  const order = await read(orderId);
  expect([parcelsOf(order), unitsOf(order)]).toEqual([[], [[2, 0, 2, 0]]]);
  expect((await move(orderId, 'DELIVERED')).data.orderResponse.parcels).toEqual([]);
});
