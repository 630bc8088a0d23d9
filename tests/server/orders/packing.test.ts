import { afterAll, beforeAll, expect, test } from 'vitest';
import { slipLines, unitsLeft } from '../../../src/shared/orderUnits';
import { maxPackedOrders } from '../../../src/shared/packing';
import { buy, openOrder, placedOrder, putInCart } from '../../support/buying';
import { isNightly } from '../../support/nightly';
import { seededRandom } from '../../support/random';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** Rule: docs/rules/back-office.md, Packing */
let shop: TestShop;
let admin: Person;
/** In the order of the store room. */
let goods: { id: string }[];
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  goods = [];
  for (const facts of [
    { name: 'Rub', shelf: 'A 2', sku: 'RUB-110', netGrams: 110 },
    { name: 'Rub', shelf: 'A 10', sku: 'RUB-450', netGrams: 450 },
    { name: 'Blend', shelf: 'B 1' },
    { name: 'Pepper', shelf: 'B 1', barcode: '4006381333931' },
    { name: 'Allspice' },
    { name: 'Zaatar' },
  ])
    goods.push(await shop.stock({ ...facts, quantity: 10_000 }));
});
afterAll(() => shop.close());

/** A paid order of these units of the goods, by their place in the list. */
async function order(units: Record<number, number>) {
  const as = await shop.signIn();
  for (const [at, quantity] of Object.entries(units)) await putInCart(shop, as, goods[Number(at)]?.id ?? '', quantity);
  const placed = await placedOrder(shop, as);
  await buy(shop, placed);
  return { ...placed, as };
}

const read = async (orderId: string) =>
  (await shop.call('getOrder', { as: admin, path: { orderId } })).data.orderResponse;
const pickList = async (ids: string[]) => (await shop.call('getPickList', { as: admin, query: { ids } })).data;
const slips = async (ids: string[]) => (await shop.call('getPackingSlips', { as: admin, query: { ids } })).data;
const move = (orderId: string, status: 'OUT_FOR_DELIVERY' | 'DELIVERED') =>
  shop.call('updateOrderStatus', { as: admin, path: { orderId, status } });

async function ship(orderId: string, unitsAt: (leftToShip: number) => number) {
  const lines = (await read(orderId)).orderItems
    .map(({ orderItemId, leftToShip }) => ({ orderItemId, quantity: unitsAt(leftToShip) }))
    .filter(({ quantity }) => quantity > 0);
  if (lines.length > 0)
    await shop.call('createParcel', { as: admin, path: { orderId }, body: { lines, carrier: 'usps' } });
}

async function refund(orderId: string, unitsAt: (left: number) => number) {
  const lines = (await read(orderId)).orderItems
    .map(({ orderItemId, quantity, refundedQuantity }) => ({
      orderItemId,
      quantity: unitsAt(quantity - refundedQuantity),
      restock: true,
    }))
    .filter(({ quantity }) => quantity > 0);
  const body = { reason: 'Asked for', lines };
  if (lines.length > 0) await shop.call('refundOrder', { as: admin, path: { orderId }, body });
}

test('a pick list has what is left of the chosen orders, by product, in the order of the shelves', async () => {
  const first = await order({ 0: 2, 1: 1, 4: 1 });
  const second = await order({ 5: 1, 0: 3, 3: 2, 2: 1 });
  await order({ 0: 9 }); // not chosen
  const { lines, nothingLeft } = await pickList([second.orderId, first.orderId, second.orderId.toUpperCase()]);
  expect(lines.map(({ productName, netGrams, shelf, units }) => [shelf, productName, netGrams, units])).toEqual([
    ['A 2', 'Rub', 110, 5],
    ['A 10', 'Rub', 450, 1],
    ['B 1', 'Blend', undefined, 1],
    ['B 1', 'Pepper', undefined, 2],
    [null, 'Allspice', undefined, 1],
    [null, 'Zaatar', undefined, 1],
  ]);
  expect(lines.map(({ sku, barcode }) => [sku, barcode]).slice(0, 4)).toEqual([
    ['RUB-110', undefined],
    ['RUB-450', undefined],
    [null, undefined],
    [null, '4006381333931'],
  ]);
  expect(lines[0]?.orders).toEqual([
    { orderId: first.orderId, orderNumber: first.orderNumber, units: 2 },
    { orderId: second.orderId, orderNumber: second.orderNumber, units: 3 },
  ]);
  expect(nothingLeft).toEqual([]);
  expect((await slips([second.orderId, first.orderId])).orders.map(({ id }) => id)).toEqual([
    first.orderId,
    second.orderId,
  ]);
});

test('shipped and refunded units are not picked, and an order with nothing left is named', async () => {
  const [part, shipped, refunded] = [await order({ 0: 3, 2: 1 }), await order({ 0: 1 }), await order({ 0: 1 })];
  const unpaid = await openOrder(shop);
  await ship(part.orderId, (left) => (left === 3 ? 1 : 0));
  await refund(part.orderId, (left) => (left === 1 ? 1 : 0));
  await move(shipped.orderId, 'OUT_FOR_DELIVERY');
  await refund(refunded.orderId, (left) => left);
  const ids = [unpaid, refunded, shipped, part].map(({ orderId }) => orderId);
  const { lines, nothingLeft } = await pickList(ids);
  expect(lines.map(({ productName, units }) => [productName, units])).toEqual([['Rub', 2]]);
  expect(nothingLeft.map(({ orderNumber, orderStatus }) => [orderNumber, orderStatus])).toEqual([
    [shipped.orderNumber, 'OUT_FOR_DELIVERY'],
    [refunded.orderNumber, 'REFUNDED'],
    [unpaid.orderNumber, 'PENDING_PAYMENT'],
  ]);
  const packed = await slips(ids);
  expect(packed.nothingLeft).toEqual(nothingLeft.slice(1));
  expect(packed.orders.map(({ orderNumber }) => orderNumber)).toEqual([part.orderNumber, shipped.orderNumber]);
  expect(packed.orders.flatMap((each) => slipLines(each)).map(({ units, sku }) => [units, sku])).toEqual([
    [2, 'RUB-110'],
    [1, 'RUB-110'],
  ]);
});

test('the slip of an order that is all shipped has what its packages have, also after a refund', async () => {
  const [twice, returned] = [await order({ 0: 3, 2: 1 }), await order({ 3: 2 })];
  await ship(twice.orderId, (left) => (left === 3 ? 2 : 0));
  await ship(twice.orderId, (left) => left);
  await ship(returned.orderId, (left) => left);
  await refund(returned.orderId, (left) => left);
  const { orders, nothingLeft } = await slips([returned.orderId, twice.orderId]);
  expect(nothingLeft).toEqual([]);
  expect(orders.map(({ orderStatus }) => orderStatus)).toEqual(['OUT_FOR_DELIVERY', 'REFUNDED']);
  const printed = orders.map((each) => slipLines(each).map(({ productName, units }) => [productName, units]));
  expect(printed).toEqual([
    [
      ['Rub', 3],
      ['Blend', 1],
    ],
    [['Pepper', 2]],
  ]);
});

test("staff see where an order's products are in the store room, and its customer does not", async () => {
  const placed = await order({ 0: 1 });
  const path = { orderId: placed.orderId };
  expect((await read(placed.orderId)).orderItems).toMatchObject([{ sku: 'RUB-110', shelf: 'A 2' }]);
  const own = await shop.call('getOrder', { as: placed.as, path });
  expect(Object.keys(own.data.orderResponse.orderItems[0] ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(sku|barcode|shelf)$/)]),
  );
});

test("staff see which account an order belongs to, and its customer's answer stays as it was", async () => {
  const { as, orderId } = await order({ 0: 1 });
  const query = { ids: [orderId] };
  expect((await shop.call('listOrders', { as: admin, query })).data.orders.content).toMatchObject([
    { userId: as.userId },
  ]);
  const own = await shop.call('getOrder', { as, path: { orderId } });
  expect(own.data.orderResponse).not.toHaveProperty('userId');
});

test(`at most ${maxPackedOrders} orders are chosen`, async () => {
  const { orderId } = await order({ 0: 1 });
  const ids = Array.from({ length: maxPackedOrders }, () => orderId);
  expect((await shop.call('getPickList', { as: admin, query: { ids } })).status).toBe(200);
  for (const id of ['getPickList', 'getPackingSlips'] as const)
    expect(await shop.call(id, { as: admin, query: { ids: [...ids, orderId] } })).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
});

const howMany = isNightly ? 120 : 12;

test(
  `a pick list has as many units as the packing slips of ${howMany} random orders`,
  { timeout: howMany * 10_000 },
  async () => {
    const { below, oneOf } = seededRandom();
    const ids: string[] = [];
    for (let made = 0; made < howMany; made++) {
      const units = Object.fromEntries([0, 1, 2].map(() => [below(goods.length), 1 + below(5)]));
      const { orderId } = await order(units);
      ids.push(orderId);
      for (let left = below(4); left > 0; left--) {
        const act = oneOf(['ship', 'ship', 'refund', 'move'] as const);
        if (act === 'ship') await ship(orderId, (most) => below(most + 1));
        else if (act === 'refund') await refund(orderId, (most) => below(most + 1));
        else await move(orderId, 'OUT_FOR_DELIVERY');
      }
    }
    for (let chosen = 0; chosen < 5; chosen++) {
      const some = chosen === 0 ? ids : ids.filter(() => below(2) === 0);
      if (some.length === 0) continue;
      const [{ lines, nothingLeft }, packed] = [await pickList(some), await slips(some)];
      const [onSlips, fromOrders] = [new Map<string, number>(), new Map<string, number>()];
      const toPack = packed.orders.filter((each) => unitsLeft(each) > 0);
      for (const each of toPack)
        for (const { productId, units } of slipLines(each))
          onSlips.set(productId, (onSlips.get(productId) ?? 0) + units);
      for (const id of some)
        for (const { productId, leftToShip } of (await read(id)).orderItems)
          if (leftToShip > 0) fromOrders.set(productId, (fromOrders.get(productId) ?? 0) + leftToShip);
      const picked = new Map(lines.map(({ productId, units }) => [productId, units]));
      expect(picked).toEqual(onSlips);
      expect(picked).toEqual(fromOrders);
      expect(toPack.length + nothingLeft.length).toBe(some.length);
      expect(packed.orders.length + packed.nothingLeft.length).toBe(some.length);
      for (const { units, orders } of lines) expect(orders.reduce((sum, each) => sum + each.units, 0)).toBe(units);
    }
  },
);
