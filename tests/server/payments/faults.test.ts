import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orders, paymentSessions, refunds } from '../../../src/server/db/schema/tables';
import { settlePayment } from '../../../src/server/payments/settlePayment';
import { openPayment } from '../../../src/server/payments/sessions';
import {
  buy,
  checkBooks,
  ledger,
  openOrder,
  placeOrder,
  putInCart,
  quantityOf,
  sessionsOf,
  until,
} from '../../support/buying';
import { isNightly } from '../../support/nightly';
import { openOwnShop, type TestShop } from '../../support/shop';

/** What happens when a process ends, or the provider answers strangely, midway. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const minuteMs = 60_000;
const readOrder = async (orderId: string) => {
  const [order] = await shop.db
    .select()
    .from(orders)
    .innerJoin(paymentSessions, eq(paymentSessions.orderId, orders.id))
    .where(eq(orders.id, orderId));
  if (!order) throw new Error('no such order');
  const { state: paymentState, sessionId } = order.payment_sessions;
  return { ...order.orders, paymentState, sessionId };
};
const setPayment = (orderId: string, change: Partial<typeof paymentSessions.$inferInsert>) =>
  shop.db.update(paymentSessions).set(change).where(eq(paymentSessions.orderId, orderId));

test('a refund in flight when the process ends is completed, and the goods are not shipped as well', async () => {
  const order = await openOrder(shop, { quantity: 2 }, 2);
  await shop.control('deliveries', { mode: 'drop' });
  await buy(shop, order);
  const { paymentIntentId } = (await shop.payments.findSession(order.sessionId)) ?? {};
  // the state between the provider's refund and the shop's own record of it
  await cancelByHand(order.orderId);
  await setPayment(order.orderId, { state: 'paid', paymentIntentId: paymentIntentId ?? '' });
  const refund = { orderId: order.orderId, amountCents: 900, reason: 'Your payment arrived after the items sold out' };
  const refundId = randomUUID();
  await shop.db.insert(refunds).values({ ...refund, id: refundId, state: 'asked', createdAt: shop.clock.now() });
  await shop.payments.refund({ ...refund, refundId, paymentIntentId: paymentIntentId ?? '', attempt: 0 });
  const session = await shop.payments.findSession(order.sessionId);
  if (session) await settlePayment(shop, session);
  await shop.jobs.sweepPayments();
  expect(await readOrder(order.orderId)).toMatchObject({
    status: 'REFUNDED',
    paymentState: 'refunded',
    refundedCents: 900,
  });
  const made = (await ledger(shop)).refunds.filter((refund) => refund.payment_intent === paymentIntentId);
  expect(made).toHaveLength(1);
  await shop.control('deliveries', { mode: 'normal' });
});

test('a payment that the provider does not know ends with its time, and its stock is released', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 2);
  const productId = await productOf(order.orderId);
  await setPayment(order.orderId, { sessionId: `cs_test_${randomUUID().replaceAll('-', '')}` });
  await shop.jobs.sweepPayments();
  expect((await readOrder(order.orderId)).status).toBe('PENDING_PAYMENT');
  shop.clock.advance(34 * minuteMs);
  await shop.jobs.sweepPayments();
  expect((await readOrder(order.orderId)).status).toBe('CANCELLED');
  expect(await quantityOf(shop, productId)).toBe(5);
});

test('an order whose payment the provider rejects is canceled, and no other is tried in its place', async () => {
  const ana = await shop.signIn();
  const pepper = await shop.stock({ quantity: 5 });
  await putInCart(shop, ana, pepper.id, 2);
  await shop.control('fault', { kind: '400', next: 1, on: 'POST /v1/checkout/sessions' });
  expect(await placeOrder(shop, ana)).toMatchObject({ status: 502, code: 'payment_unavailable' });
  const made = await shop.db.select().from(orders).where(eq(orders.userId, ana.userId));
  expect(made).toMatchObject([{ status: 'CANCELLED' }]);
  expect(await quantityOf(shop, pepper.id)).toBe(5);
  expect(await placeOrder(shop, ana)).toMatchObject({ status: 201 });
});

test('an order whose payment the provider does not know can be replaced', async () => {
  const order = await openOrder(shop, { quantity: 5 }, 2);
  await setPayment(order.orderId, { sessionId: `cs_test_${randomUUID().replaceAll('-', '')}` });
  const body = { productId: await productOf(order.orderId), quantity: 1 };
  const ana = await shop.again(order.as);
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body });
  expect((await placeOrder(shop, ana)).status).toBe(201);
  expect((await readOrder(order.orderId)).status).toBe('CANCELLED');
});

test('a session that was opened twice leaves one that can be paid', async () => {
  const order = await openOrder(shop);
  await setPayment(order.orderId, { sessionId: null, url: null, state: 'creating', attempt: 2 });
  const [one, two] = await Promise.all([openPayment(shop, order.orderId), openPayment(shop, order.orderId)]);
  expect(one).toBe(two);
  const own = (await ledger(shop)).sessions.filter((session) => session.client_reference_id === order.orderId);
  const stored = await readOrder(order.orderId);
  expect(own.map(({ id }) => id)).toContain(stored.sessionId);
});

test('a stray session of an order is refunded if it is paid', async () => {
  const order = await openOrder(shop);
  await setPayment(order.orderId, { sessionId: null, url: null, state: 'creating', attempt: 2 });
  await openPayment(shop, order.orderId);
  await shop.control('deliveries', { mode: 'drop' });
  await buy(shop, order); // the first page, which no customer received
  const stray = await shop.payments.findSession(order.sessionId);
  if (!stray) throw new Error('the first session is gone');
  expect(await settlePayment(shop, stray)).toMatchObject({
    outcome: 'refused',
    reason: 'a different session for this order',
  });
  await settlePayment(shop, stray);
  const made = (await ledger(shop)).refunds.filter((refund) => refund.payment_intent === stray.paymentIntentId);
  expect(made).toHaveLength(1);
  expect((await readOrder(order.orderId)).status).toBe('PENDING_PAYMENT');
  await shop.control('deliveries', { mode: 'normal' });
});

test('an email changed while a payment was being opened does not lock the order', async () => {
  const order = await openOrder(shop);
  await setPayment(order.orderId, { sessionId: null, url: null, state: 'creating' });
  await shop.pool.query('update users set email = $1 where id = $2', ['other@example.com', order.userId]);
  expect(await placeOrder(shop, order.as)).toMatchObject({ status: 502, code: 'payment_unavailable' });
  expect((await placeOrder(shop, order.as)).status).toBe(201);
});

/** A customer whose click met an unavailable provider: the order is written, and has no session. */
async function lostClick(quantity = 3) {
  const ana = await shop.signIn();
  const { id: productId } = await shop.stock({ quantity });
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId, quantity } });
  await shop.control('fault', { next: 2, kind: '503', on: opening });
  expect((await placeOrder(shop, ana)).status).toBe(502);
  const [order] = await shop.db.select().from(orders).where(eq(orders.userId, ana.userId));
  return { ana, productId, orderId: order?.id ?? '' };
}
const opening = 'POST /v1/checkout/sessions';
const ordersOf = (userId: string) => shop.db.select().from(orders).where(eq(orders.userId, userId));

describe('after a provider outage of minutes', () => {
  test.each(isNightly ? [1, 3, 20, 30] : [1, 30])(
    'one click opens the payment of the existing order (%i minutes)',
    async (minutes) => {
      const { ana, productId, orderId } = await lostClick();
      shop.clock.advance(minutes * minuteMs);
      const placed = await placeOrder(shop, await shop.again(ana));
      expect(placed).toMatchObject({ status: 201, data: { orderId } });
      expect(await ordersOf(ana.userId)).toHaveLength(1);
      expect(await sessionsOf(shop, orderId)).toHaveLength(1);
      expect(await quantityOf(shop, productId)).toBe(0);
      // the hold ends with the session: the goods are reserved until the page's last minute
      shop.clock.advance(29 * minuteMs);
      await shop.jobs.sweepPayments();
      const [session] = await sessionsOf(shop, orderId);
      await shop.control('pay', { session: session?.id });
      await shop.jobs.sweepPayments();
      expect((await readOrder(orderId)).status).toBe('PAID');
    },
  );

  test('the sweeper opens it, and the next click gets that same page', async () => {
    const { ana, orderId } = await lostClick();
    shop.clock.advance(5 * minuteMs);
    await shop.jobs.sweepPayments();
    const { sessionId } = await readOrder(orderId);
    const placed = await placeOrder(shop, ana);
    expect(placed.data.orderId).toBe(orderId);
    expect(placed.data.paymentUrl).toContain(sessionId);
  });

  test('two clicks and the sweeper at the same time open one session', async () => {
    const { ana, orderId } = await lostClick();
    shop.clock.advance(5 * minuteMs);
    const [one, two] = await Promise.all([placeOrder(shop, ana), placeOrder(shop, ana), shop.jobs.sweepPayments()]);
    expect(one.data.paymentUrl).toBe(two.data.paymentUrl);
    expect(one.data.orderId).toBe(orderId);
    expect(await sessionsOf(shop, orderId)).toHaveLength(1);
  });

  test('a session whose response was lost is reused, even when it could no longer be opened', async () => {
    const ana = await shop.signIn();
    const { id: productId } = await shop.stock({ quantity: 3 });
    await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId } });
    await shop.control('fault', { next: 2, kind: 'reset_after', on: opening });
    await placeOrder(shop, ana);
    shop.clock.advance(10 * minuteMs);
    const placed = await placeOrder(shop, ana);
    expect(placed.status).toBe(201);
    const { sessionId } = await readOrder(placed.data.orderId);
    expect((await sessionsOf(shop, placed.data.orderId)).map(({ id }) => id)).toEqual([sessionId]);
    expect(placed.data.paymentUrl).toContain(sessionId);
  });

  test('nothing is opened once its time is up: the goods are back in stock', async () => {
    const { productId, orderId } = await lostClick();
    shop.clock.advance(32 * minuteMs);
    await shop.jobs.sweepPayments();
    expect((await readOrder(orderId)).status).toBe('CANCELLED');
    expect(await sessionsOf(shop, orderId)).toEqual([]);
    expect(await quantityOf(shop, productId)).toBe(3);
  });
});

test('a double click while the provider is slow gets the page of the first', async () => {
  const ana = await shop.signIn();
  const { id: productId } = await shop.stock({ quantity: 3 });
  await shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, body: { productId } });
  await shop.control('hold', { next: 1 });
  const first = placeOrder(shop, ana);
  await until(async () => expect(await ordersOf(ana.userId)).toHaveLength(1));
  const twin = placeOrder(shop, ana);
  await pause(1_500); // longer than the SDK retries
  await shop.control('release');
  const [one, two] = await Promise.all([first, twin]);
  expect([one.status, two.status]).toEqual([201, 201]);
  expect(two.data).toEqual(one.data);
  expect(await sessionsOf(shop, one.data.orderId)).toHaveLength(1);
});

async function productOf(orderId: string): Promise<string> {
  const { rows } = await shop.pool.query<{ product_id: string }>(
    'select product_id from order_items where order_id = $1',
    [orderId],
  );
  return rows[0]?.product_id ?? '';
}

/** The shop itself never ends an order whose session can still be paid. */
async function cancelByHand(orderId: string): Promise<void> {
  const productId = await productOf(orderId);
  const now = shop.clock.now();
  await shop.pool.query(`update orders set status = 'CANCELLED' where id = $1`, [orderId]);
  await shop.pool.query(`insert into order_timeline (order_id, status, at) values ($1, 'CANCELLED', $2)`, [
    orderId,
    now,
  ]);
  await shop.pool.query('update products set quantity = quantity + 2 where id = $1', [productId]);
  await shop.pool.query(
    `insert into stock_movements (product_id, kind, shelf, held, order_id, at) values ($1, 'release', 2, -2, $2, $3)`,
    [productId, orderId, now],
  );
}
