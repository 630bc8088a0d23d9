/** Staff cancel an order before anything has shipped. Rule: docs/rules/orders-and-payment.md, Canceling by staff */
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { writeAudit } from '../../../src/server/audit/service';
import { transact } from '../../../src/server/db/core/transact';
import { refunds } from '../../../src/server/db/schema/tables';
import {
  cancelOrder as writeCancellation,
  lockOrderAndCart,
  notesOfCanceler,
} from '../../../src/server/orders/lifecycle';
import {
  buy,
  capture,
  checkBooks,
  openOrder,
  paidOrder,
  placedOrder,
  quantityOf,
  sessionsOf,
  shopperWith,
  statusOf,
  timelineOf,
  type Order,
} from '../../support/buying';
import { mailsOf } from '../../support/mails';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterEach(() => shop.control('deliveries', { mode: 'normal' }));
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const cancel = ({ orderId }: Pick<Order, 'orderId'>, body: object = {}) =>
  shop.call('cancelOrder', { as: staff, path: { orderId }, body });
const linesOf = async ({ orderId }: Pick<Order, 'orderId'>) =>
  (await shop.call('getOrder', { as: staff, path: { orderId } })).data.orderResponse.orderItems;
const refundsOf = ({ orderId }: Pick<Order, 'orderId'>) =>
  shop.db.select().from(refunds).where(eq(refunds.orderId, orderId));

test('a paid order is refunded as a whole, restocked, and told to the customer with the note', async () => {
  const product = await shop.stock({ quantity: 5 });
  const order = await placedOrder(shop, await shopperWith(shop, 3, product));
  await buy(shop, order);
  const canceled = await cancel(order, { reason: 'Ordered twice', customerNote: 'We kept your other order.' });
  expect(canceled).toMatchObject({ status: 200, message: 'Order canceled' });
  expect(canceled.data.orderResponse).toMatchObject({
    orderStatus: 'REFUNDED',
    refundedAmount: 13.5,
    refunds: [{ amount: 13.5, reason: 'Ordered twice', customerNote: 'We kept your other order.' }],
  });
  expect(await quantityOf(shop, product.id)).toBe(5);
  expect((await mailsOf(shop, order.orderId)).map(({ kind }) => kind).toSorted()).toEqual([
    'order_confirmation',
    'refund',
  ]);
});

test('what was refunded before is not refunded again, and its units are not restocked twice', async () => {
  const product = await shop.stock({ quantity: 5 });
  const order = await placedOrder(shop, await shopperWith(shop, 3, product));
  await buy(shop, order);
  const [line] = await linesOf(order);
  const lines = [{ orderItemId: line?.orderItemId ?? '', quantity: 1, restock: true }];
  const path = { orderId: order.orderId };
  await shop.call('refundOrder', { as: staff, path, body: { lines, reason: 'One too many' } });
  await shop.call('refundOrder', { as: staff, path, body: { amount: 1, reason: 'Late' } });
  expect((await cancel(order)).data.orderResponse).toMatchObject({ orderStatus: 'REFUNDED', refundedAmount: 13.5 });
  expect(await quantityOf(shop, product.id)).toBe(5);
});

test('without restocking, the units stay out of stock', async () => {
  const product = await shop.stock({ quantity: 5 });
  const order = await placedOrder(shop, await shopperWith(shop, 3, product));
  await buy(shop, order);
  expect((await cancel(order, { restock: false })).data.orderResponse.orderStatus).toBe('REFUNDED');
  expect(await quantityOf(shop, product.id)).toBe(2);
});

test('two staff members and a repeated press refund it once', async () => {
  const other = await shop.signIn({ role: 'ROLE_OWNER' });
  for (let time = 0; time < 10; time++) {
    const order = await paidOrder(shop);
    const press = (as: Person) => shop.call('cancelOrder', { as, path: { orderId: order.orderId }, body: {} });
    const answers = await Promise.all([press(staff), press(other), press(staff)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await cancel(order)).data.orderResponse.orderStatus).toBe('REFUNDED');
    expect(await refundsOf(order)).toHaveLength(1);
  }
});

test('an order with a unit on its way is not canceled', async () => {
  const order = await paidOrder(shop, { quantity: 5 }, 2);
  const [line] = await linesOf(order);
  const lines = [{ orderItemId: line?.orderItemId ?? '', quantity: 1 }];
  const parcel = await shop.call('createParcel', {
    as: staff,
    path: { orderId: order.orderId },
    body: { carrier: 'usps', lines },
  });
  expect(parcel.status).toBe(201);
  expect(await cancel(order)).toMatchObject({ status: 409, code: 'order_shipped' });
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
});

test('a parcel and a cancellation at the same moment never both take a unit', async () => {
  for (let times = 0; times < 4; times++) {
    const order = await paidOrder(shop);
    const [line] = await linesOf(order);
    const lines = [{ orderItemId: line?.orderItemId ?? '', quantity: 1 }];
    const path = { orderId: order.orderId };
    const [parcel, canceled] = await Promise.all([
      shop.call('createParcel', { as: staff, path, body: { carrier: 'usps', lines } }),
      cancel(order),
    ]);
    expect([parcel.status === 201, canceled.status === 200].filter(Boolean)).toHaveLength(1);
  }
});

test('while the provider cannot be reached, the refund waits and is made later', async () => {
  const order = await paidOrder(shop);
  await shop.control('fault', { next: 2, kind: '503' });
  expect((await cancel(order)).data.orderResponse.refunds).toMatchObject([{ state: 'asked' }]);
});

test('an unpaid order is canceled in the staff member’s name once its payment is impossible', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 3);
  expect((await cancel(order, { reason: 'Asked by phone' })).data.orderResponse.orderStatus).toBe('CANCELLED');
  expect((await sessionsOf(shop, order.orderId)).map(({ status }) => status)).toEqual(['expired']);
  expect((await cancel(order)).status).toBe(200);
  expect(await timelineOf(shop, order)).toEqual(['PENDING_PAYMENT', 'CANCELLED']);
  const { rows } = await shop.pool.query<{ after: object }>(
    `select after from audit_log where action = 'order.canceled' and target_id = $1`,
    [order.orderId],
  );
  expect(rows).toMatchObject([{ after: { status: 'CANCELLED', reason: 'Asked by phone' } }]);
});

test('an unpaid order that was paid at the same moment is finished, and the next press refunds it', async () => {
  const order = await openOrder(shop);
  await shop.control('deliveries', { mode: 'drop' });
  await shop.control('pay', { session: order.sessionId });
  expect(await cancel(order)).toMatchObject({ status: 409, code: 'order_paid' });
  expect(await statusOf(shop, order.orderId)).toBe('PAID');
  expect((await cancel(order)).data.orderResponse.orderStatus).toBe('REFUNDED');
});

test('an unpaid order stays while the provider cannot be reached', async () => {
  const order = await openOrder(shop);
  await shop.control('fault', { next: 2, kind: '503' });
  expect(await cancel(order)).toMatchObject({ status: 502, code: 'payment_unavailable' });
  expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
});

test('a payment that arrives after staff canceled is refunded once', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 3);
  await shop.control('deliveries', { mode: 'drop' });
  await shop.control('pay', { session: order.sessionId });
  await transact(shop.db, async (tx) => {
    const row = await lockOrderAndCart(tx, order.orderId);
    const by = { userId: staff.userId, requestId: null };
    const words = { note: notesOfCanceler.staff, byUserId: staff.userId };
    if (row) await writeCancellation(tx, row, shop.clock.now(), words);
    const target = { kind: 'order', id: order.orderId } as const;
    await writeAudit(tx, { by, action: 'order.canceled', target, now: shop.clock.now() });
  });
  for (let times = 0; times < 3; times++) await capture(shop, order.as, order);
  expect(await refundsOf(order)).toMatchObject([
    { state: 'done', reason: 'Your payment arrived after the order was canceled' },
  ]);
});
