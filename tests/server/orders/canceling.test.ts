import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { alarms, holds, mails, refunds } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import { cancelOrder, lockOrderAndCart } from '../../../src/server/orders/lifecycle';
import {
  capture,
  cartOf,
  checkBooks,
  openOrder,
  paidOrder,
  placedOrder,
  quantityOf,
  sessionsOf,
  statusOf,
  timelineOf,
  type Order,
} from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** A customer who cancels an own unpaid order. */
let shop: TestShop;
beforeAll(async () => (shop = await openOwnShop()));
afterEach(() => shop.control('deliveries', { mode: 'normal' }));
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

type Placed = Order & { as: Person };
const cancel = ({ orderId, as }: Placed) => shop.call('cancelOwnOrder', { as, path: { orderId } });
const productOf = async ({ orderId, as }: Placed) =>
  (await shop.call('getOrder', { as, path: { orderId } })).data.orderResponse.orderItems[0]?.productId ?? '';

test('ends its payment at the provider first, returns the items to stock, and keeps the cart', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 3);
  const before = await shop.call('getOrder', { as: order.as, path: { orderId: order.orderId } });
  const [held] = await shop.db.select().from(holds).where(eq(holds.orderId, order.orderId));
  expect(before.data.orderResponse.heldUntil).toBe(held?.until.toISOString());
  const { status, message, data } = await cancel(order);
  expect([status, message]).toEqual([200, 'Order canceled']);
  expect(data.orderResponse).toMatchObject({ orderStatus: 'CANCELLED', paymentUrl: null });
  expect(data.orderResponse.heldUntil).toBeUndefined();
  expect((await sessionsOf(shop, order.orderId)).map((session) => session.status)).toEqual(['expired']);
  expect(await quantityOf(shop, await productOf(order))).toBe(5);
  expect((await cartOf(shop, order.as)).cartItems).toMatchObject([{ quantity: 3 }]);
});

test('pressed five times at once, and again later, it is canceled once, in the customer’s name', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 3);
  const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(order)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect((await cancel(order)).status).toBe(200);
  expect(await timelineOf(shop, order)).toEqual(['PENDING_PAYMENT', 'CANCELLED']);
  expect(await quantityOf(shop, await productOf(order))).toBe(5);
  const staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  const seen = await shop.call('getOrderForStaff', { as: staff, path: { orderId: order.orderId } });
  const { fullName } = (await shop.call('getUser', { as: order.as, path: { userId: order.userId } })).data.user;
  expect(seen.data.orderResponse.timeline.at(-1)).toMatchObject({ by: fullName, note: 'Canceled by the customer' });
});

test('an order that was paid is finished instead', async () => {
  const order = await openOrder(shop);
  await shop.control('deliveries', { mode: 'drop' });
  await shop.control('pay', { session: order.sessionId });
  expect(await cancel(order)).toMatchObject({ status: 409, code: 'order_paid' });
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
  expect(await cancel(await paidOrder(shop))).toMatchObject({ status: 409, code: 'order_paid' });
});

test('while the provider cannot be reached nothing is canceled, and a later press does it', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 3);
  await shop.control('fault', { next: 2, kind: '503' });
  expect(await cancel(order)).toMatchObject({ status: 502, code: 'payment_unavailable' });
  expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
  expect(await quantityOf(shop, await productOf(order))).toBe(2);
  expect((await cancel(order)).status).toBe(200);
});

test('another customer’s order is not found, not even by staff', async () => {
  const order = await openOrder(shop);
  for (const as of [await shop.signIn(), await shop.signIn({ role: 'ROLE_OWNER' })])
    expect(await cancel({ ...order, as })).toMatchObject({ status: 404, code: 'order_not_found' });
  expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
});

test('the same cart can be ordered again right away', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 3);
  await cancel(order);
  const next = await placedOrder(shop, order.as);
  expect(next.orderId).not.toBe(order.orderId);
  expect(await statusOf(shop, next.orderId)).toBe('PENDING_PAYMENT');
});

test('a payment that arrives after the cancellation is refunded once, and the customer is told', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 3);
  await shop.control('deliveries', { mode: 'drop' });
  await shop.control('pay', { session: order.sessionId });
  await transact(shop.db, async (tx) => {
    const row = await lockOrderAndCart(tx, order.orderId);
    if (row?.status === 'PENDING_PAYMENT')
      await cancelOrder(tx, row, shop.clock.now(), { note: 'Canceled by the customer', byUserId: row.userId });
  });
  for (let times = 0; times < 3; times++) await capture(shop, order.as, order);
  const made = await shop.db.select().from(refunds).where(eq(refunds.orderId, order.orderId));
  expect(made).toMatchObject([{ state: 'done', reason: 'Your payment arrived after the order was canceled' }]);
  expect(await quantityOf(shop, await productOf(order))).toBe(5); // although all of it is in stock
  const told = await shop.db.select().from(mails).where(eq(mails.orderId, order.orderId));
  expect(told.map(({ kind }) => kind)).toEqual(['refund']);
  const raised = await shop.db.select().from(alarms).where(eq(alarms.orderId, order.orderId));
  expect(raised).toMatchObject([{ kind: 'paid_undeliverable' }]);
});
