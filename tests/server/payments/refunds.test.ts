import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alarms, orderItems, products, refunds } from '../../../src/server/db/schema/tables';
import { checkBooks, ledger, openOrder, statusOf, paidOrder, until } from '../../support/buying';
import { mailsOf, runDueJobs } from '../../support/mails';
import { wordsOf } from '../../support/mailWords';
import { isNightly } from '../../support/nightly';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let admin: Person;
let stripe: Stripe;
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Example Admin' });
  const { hostname: host, port } = new URL(shop.sandbox.url);
  stripe = new Stripe(shop.sandboxKeys.secretKey, { host, port, protocol: 'http', telemetry: false });
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

type Paid = Awaited<ReturnType<typeof orderToRefund>>;
async function orderToRefund(quantity = 2) {
  const order = await paidOrder(shop, { quantity: 5, priceCents: 450 }, quantity);
  const { paymentIntentId = '' } = (await shop.payments.findSession(order.sessionId)) ?? {};
  return { ...order, paymentIntentId };
}
type Asked = { amount?: number; restock?: boolean; reason?: string };
const refund = (orderId: string, body: Asked = {}, { as = admin, key }: { as?: Person; key?: string } = {}) =>
  shop.call('refundOrder', { as, path: { orderId }, body: { reason: 'Asked for', ...body }, ...(key && { key }) });
const made = async ({ paymentIntentId }: Paid) =>
  (await ledger(shop)).refunds.filter(({ payment_intent }) => payment_intent === paymentIntentId);
const onShelf = async (orderId: string) => {
  const [line] = await shop.db
    .select({ quantity: products.quantity })
    .from(orderItems)
    .innerJoin(products, eq(products.id, orderItems.productId))
    .where(eq(orderItems.orderId, orderId));
  return line?.quantity;
};
const alarmsOf = (orderId: string) => shop.db.select().from(alarms).where(eq(alarms.orderId, orderId));

describe('a refund', () => {
  test('of the whole order returns all of it, is reported in one mail, and leaves the stock alone', async () => {
    const order = await orderToRefund();
    const answer = await refund(order.orderId, { reason: 'The customer moved' });
    expect(answer).toMatchObject({ status: 200, message: 'Refund issued' });
    expect(answer.data.refund).toMatchObject({ amount: 9, state: 'done', by: 'Example Admin', isRestocked: false });
    expect(answer.data.orderResponse).toMatchObject({ orderStatus: 'REFUNDED', refundedAmount: 9 });
    expect(answer.data.orderResponse.timeline.at(-1)).toMatchObject({ status: 'REFUNDED', by: 'Example Admin' });
    expect(await made(order)).toMatchObject([{ amount: 900 }]);
    expect(await onShelf(order.orderId)).toBe(3);
    await runDueJobs(shop);
    const [mail] = (await mailsOf(shop, order.orderId)).filter(({ kind }) => kind === 'refund');
    const read = await shop.call('getMail', {
      as: await shop.signIn({ role: 'ROLE_OWNER' }),
      path: { mailId: mail?.id ?? '' },
    });
    expect(read.data.content.text).toContain("We've refunded $9.00");
    expect(wordsOf(read.data.content.file ?? '')).not.toContain('The customer moved');
  });

  test('in parts leaves the status until the last cent, and never exceeds what was paid', async () => {
    const order = await orderToRefund();
    expect((await refund(order.orderId, { amount: 4.5 })).data.orderResponse).toMatchObject({
      orderStatus: 'PAID',
      refundedAmount: 4.5,
    });
    expect(await refund(order.orderId, { amount: 4.51 })).toMatchObject({
      status: 409,
      code: 'refund_too_large',
      message: 'You can refund up to $4.50',
    });
    expect((await refund(order.orderId)).data.orderResponse).toMatchObject({
      orderStatus: 'REFUNDED',
      refundedAmount: 9,
    });
    expect(await refund(order.orderId, { amount: 0.01 })).toMatchObject({ status: 409, code: 'not_refundable' });
    expect((await made(order)).map(({ amount }) => amount)).toEqual([450, 450]);
  });

  test('restocks the units once', async () => {
    const order = await orderToRefund();
    expect((await refund(order.orderId, { amount: 1, restock: true })).data.refund.isRestocked).toBe(true);
    expect(await onShelf(order.orderId)).toBe(5);
    expect(await refund(order.orderId, { restock: true })).toMatchObject({ status: 409, code: 'already_restocked' });
    expect((await refund(order.orderId)).status).toBe(200);
    expect(await onShelf(order.orderId)).toBe(5);
  });

  test('by two admins at the same time is made once', async () => {
    const other = await shop.signIn({ role: 'ROLE_OWNER' });
    for (const body of [{ restock: true }, { amount: 5 }]) {
      const order = await orderToRefund();
      const answers = await Promise.all([
        refund(order.orderId, body),
        refund(order.orderId, body, { as: other }),
        refund(order.orderId, body),
      ]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
      expect(await made(order)).toHaveLength(1);
    }
  });

  test('sent twice with one key is made once, in parallel and again later', async () => {
    const order = await orderToRefund();
    const key = randomUUID();
    const twins = await Promise.all([
      refund(order.orderId, { amount: 2 }, { key }),
      refund(order.orderId, { amount: 2 }, { key }),
    ]);
    twins.push(await refund(order.orderId, { amount: 2 }, { key }));
    expect(new Set(twins.map(({ data }) => data.refund.id)).size).toBe(1);
    expect(await made(order)).toMatchObject([{ amount: 200 }]);
  });

  test('of an order that was not paid, or does not exist, is rejected', async () => {
    const { orderId } = await openOrder(shop);
    expect(await refund(orderId)).toMatchObject({ status: 409, code: 'not_refundable' });
    expect(await refund(randomUUID())).toMatchObject({ status: 404, code: 'order_not_found' });
  });

  test.each([0, -1, 4.505, '4', null, 1_000_000])('of %j dollars is rejected', async (amount) => {
    expect(await refund(randomUUID(), { amount } as Asked)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test("is visible to its customer without staff's notes", async () => {
    const order = await orderToRefund();
    await refund(order.orderId, { amount: 1, reason: 'A difficult person' });
    const read = await shop.call('getOrder', { as: order.as, path: { orderId: order.orderId } });
    expect(read.data.orderResponse.refunds).toMatchObject([{ amount: 1, state: 'done', reason: null, by: null }]);
  });
});

describe('a refund while the provider', () => {
  const onRefunds = (kind: string, next: number) => shop.control('fault', { kind, next, on: 'POST /v1/refunds' });

  test('is down is recorded, and made by the sweeper once it is back', async () => {
    const order = await orderToRefund();
    await onRefunds('503', 2);
    const answer = await refund(order.orderId, { restock: true });
    expect(answer).toMatchObject({ status: 200, message: expect.stringContaining('as soon as') });
    expect(answer.data.refund).toMatchObject({ state: 'asked', isRestocked: false });
    expect(answer.data.orderResponse.orderStatus).toBe('PAID');
    expect(await refund(order.orderId)).toMatchObject({ status: 409, code: 'refund_too_large' });
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, order.orderId)).toBe('REFUNDED');
    expect(await onShelf(order.orderId)).toBe(5);
    expect(await made(order)).toHaveLength(1);
  });

  const kinds = isNightly
    ? ['500', 'reset_before', 'reset_after', '429', '409', 'bad_json']
    : ['reset_after', 'bad_json'];
  test.each(kinds)('responds with %s is made once all the same', async (kind) => {
    const order = await orderToRefund();
    await onRefunds(kind, kind === 'bad_json' ? 1 : 2); // the SDK tries twice, but not after nonsense
    expect((await refund(order.orderId)).status).toBe(200);
    shop.clock.advance(61_000); // a failure that the provider stores under its key is not requested again
    await Promise.all([shop.jobs.sweepPayments(), shop.jobs.sweepPayments()]);
    expect(await statusOf(shop, order.orderId)).toBe('REFUNDED');
    expect(await made(order)).toHaveLength(1);
    admin = await shop.again(admin);
  });

  // the provider itself rejects a second full refund, but not a partial one
  test.each([
    ['at once', 0],
    ['when the provider has forgotten the try', 61_000],
  ])('loses its response, a part is not refunded twice: requested again %s', async (_, afterMs) => {
    const order = await orderToRefund();
    await shop.control('deliveries', { mode: 'drop' }); // no event reports it either
    await onRefunds('reset_after', 2);
    expect((await refund(order.orderId, { amount: 3 })).data.refund.state).toBe('asked');
    shop.clock.advance(afterMs);
    await shop.control('fault', { kind: '503', next: 2, on: 'GET /v1/events' });
    await shop.jobs.sweepPayments();
    await shop.control('deliveries', { mode: 'normal' });
    expect(await made(order)).toMatchObject([{ amount: 300 }]);
    admin = await shop.again(admin);
    const { data } = await shop.call('getOrder', { as: admin, path: { orderId: order.orderId } });
    expect(data.orderResponse.refundedAmount).toBe(3);
  });

  test('rejects it fails, with an alarm, and another is possible', async () => {
    const order = await orderToRefund();
    await shop.control('deliveries', { mode: 'drop' }); // the shop gets no event of a refund made by hand
    await stripe.refunds.create({ payment_intent: order.paymentIntentId, amount: 600 });
    expect(await refund(order.orderId)).toMatchObject({ status: 409, code: 'refund_refused' });
    await shop.control('deliveries', { mode: 'normal' });
    expect(await alarmsOf(order.orderId)).toMatchObject([{ kind: 'refund_failed' }]);
    expect((await refund(order.orderId, { amount: 3 })).status).toBe(200); // and its event reports the other
    await until(async () => expect(await statusOf(shop, order.orderId)).toBe('REFUNDED'));
  });

  test('rejects it is tried again with the same key', async () => {
    const order = await orderToRefund();
    const key = randomUUID();
    await onRefunds('400', 1);
    expect(await refund(order.orderId, { restock: true }, { key })).toMatchObject({
      status: 409,
      code: 'refund_refused',
    });
    const again = await refund(order.orderId, { restock: true }, { key });
    expect(again).toMatchObject({ status: 200, data: { refund: { state: 'done', isRestocked: true } } });
    expect((await refund(order.orderId, { restock: true }, { key })).data.refund.id).toBe(again.data.refund.id);
    expect(await made(order)).toMatchObject([{ amount: 900 }]);
    expect(await onShelf(order.orderId)).toBe(5);
  });

  test('is busy holds none of the shop’s connections', async () => {
    const order = await orderToRefund();
    await onRefunds('hold', 1);
    await shop.control('deliveries', { mode: 'hold' }); // neither does its event
    const refunding = refund(order.orderId);
    await until(async () => expect(await made(order)).toHaveLength(1)); // and the response is held
    await expect.poll(() => shop.pool.totalCount - shop.pool.idleCount).toBe(0);
    await shop.control('release');
    await shop.control('deliveries', { mode: 'normal' });
    expect((await refunding).data.refund.state).toBe('done');
  });

  test('was never asked, since the process died, is completed by the sweeper', async () => {
    const order = await orderToRefund();
    const row = { id: randomUUID(), orderId: order.orderId, amountCents: 900, reason: 'Asked for', restock: true };
    await shop.db
      .insert(refunds)
      .values({ ...row, state: 'asked', byUserId: admin.userId, createdAt: shop.clock.now() });
    await shop.jobs.sweepPayments();
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, order.orderId)).toBe('REFUNDED');
    expect(await onShelf(order.orderId)).toBe(5);
    expect(await made(order)).toHaveLength(1);
  });
});

describe('a refund made at the provider by hand', () => {
  test('is recorded, in part and in whole, and reported once', async () => {
    const order = await orderToRefund();
    await stripe.refunds.create({ payment_intent: order.paymentIntentId, amount: 400 });
    const read = async () =>
      (await shop.call('getOrder', { as: order.as, path: { orderId: order.orderId } })).data.orderResponse;
    await until(async () => expect(await read()).toMatchObject({ orderStatus: 'PAID', refundedAmount: 4 }));
    await stripe.refunds.create({ payment_intent: order.paymentIntentId });
    await until(async () => expect(await read()).toMatchObject({ orderStatus: 'REFUNDED', refundedAmount: 9 }));
    expect((await read()).refunds).toMatchObject([
      { amount: 4, reason: 'Refunded through the payment provider' },
      { amount: 5 },
    ]);
    expect((await mailsOf(shop, order.orderId)).filter(({ kind }) => kind === 'refund')).toHaveLength(2);
  });
});
