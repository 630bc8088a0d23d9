import { eq, sql } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alarms, paymentSessions, refunds as refundRows, stockMovements } from '../../../src/server/db/schema/tables';
import {
  buy,
  capture,
  cartOf,
  checkBooks,
  delivery,
  ledger,
  placedOrder,
  placeOrder,
  putInCart,
  quantityOf,
  statusOf,
  until,
} from '../../support/buying';
import { mailsOf } from '../../support/mails';
import { makeCode, quote } from '../../support/selling';
import { openOwnShop, type TestShop } from '../../support/shop';

type Late = { soldOut: boolean; isTold?: boolean; code?: string };

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

describe('paying', () => {
  test('a paid order is PAID, its stock sold, its quantities removed from the cart', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5 });
    const cumin = await shop.stock({ quantity: 5 });
    await putInCart(shop, ana, pepper.id, 2);
    const order = await placedOrder(shop, ana);
    await putInCart(shop, ana, pepper.id, 1);
    await putInCart(shop, ana, cumin.id, 1);
    await buy(shop, order);
    expect(await statusOf(shop, order.orderId)).toBe('PAID');
    expect((await cartOf(shop, ana)).cartItems.map(({ productId, quantity }) => [productId, quantity])).toEqual([
      [pepper.id, 1],
      [cumin.id, 1],
    ]);
    const movements = await shop.db
      .select()
      .from(stockMovements)
      .where(eq(stockMovements.productId, pepper.id))
      .orderBy(stockMovements.id);
    expect(movements.map(({ kind, shelf, held }) => [kind, shelf, held])).toEqual([
      ['adjustment', 5, 0],
      ['hold', -2, 2],
      ['sale', 0, -2],
    ]);
  });

  test('the webhook, the return page and the sweeper together have one effect', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 9 });
    await putInCart(shop, ana, pepper.id, 2);
    const order = await placedOrder(shop, ana);
    await shop.control('deliveries', { mode: 'duplicate' });
    await buy(shop, order);
    await Promise.all([
      capture(shop, ana, order),
      capture(shop, ana, order),
      shop.jobs.sweepPayments(),
      shop.jobs.sweepPayments(),
    ]);
    await shop.control('deliveries', { mode: 'normal' });
    const read = await shop.call('getOrder', { as: ana, path: { orderId: order.orderId } });
    expect(read.data.orderResponse.timeline.map(({ status }) => status)).toEqual(['PENDING_PAYMENT', 'PAID']);
    expect(await quantityOf(shop, pepper.id)).toBe(7);
  });

  test('without webhooks the return page completes the payment', async () => {
    const ana = await shop.signIn();
    await putInCart(shop, ana, (await shop.stock()).id);
    const order = await placedOrder(shop, ana);
    await shop.control('deliveries', { mode: 'drop' });
    await buy(shop, order);
    await shop.control('deliveries', { mode: 'normal' });
    expect(
      (await shop.call('checkPaymentStatus', { as: ana, query: { session_id: order.sessionId } })).data.payment,
    ).toBeNull();
    expect((await capture(shop, ana, order)).data.payment).toMatchObject({
      orderId: order.orderId,
      orderStatus: 'PAID',
      totalAmount: 4.5,
    });
    const checked = await shop.call('checkPaymentStatus', { as: ana, query: { session_id: order.sessionId } });
    expect(checked.data.payment).toMatchObject({ orderNumber: order.orderNumber });
  });

  test('with neither webhook nor return page the sweeper completes the payment', async () => {
    const ana = await shop.signIn();
    await putInCart(shop, ana, (await shop.stock()).id);
    const order = await placedOrder(shop, ana);
    await shop.control('deliveries', { mode: 'drop' });
    await buy(shop, order);
    await shop.control('deliveries', { mode: 'normal' });
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, order.orderId)).toBe('PAID');
  });

  test('foreign, guessed and unpaid sessions and foreign ids are all rejected, unknown ones alike', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    await putInCart(shop, ana, (await shop.stock()).id);
    const order = await placedOrder(shop, ana);
    expect(await capture(shop, ana, order)).toMatchObject({ status: 409, code: 'payment_not_completed' });
    const foreign = await capture(shop, ben, order);
    const mismatched = await capture(shop, ana, { ...order, cartId: ben.cartId });
    const guessed = await capture(shop, ana, { ...order, sessionId: 'cs_test_guessed' });
    const notOne = await capture(shop, ana, { ...order, sessionId: '../../v1/refunds' });
    for (const refused of [foreign, mismatched, guessed, notOne]) {
      expect({ ...refused.body, requestId: '' }).toEqual({ ...foreign.body, requestId: '' });
      expect(refused).toMatchObject({ status: 404, code: 'payment_not_found' });
    }
    const missing = await shop.call('capturePayment', { as: ana, query: { session_id: order.sessionId } });
    expect(missing).toMatchObject({ status: 400, message: 'Missing required payment information' });
    expect(
      (await shop.call('checkPaymentStatus', { as: ben, query: { session_id: order.sessionId } })).data.payment,
    ).toBeNull();
  });

  test('a declined card leaves the order open, and another card pays it', async () => {
    const ana = await shop.signIn();
    await putInCart(shop, ana, (await shop.stock()).id);
    const order = await placedOrder(shop, ana);
    await shop.control('decline', { session: order.sessionId });
    expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
    await buy(shop, order);
    expect(await statusOf(shop, order.orderId)).toBe('PAID');
  });

  test('an expired session releases its stock once', async () => {
    const earlier = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5 });
    await putInCart(shop, earlier, pepper.id, 2);
    const order = await placedOrder(shop, earlier);
    shop.clock.advance(35 * 60_000);
    const ana = await shop.again(earlier);
    await Promise.all([shop.jobs.sweepPayments(), shop.jobs.sweepPayments()]);
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, order.orderId)).toBe('CANCELLED');
    expect(await quantityOf(shop, pepper.id)).toBe(5);
    expect((await cartOf(shop, ana)).cartItems).toHaveLength(1);
    const again = await placeOrder(shop, ana);
    expect(again.status).toBe(201);
    expect(again.data.orderId).not.toBe(order.orderId);
  });

  test('a payment that arrives after the order was canceled revives it while there is stock', async () => {
    const { order, pepper } = await paidAfterCancelling({ soldOut: false });
    expect(await statusOf(shop, order.orderId)).toBe('PAID');
    expect(await quantityOf(shop, pepper.id)).toBe(3);
  });

  test('a payment that arrives after the order was canceled and sold out is refunded, once', async () => {
    const { order } = await paidAfterCancelling({ soldOut: true });
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, order.orderId)).toBe('REFUNDED');
    const refunds = (await ledger(shop)).refunds.filter(({ payment_intent: intent }) => intent === order.paymentIntent);
    expect(refunds).toHaveLength(1);
    expect(refunds[0]).toMatchObject({ amount: 900 });
    const raised = await shop.db.select().from(alarms).where(eq(alarms.orderId, order.orderId));
    expect(raised).toMatchObject([{ kind: 'paid_undeliverable' }]);
    expect((await mailsOf(shop, order.orderId)).map(({ kind }) => kind)).toEqual(['refund']);
  });

  test('a payment refunded because its goods were gone has not used its code', async () => {
    const code = await makeCode(shop, { maxUses: 1 });
    const { order } = await paidAfterCancelling({ soldOut: true, code });
    expect(await statusOf(shop, order.orderId)).toBe('REFUNDED');
    const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
    const { data } = await shop.call('listDiscounts', { as: admin, query: { q: code } });
    expect(data.discounts.content).toMatchObject([{ code, uses: 0, status: 'active', revenue: 0 }]);
    const ben = await shop.signIn();
    await putInCart(shop, ben, (await shop.stock()).id);
    expect(await quote(shop, ben, { discountCode: code })).toMatchObject({ status: 200 });
    await buy(shop, await placedOrder(shop, ben, { ...delivery, discountCode: code }));
    await putInCart(shop, ben, (await shop.stock()).id);
    expect(await quote(shop, ben, { discountCode: code })).toMatchObject({ code: 'discount_used_up' });
  });

  test('while the provider cannot refund yet the buyer reads that the money is on its way', async () => {
    await shop.control('fault', { next: 2, kind: '503', on: 'POST /v1/refunds' });
    const { ana, order } = await paidAfterCancelling({ soldOut: true, isTold: false });
    expect(await statusOf(shop, order.orderId)).toBe('CANCELLED');
    const checked = await shop.call('checkPaymentStatus', { as: ana, query: { session_id: order.sessionId } });
    expect(checked.data.payment).toMatchObject({ orderStatus: 'CANCELLED', isGivenBack: true });
    const captured = await capture(shop, ana, order); // which asks the provider again
    expect(captured.data.payment).toMatchObject({ orderStatus: 'REFUNDED', isGivenBack: true });
    await shop.control('deliveries', { mode: 'normal' });
  });

  test('a rejected refund of an owed payment is retried with growing pauses, and staff are notified', async () => {
    await shop.control('fault', { kind: '400', next: 3, on: 'POST /v1/refunds' });
    const { ana, order } = await paidAfterCancelling({ soldOut: true, isTold: false });
    const refundOf = async () =>
      (await shop.db.select().from(refundRows).where(eq(refundRows.orderId, order.orderId)))[0];
    expect(await refundOf()).toMatchObject({ state: 'asked', rejections: 1 });
    const told = await shop.db.select().from(alarms).where(eq(alarms.orderId, order.orderId));
    expect(told.map(({ kind }) => kind).toSorted()).toEqual(['paid_undeliverable', 'refund_failed']);
    const seen = await shop.call('checkPaymentStatus', { as: ana, query: { session_id: order.sessionId } });
    expect(seen.data.payment).toMatchObject({ orderStatus: 'CANCELLED', isGivenBack: true });
    const rejectionsAfter = async (minutes: number) => {
      shop.clock.advance(minutes * 60_000);
      await shop.jobs.sweepPayments();
      return (await refundOf())?.rejections;
    };
    expect([await rejectionsAfter(1), await rejectionsAfter(1.1)]).toEqual([1, 2]);
    expect([await rejectionsAfter(2), await rejectionsAfter(2.1)]).toEqual([2, 3]);
    await rejectionsAfter(8.1);
    expect(await refundOf()).toMatchObject({ state: 'done', rejections: 3 });
    expect(await statusOf(shop, order.orderId)).toBe('REFUNDED');
    await shop.control('deliveries', { mode: 'normal' });
  });

  test('staff may refund a part of the owed money at the provider', async () => {
    await shop.control('fault', { kind: '400', next: 1, on: 'POST /v1/refunds' });
    const { order } = await paidAfterCancelling({ soldOut: true, isTold: false });
    const { hostname: host, port } = new URL(shop.sandbox.url);
    const stripe = new Stripe(shop.sandboxKeys.secretKey, { host, port, protocol: 'http', telemetry: false });
    await shop.control('deliveries', { mode: 'normal' });
    await stripe.refunds.create({ payment_intent: order.paymentIntent ?? '', amount: 300 });
    shop.clock.advance(3 * 60_000);
    await shop.jobs.sweepPayments();
    await until(async () => expect(await statusOf(shop, order.orderId)).toBe('REFUNDED'));
    const rows = await shop.db.select().from(refundRows).where(eq(refundRows.orderId, order.orderId));
    expect(rows.map(({ amountCents, state }) => `${amountCents} ${state}`).toSorted()).toEqual([
      '300 done',
      '600 done',
    ]);
  });

  /** Cancels an order by hand while its session is still payable at the provider, which the shop never does. */
  async function paidAfterCancelling({ soldOut, isTold = true, code }: Late) {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5 });
    await putInCart(shop, ana, pepper.id, 2);
    const order = await placedOrder(shop, ana, { ...delivery, ...(code && { discountCode: code }) });
    await shop.control('deliveries', { mode: 'hold' });
    await buy(shop, order, false);
    await shop.db.transaction(async (tx) => {
      await tx.execute(sql`update orders set status = 'CANCELLED' where id = ${order.orderId}`);
      await tx.execute(
        sql`insert into order_timeline (order_id, status, at) values (${order.orderId}, 'CANCELLED', ${shop.clock.now()})`,
      );
      await tx.execute(sql`update payment_sessions set state = 'expired' where order_id = ${order.orderId}`);
      await tx.execute(sql`update products set quantity = quantity + 2 where id = ${pepper.id}`);
      await tx.execute(sql`insert into stock_movements (product_id, kind, shelf, held, order_id, at)
        values (${pepper.id}, 'release', 2, -2, ${order.orderId}, ${shop.clock.now()})`);
    });
    if (soldOut) {
      const ben = await shop.signIn();
      await putInCart(shop, ben, pepper.id, 4);
      expect((await placeOrder(shop, ben)).status).toBe(201);
    }
    await shop.control('deliveries', { mode: isTold ? 'normal' : 'drop' });
    await capture(shop, ana, order);
    const [payment] = await shop.db.select().from(paymentSessions).where(eq(paymentSessions.orderId, order.orderId));
    return { ana, order: { ...order, paymentIntent: payment?.paymentIntentId }, pepper };
  }
});
