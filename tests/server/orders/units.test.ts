import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderItems, orders, orderTimeline, refundLines, refunds } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import { notifyDelivery } from '../../../src/server/orders/emailTemplates';
import type { Schema } from '../../../src/shared/contract';
import { canMove, type OrderStatus } from '../../../src/shared/orders';
import { slipLines, unitsInWords, unitsLeft } from '../../../src/shared/orderUnits';
import { paidOrder } from '../../support/buying';
import { isNightly } from '../../support/nightly';
import { seededRandom } from '../../support/random';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** Rule: docs/rules/orders-and-payment.md, Units */
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const read = async (orderId: string) =>
  (await shop.call('getOrder', { as: admin, path: { orderId } })).data.orderResponse;
const move = (orderId: string, status: OrderStatus) =>
  shop.call('updateOrderStatus', { as: admin, path: { orderId, status } });
const mailOf = async (orderId: string) => {
  const { parcels = [] } = await read(orderId);
  const facts = { ...(parcels[0] && { parcelId: parcels[0].id }) };
  const mail = { id: randomUUID(), orderId, facts } as Parameters<typeof notifyDelivery>[0];
  return notifyDelivery(mail, { ...shop.mail, sender: await shop.mail.findSender() });
};
type Units = Record<'quantity' | 'refundedQuantity' | 'shippedQuantity' | 'leftToShip', number>;
type Item = Schema<'OrderItem'>;
const unitsOf = ({ quantity, refundedQuantity, shippedQuantity, leftToShip }: Item): Units => ({
  quantity,
  refundedQuantity,
  shippedQuantity,
  leftToShip,
});

test('refunded units are not shipped: slip, mail and order have only what was left', async () => {
  const { orderId } = await paidOrder(shop, { name: 'Rub', priceCents: 1250 }, 3);
  const [{ orderItemId } = { orderItemId: '' }] = (await read(orderId)).orderItems;
  const refund = (quantity: number) =>
    shop.call('refundOrder', {
      as: admin,
      path: { orderId },
      body: { reason: 'One jar was dropped', lines: [{ orderItemId, quantity, restock: true }] },
    });
  await refund(1);
  const paid = await read(orderId);
  expect(paid.orderItems[0]).toMatchObject({ quantity: 3, refundedQuantity: 1, shippedQuantity: 0, leftToShip: 2 });
  expect(paid.orderItems.map(unitsInWords)).toEqual(['3 ordered, 1 refunded, 2 left to ship']);
  expect(slipLines(paid).map(({ units }) => units)).toEqual([2]);

  await move(orderId, 'OUT_FOR_DELIVERY');
  await refund(1); // one of the two was restocked
  const sent = await read(orderId);
  expect(sent.orderItems[0]).toMatchObject({ refundedQuantity: 2, shippedQuantity: 2, leftToShip: 0 });
  expect(slipLines(sent).map(({ units }) => units)).toEqual([2]);
  expect((await mailOf(orderId))?.table).toEqual({
    rows: [{ label: 'Rub', amount: '2' }],
    total: { label: 'Total items', amount: '2' },
  });

  await move(orderId, 'PAID'); // undone: nothing was shipped
  expect((await read(orderId)).orderItems[0]).toMatchObject({ refundedQuantity: 2, shippedQuantity: 0, leftToShip: 1 });
});

test('an unpaid order has nothing to ship, and a restocked one has nothing left', async () => {
  const { orderId } = await paidOrder(shop, { priceCents: 1250 }, 3);
  const body = { reason: 'Never left the shelf', amount: 30, restock: true };
  await shop.call('refundOrder', { as: admin, path: { orderId }, body });
  expect((await read(orderId)).orderItems.map(unitsOf)).toEqual([
    { quantity: 3, refundedQuantity: 3, shippedQuantity: 0, leftToShip: 0 },
  ]);
  const [{ userId } = { userId: '' }] = await shop.db.select().from(orders).limit(1);
  const { id } = await writeOrder(userId, { steps: [], lines: [2], refunds: [] });
  const unpaid = await read(id);
  expect(unitsLeft(unpaid)).toBe(0);
  expect(slipLines(unpaid)).toEqual([]);
});

test('restocked units are not shipped, even when the bank returns the money later', async () => {
  const { orderId } = await paidOrder(shop, { priceCents: 1250 }, 3);
  const [{ orderItemId } = { orderItemId: '' }] = (await read(orderId)).orderItems;
  for (const restock of [true, false])
    await shop.call('refundOrder', {
      as: admin,
      path: { orderId },
      body: { reason: 'Not wanted', lines: [{ orderItemId, quantity: 1, restock }] },
    });
  await shop.pool.query(`update refunds set state = 'failed' where order_id = $1`, [orderId]);
  expect((await read(orderId)).orderItems.map(unitsOf)).toEqual([
    { quantity: 3, refundedQuantity: 1, shippedQuantity: 0, leftToShip: 2 },
  ]);
});

const howMany = isNightly ? 200 : 20;

test(`slip, mail, staff and customer agree on the units of ${howMany} random orders with refunds`, async () => {
  const random = seededRandom();
  const customer = await shop.signIn();
  const expected = new Map<string, { units: Units[]; isShipped: boolean }>();
  for (let made = 0; made < howMany; made++) {
    const { id, units, isShipped } = await randomOrder(customer.userId, random);
    expected.set(id, { units, isShipped });
  }
  const [ofStaff, ofCustomer] = [new Map<string, Schema<'Order'>>(), new Map<string, Schema<'Order'>>()];
  const toShip: string[] = [];
  for (const query of [0, 1].map((page) => ({ page, size: howMany / 2 }))) {
    const path = { userId: customer.userId };
    const own = await shop.call('listCustomerOrders', { as: customer, path, query });
    for (const order of own.data.orders.content) ofCustomer.set(order.id, order);
    const all = await shop.call('listOrders', { as: admin, query: { ...query, q: '#T-' } });
    for (const order of all.data.orders.content) ofStaff.set(order.id, order);
    const left = await shop.call('listOrders', { as: admin, query: { ...query, q: '#T-', toShip: true } });
    toShip.push(...left.data.orders.content.map(({ id }) => id));
  }
  const hasLeft = [...expected].filter(([, { units }]) => units.some(({ leftToShip }) => leftToShip > 0));
  const byId = (one: string, other: string) => one.localeCompare(other);
  expect(toShip.toSorted(byId)).toEqual(hasLeft.map(([id]) => id).toSorted(byId));
  for (const [id, { units, isShipped }] of expected) {
    const order = ofStaff.get(id);
    if (!order) throw new Error('an order is not in the list');
    expect(order.orderItems.map(unitsOf)).toEqual(units);
    expect(ofCustomer.get(id)?.orderItems.map(unitsOf)).toEqual(units);
    const packed = units.map(({ leftToShip, shippedQuantity }) => leftToShip + shippedQuantity);
    expect(slipLines(order).map((line) => line.units)).toEqual(packed.filter((some) => some > 0));
    if (!isShipped) continue;
    const { rows = [] } = (await mailOf(id))?.table ?? {};
    expect(rows.map(({ amount }) => Number(amount))).toEqual(packed.filter((some) => some > 0));
    for (const { quantity, refundedQuantity, shippedQuantity, leftToShip } of units) {
      expect(refundedQuantity).toBeLessThanOrEqual(quantity);
      expect(shippedQuantity + leftToShip).toBeLessThanOrEqual(quantity);
    }
  }
});

type Written = {
  steps: OrderStatus[];
  lines: number[];
  refunds: { state: 'asked' | 'done' | 'failed'; after: number; units: number[] }[];
};

/** Does step by step what staff may do with a paid order, and keeps count. */
async function randomOrder(userId: string, { below, oneOf }: ReturnType<typeof seededRandom>) {
  const lines = Array.from({ length: 1 + below(4) }, () => 1 + below(5));
  const given = lines.map(() => 0);
  let shipped = lines.map(() => 0);
  const written: Written = { steps: ['PAID'], lines, refunds: [] };
  const status = () => written.steps.at(-1);
  for (let left = below(7); left > 0 && status() !== 'REFUNDED'; left--) {
    const doing = oneOf(['refund', 'refund', 'move', 'undo', 'all'] as const);
    if (doing === 'refund') {
      const state = oneOf(['asked', 'done', 'done', 'failed'] as const);
      const units = lines.map((ordered, at) => below(ordered - (given[at] ?? 0) + 1));
      if (units.every((some) => some === 0)) continue;
      written.refunds.push({ state, after: written.steps.length, units });
      if (state !== 'failed') for (const [at, some] of units.entries()) given[at] = (given[at] ?? 0) + some;
    } else if (doing === 'move' && status() !== 'DELIVERED') {
      if (status() === 'PAID') shipped = lines.map((ordered, at) => ordered - (given[at] ?? 0));
      written.steps.push(status() === 'PAID' ? oneOf(['OUT_FOR_DELIVERY', 'DELIVERED'] as const) : 'DELIVERED');
    } else if (doing === 'undo' && status() !== 'PAID') {
      const former = written.steps.at(-2) ?? 'PAID';
      if (!canMove(former, status() ?? 'PAID')) continue;
      written.steps.push(former);
      if (former === 'PAID') shipped = lines.map(() => 0);
    } else if (doing === 'all' && below(3) === 0) written.steps.push('REFUNDED');
  }
  const isPaid = status() === 'PAID';
  const units = lines.map((quantity, at) => ({
    quantity,
    refundedQuantity: status() === 'REFUNDED' ? quantity : (given[at] ?? 0),
    shippedQuantity: shipped[at] ?? 0,
    leftToShip: isPaid ? quantity - (given[at] ?? 0) : 0,
  }));
  const isShipped = status() === 'OUT_FOR_DELIVERY' || status() === 'DELIVERED';
  return { ...(await writeOrder(userId, written)), units, isShipped };
}

let numbers = 0;
let product: { id: string; categoryId: string } | undefined;

async function makeProduct() {
  const { id: categoryId } = await shop.category();
  return { id: (await shop.stock({ categoryId, priceCents: 100 })).id, categoryId };
}

/** Each step and refund is a second after the one before. */
async function writeOrder(userId: string, { steps, lines, refunds: made }: Written): Promise<{ id: string }> {
  product ??= await makeProduct();
  const { id: productId, categoryId } = product;
  const id = randomUUID();
  const begun = shop.clock.now().getTime() - 3_600_000;
  const atStep = (step: number) => new Date(begun + step * 60_000);
  const totalCents = 100 * lines.reduce((sum, units) => sum + units, 0) + 100;
  const items = lines.map((quantity, position) => ({
    id: randomUUID(),
    orderId: id,
    productId,
    categoryId,
    productName: `Jar ${position}`,
    unitPriceCents: 100,
    quantity,
    totalCents: 100 * quantity,
    position,
  }));
  await transact(shop.db, async (tx) => {
    await tx.insert(orders).values({
      id,
      orderNumber: `${steps.length > 0 ? 'T' : 'U'}-${numbers++}`,
      userId,
      cartId: randomUUID(),
      customer: 'Example Customer',
      street: '12 Market Street',
      city: 'Atlanta',
      state: 'GA',
      postalCode: '30303',
      status: steps.at(-1) ?? 'CANCELLED',
      totalCents,
      contentHash: Buffer.from(id),
      createdAt: atStep(0),
      deliveryCents: 100,
      deliveryName: 'Standard',
      ...(steps.length > 0 && { paidAt: atStep(1) }),
    });
    await tx.insert(orderItems).values(items);
    for (const [step, status] of (['PENDING_PAYMENT', ...steps] as const).entries())
      await tx.insert(orderTimeline).values({ orderId: id, status, at: atStep(step) });
    for (const [place, { state, after, units }] of made.entries()) {
      const refundId = randomUUID();
      const createdAt = new Date(atStep(after).getTime() + 1000 * (place + 1));
      const amountCents = 100 * units.reduce((sum, some) => sum + some, 0);
      const row = { id: refundId, orderId: id, amountCents, reason: 'x', isByLines: true, createdAt };
      await tx.insert(refunds).values({ ...row, state, ...(state === 'done' && { doneAt: createdAt }) });
      const of = units.flatMap((quantity, at) => {
        const orderItemId = items[at]?.id ?? '';
        return quantity > 0
          ? [{ refundId, orderItemId, quantity, restock: false, goodsCents: 100 * quantity, taxCents: 0 }]
          : [];
      });
      await tx.insert(refundLines).values(of);
    }
  });
  return { id };
}
