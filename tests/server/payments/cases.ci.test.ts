import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { alarms, orders, paymentEvents, products } from '../../../src/server/db/schema/tables';
import { openPayments } from '../../../src/server/payments/provider';
import {
  buy,
  capture,
  checkBooks,
  ledger,
  openOrder,
  placeOrder,
  signatureOf,
  statusOf,
  type Order,
  sessionsOf,
  timelineOf,
  until,
} from '../../support/buying';
import { mailsOf } from '../../support/mails';
import { openOwnShop, publicUrl, type TestShop } from '../../support/shop';

/** What can happen to a payment between two machines. After all of it the books agree with the provider's. */
let shop: TestShop;
let stripe: Stripe;
beforeAll(async () => {
  shop = await openOwnShop();
  const { hostname: host, port } = new URL(shop.sandbox.url);
  stripe = new Stripe(shop.sandboxKeys.secretKey, { host, port, protocol: 'http', telemetry: false });
});
beforeEach(() => shop.control('deliveries', { mode: 'normal' }));
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const untilStatus = (orderId: string, status: string) =>
  until(async () => expect(await statusOf(shop, orderId)).toBe(status));
const pay = async ({ sessionId }: Pick<Order, 'sessionId'>, card = '4242424242424242') =>
  ((await shop.control('pay', { session: sessionId, card })) as { result: string }).result;

function signed(event: object) {
  const payload = JSON.stringify(event);
  const signature = signatureOf(shop, payload);
  return { headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body: payload };
}
function deliver(type: string, object: object, livemode = false, id = `evt_${randomUUID()}`) {
  return shop.call('receivePaymentEvent', signed({ id, object: 'event', type, livemode, data: { object } }));
}
const sessionEvent = (type: string, id: string) => deliver(type, { id, object: 'checkout.session' });

/** Paid at the provider, unknown to the shop. */
async function paidUntold(product: Parameters<typeof openOrder>[1] = {}, quantity = 1) {
  const order = await openOrder(shop, product, quantity);
  await shop.control('deliveries', { mode: 'drop' });
  await buy(shop, order);
  const { paymentIntentId = '' } = (await shop.payments.findSession(order.sessionId)) ?? {};
  return { ...order, paymentIntentId };
}

test('with the refund reported before the payment, the order ends in the provider’s state', async () => {
  const order = await paidUntold();
  await stripe.refunds.create({ payment_intent: order.paymentIntentId });
  const charge = { id: 'ch_1', object: 'charge', payment_intent: order.paymentIntentId };
  expect((await deliver('charge.refunded', charge)).status).toBe(200);
  expect(await timelineOf(shop, order)).toEqual(['PENDING_PAYMENT', 'PAID', 'REFUNDED']);
  await sessionEvent('checkout.session.completed', order.sessionId);
  await sessionEvent('checkout.session.expired', order.sessionId);
  await deliver('payment_intent.payment_failed', { id: order.paymentIntentId, object: 'payment_intent' });
  expect(await timelineOf(shop, order)).toEqual(['PENDING_PAYMENT', 'PAID', 'REFUNDED']);
});

test('an event that comes before the response to the opening of its session is not lost', async () => {
  const person = await shop.signIn();
  const { id: productId } = await shop.stock();
  await shop.call('addCartItem', { as: person, path: { userId: person.userId }, body: { productId } });
  await shop.control('fault', { kind: 'hold', next: 1, on: 'POST /v1/checkout/sessions' });
  const placing = placeOrder(shop, person);
  const orderOf = async () => (await shop.db.select().from(orders).where(eq(orders.userId, person.userId)))[0];
  const session = await until(async () => {
    const [opened] = await sessionsOf(shop, (await orderOf())?.id ?? '');
    if (!opened) throw new Error('not opened yet');
    return opened;
  });
  await pay({ sessionId: session.id });
  await untilStatus(session.client_reference_id, 'PAID');
  await shop.control('release');
  expect((await placing).status).toBe(201);
  expect(await sessionsOf(shop, session.client_reference_id)).toHaveLength(1);
});

test('after the webhook failed three times its next delivery completes the order', async () => {
  const order = await openOrder(shop);
  await shop.control('fault', { kind: '503', next: 6, on: `GET /v1/checkout/sessions/${order.sessionId}` });
  await pay(order);
  const attempts = async () => {
    const { events, deliveries } = await ledger(shop);
    const told = events.find(
      ({ type, data }) => type === 'checkout.session.completed' && data.object.id === order.sessionId,
    );
    return deliveries.find(({ id }) => id === told?.id)?.attempts ?? 0;
  };
  for (const [made, waitMs] of [
    [1, 6_000],
    [2, 31_000],
    [3, 301_000],
  ] as const) {
    await until(async () => expect(await attempts()).toBe(made));
    expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
    shop.clock.advance(waitMs);
  }
  await untilStatus(order.orderId, 'PAID');
});

test('a paid session cannot be paid again, in another tab or after going back', async () => {
  const order = await openOrder(shop);
  expect(await Promise.all([pay(order), pay(order)])).toEqual(['paid', 'paid']);
  expect(await pay(order, '5555555555554444')).toBe('paid');
  await untilStatus(order.orderId, 'PAID');
  const { data } = await stripe.events.list({ type: 'charge.succeeded', limit: 100 });
  const { paymentIntentId } = (await shop.payments.findSession(order.sessionId)) ?? {};
  const charges = data.filter((event) => (event.data.object as Stripe.Charge).payment_intent === paymentIntentId);
  expect(charges).toHaveLength(1);
});

test('a second session of one cart makes the first one unpayable', async () => {
  const order = await openOrder(shop, { quantity: 9 }, 2);
  const { id: productId } = await shop.stock();
  await shop.call('addCartItem', { as: order.as, path: { userId: order.userId }, body: { productId } });
  expect((await placeOrder(shop, order.as)).status).toBe(201);
  expect(await pay(order)).toBe('expired');
  expect(await statusOf(shop, order.orderId)).toBe('CANCELLED');
});

test('two payments of one order are one order and one refund, shown to staff and reported to the customer', async () => {
  const order = await openOrder(shop);
  const stray = await stripe.checkout.sessions.create({
    mode: 'payment',
    client_reference_id: order.orderId,
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 450, product_data: { name: 'Pepper' } } }],
    success_url: 'http://localhost:3000/',
  });
  await Promise.all([pay(order), pay({ sessionId: stray.id })]);
  await untilStatus(order.orderId, 'PAID');
  await until(async () => {
    const read = await shop.call('getOrder', { as: order.as, path: { orderId: order.orderId } });
    expect(read.data.orderResponse).toMatchObject({
      orderStatus: 'PAID',
      refundedAmount: 0,
      refunds: [{ amount: 4.5, state: 'done', reason: 'Charged twice' }],
    });
  });
  expect(await shop.db.select().from(alarms).where(eq(alarms.orderId, order.orderId))).toMatchObject([
    { kind: 'paid_twice' },
  ]);
  const kinds = (await mailsOf(shop, order.orderId)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['order_confirmation', 'refund']);
});

test('nobody can pay an expired page; the cart is unchanged, and a new click opens a new one', async () => {
  const order = await openOrder(shop, { quantity: 3 }, 2);
  await shop.control('expire', { session: order.sessionId });
  expect(await pay(order)).toBe('expired');
  await untilStatus(order.orderId, 'CANCELLED');
  const cart = await shop.call('getCart', { as: order.as, path: { userId: order.userId } });
  expect(cart.data.cartResponse.cartItems).toMatchObject([{ quantity: 2 }]);
  expect(await capture(shop, order.as, order)).toMatchObject({ status: 409, code: 'payment_not_completed' });
  const again = await placeOrder(shop, order.as);
  expect(again.data.orderId).not.toBe(order.orderId);
  const sessionId = /cs_test_\w+/.exec(again.data.paymentUrl)?.[0] ?? '';
  expect(await pay({ sessionId })).toBe('paid');
  await untilStatus(again.data.orderId, 'PAID');
});

test('declined, without funds, unconfirmed, then paid: one order, one charge, and staff see the failures', async () => {
  const order = await openOrder(shop);
  for (const card of ['4000000000000002', '4000000000009995']) expect(await pay(order, card)).toBe('declined');
  expect(await pay(order, '4000002500003155')).toBe('authenticate'); // then abandoned
  expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
  expect(await pay(order)).toBe('paid');
  await untilStatus(order.orderId, 'PAID');
  expect(await timelineOf(shop, order)).toEqual(['PENDING_PAYMENT', 'PAID']);
  const kept = () => shop.db.select().from(paymentEvents).where(eq(paymentEvents.orderId, order.orderId));
  await until(async () => {
    const types = (await kept()).map(({ type }) => type);
    expect(types.filter((type) => type === 'charge.failed')).toHaveLength(2);
    expect(types.filter((type) => type === 'charge.succeeded')).toHaveLength(1);
  });
  const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  await until(async () => {
    const { data } = await shop.call('getOrderForStaff', { as: admin, path: { orderId: order.orderId } });
    const reasons = data.details.payment?.declines.map(({ reason }) => reason);
    expect(reasons?.toSorted()).toEqual(['generic_decline', 'insufficient_funds']);
  });
});

test('while the secret is rotated events signed with the old or the new one are accepted, and no others', async () => {
  const [former, next] = ['whsec_former', 'whsec_next'];
  const options = { secretKey: 'sk_test_1', publicUrl };
  const rotating = openPayments({ ...options, webhookSecret: `${next},${former}` });
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'x', livemode: false, data: { object: {} } });
  const sign = (secret: string) => Stripe.webhooks.generateTestHeaderString({ payload, secret });
  for (const secret of [former, next])
    expect(rotating.readEvent(Buffer.from(payload), sign(secret), new Date())).toMatchObject({ id: 'evt_1' });
  expect(() => rotating.readEvent(Buffer.from(payload), sign('whsec_other'), new Date())).toThrow(
    "couldn't be verified",
  );
  const done = openPayments({ ...options, webhookSecret: next });
  expect(() => done.readEvent(Buffer.from(payload), sign(former), new Date())).toThrow("couldn't be verified");
});

test('a signed event about a payment that differs from our request is stored, shown to staff, and pays nothing', async () => {
  const order = await openOrder(shop, { priceCents: 450 });
  await shop.pool.query(
    `update payment_sessions set session_id = null, url = null, state = 'creating' where order_id = $1`,
    [order.orderId],
  );
  const cheap = await stripe.checkout.sessions.create({
    mode: 'payment',
    client_reference_id: order.orderId,
    line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 50, product_data: { name: 'Pepper' } } }],
    success_url: 'http://localhost:3000/',
  });
  await pay({ sessionId: cheap.id });
  const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  const shown = await until(async () => {
    const { data } = await shop.call('listAlarms', { as: admin, query: { size: 100 } });
    const alarm = data.alarms.content.find(({ orderId }) => orderId === order.orderId);
    if (!alarm) throw new Error('not shown yet');
    return alarm;
  });
  expect(shown).toMatchObject({ kind: 'event_refused', detail: expect.stringContaining('different amount') });
  await sessionEvent('checkout.session.completed', cheap.id); // sent again, one alarm
  expect(await shop.db.select().from(alarms).where(eq(alarms.orderId, order.orderId))).toHaveLength(1);
  await deliver('checkout.session.completed', { id: order.sessionId, object: 'checkout.session' }, true, 'evt_live');
  expect(await shop.db.select().from(alarms).where(eq(alarms.about, 'event:evt_live'))).toHaveLength(1);
  expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
});

test('an order keeps its name, price, picture and address', async () => {
  const order = await openOrder(shop, { name: 'Old name', priceCents: 450 });
  await buy(shop, order);
  const read = async () =>
    (await shop.call('getOrder', { as: order.as, path: { orderId: order.orderId } })).data.orderResponse;
  const before = await read();
  const [item] = before.orderItems;
  const changed = { name: 'New name', priceCents: 999, pictureHash: null, archivedAt: shop.clock.now() };
  await shop.db
    .update(products)
    .set(changed)
    .where(eq(products.id, item?.productId ?? ''));
  await shop.pool.query(`update users set full_name = 'Somebody Else' where id = $1`, [order.userId]);
  const after = await read();
  const { timeline: _before, ...facts } = before;
  expect(after).toMatchObject(facts);
  expect(item).toMatchObject({ productName: 'Old name', unitPrice: 4.5, totalPrice: 4.5 });
});
