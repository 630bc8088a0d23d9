import { eq } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { BodyOf } from '../../../src/shared/contract';
import { refundLines, refunds } from '../../../src/server/db/schema/tables';
import {
  buy,
  checkBooks,
  delivery,
  openOrder,
  paidOrder,
  placedOrder,
  putInCart,
  quantityOf,
  until,
} from '../../support/buying';
import { collectTax, makeCode, offerDelivery, sellPlainly } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** Rule: docs/rules/orders-and-payment.md, Refunds */
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Example Admin' });
});
afterEach(() => sellPlainly(shop));
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

/** Two units of $7.95 and one each of $8.95 and $6.95, 10 % off, $5.95 for delivery, 4 % tax on all: $35.95. */
async function soldInParts() {
  await offerDelivery(shop, { priceCents: 595 });
  await collectTax(shop, 'GA', 40_000, true);
  const discountCode = await makeCode(shop);
  const as = await shop.signIn();
  for (const [name, priceCents, units] of [
    ['Rub', 795, 2],
    ['Blend', 895, 1],
    ['Pepper', 695, 1],
  ] as const)
    await putInCart(shop, as, (await shop.stock({ name, priceCents, quantity: 5 })).id, units);
  const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const placed = await placedOrder(shop, as, { customer: 'Example Customer', deliveryAddress: address, discountCode });
  await buy(shop, placed);
  const { orderItems, totalAmount } = await read(placed.orderId);
  expect(totalAmount).toBe(35.95);
  const [rub, blend, pepper] = orderItems;
  if (!rub || !blend || !pepper) throw new Error('an order lost its lines');
  return { ...placed, as, rub, blend, pepper };
}

const read = async (orderId: string, as = admin) =>
  (await shop.call('getOrder', { as, path: { orderId } })).data.orderResponse;

type Asked = Partial<BodyOf<'refundOrder'>>;
const refund = (orderId: string, body: Asked, { as = admin, key }: { as?: Person; key?: string } = {}) =>
  shop.call('refundOrder', { as, path: { orderId }, body: { reason: 'Asked for', ...body }, ...(key && { key }) });
const unitsOf = ({ orderItemId }: { orderItemId: string }, quantity = 1, restock = false) => ({
  orderItemId,
  quantity,
  restock,
});

describe('a refund by lines', () => {
  test('refunds what was paid for the units, with their shares of discount and tax', async () => {
    const { orderId, as, blend, pepper } = await soldInParts();
    const lines = [unitsOf(blend), unitsOf(pepper)];
    const answer = await refund(orderId, { lines, customerNote: ' Sorry for the lids. ' });
    expect(answer.data.refund).toMatchObject({
      amount: 14.88,
      state: 'done',
      lines: [
        {
          orderItemId: blend.orderItemId,
          productName: 'Blend',
          quantity: 1,
          isRestocked: false,
          amount: 8.05,
          tax: 0.32,
        },
        { productName: 'Pepper', amount: 6.26, tax: 0.25 },
      ],
      delivery: null,
      tax: 0.57,
      other: null,
      customerNote: 'Sorry for the lids.',
    });
    expect(answer.data.orderResponse).toMatchObject({ orderStatus: 'PAID', refundedAmount: 14.88 });
    const [seen] = (await read(orderId, as)).refunds ?? [];
    expect(seen).toMatchObject({ reason: null, by: null, customerNote: 'Sorry for the lids.', lines: [{}, {}] });
  });

  test('of everything, one after the other, refunds exactly the total', async () => {
    const { orderId, rub, blend, pepper } = await soldInParts();
    await refund(orderId, { lines: [unitsOf(rub)] });
    await refund(orderId, { delivery: true });
    await refund(orderId, { lines: [unitsOf(pepper), unitsOf(rub)] });
    const last = await refund(orderId, { lines: [unitsOf(blend)] });
    expect(last.data.orderResponse).toMatchObject({ orderStatus: 'REFUNDED', refundedAmount: 35.95 });
  });

  test('refunds the delivery once, with its tax', async () => {
    const { orderId } = await soldInParts();
    const given = (await refund(orderId, { delivery: true })).data.refund;
    expect(given).toMatchObject({ delivery: 5.95, tax: 0.24, amount: 6.19, lines: [], other: null });
    expect(await refund(orderId, { delivery: true })).toMatchObject({
      status: 409,
      code: 'refund_too_large',
      message: 'Delivery is already fully refunded',
    });
  });

  test('refunds no more units than are left of a line', async () => {
    const { orderId, rub } = await soldInParts();
    await refund(orderId, { lines: [unitsOf(rub)] });
    expect(await refund(orderId, { lines: [unitsOf(rub, 2)] })).toMatchObject({
      status: 409,
      code: 'refund_too_large',
      message: 'You can refund up to 1 of Rub',
    });
    await refund(orderId, { lines: [unitsOf(rub)] });
    expect(await refund(orderId, { lines: [unitsOf(rub)] })).toMatchObject({
      status: 409,
      message: 'Rub is already fully refunded',
    });
  });

  test('after another amount refunds at most what is left', async () => {
    const { orderId, rub, blend, pepper } = await soldInParts();
    const other = (await refund(orderId, { amount: 20 })).data.refund;
    expect(other).toMatchObject({ other: 20, delivery: 3.31, tax: 0.77, lines: [] });
    const all = [unitsOf(rub, 2), unitsOf(blend), unitsOf(pepper)];
    const { data } = await refund(orderId, { lines: all, delivery: true });
    expect(data.refund).toMatchObject({ amount: 15.95, delivery: 2.64, tax: 0.61 });
    expect(data.orderResponse).toMatchObject({ orderStatus: 'REFUNDED', refundedAmount: 35.95 });
  });

  test('without a choice refunds all that is left', async () => {
    const { orderId, blend } = await soldInParts();
    await refund(orderId, { lines: [unitsOf(blend)] });
    const { data } = await refund(orderId, {});
    expect(data.refund).toMatchObject({ amount: 27.58, other: 27.58, delivery: 5.95, tax: 1.06 });
    expect(data.orderResponse).toMatchObject({ orderStatus: 'REFUNDED', refundedAmount: 35.95 });
  });

  test('by two admins at the same time refunds no unit twice', async () => {
    const { orderId, rub } = await soldInParts();
    const asks = () => refund(orderId, { lines: [unitsOf(rub, 2, true)] });
    const answers = await Promise.all([asks(), asks(), asks()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await quantityOf(shop, rub.productId)).toBe(5);
  });

  test('that the provider rejected counts nothing, and is requested again with the same key', async () => {
    const { orderId, rub } = await soldInParts();
    const key = randomUUID();
    await shop.control('fault', { kind: '400', next: 1, on: 'POST /v1/refunds' });
    const body = { lines: [unitsOf(rub, 2, true)] };
    expect(await refund(orderId, body, { key })).toMatchObject({ status: 409, code: 'refund_refused' });
    expect(await quantityOf(shop, rub.productId)).toBe(3);
    expect((await read(orderId)).refunds).toMatchObject([{ state: 'failed', lines: [{ isRestocked: false }] }]);
    const again = await refund(orderId, { lines: [unitsOf(rub, 1, true)] }, { key });
    expect(again).toMatchObject({ status: 200, data: { refund: { lines: [{ quantity: 1, isRestocked: true }] } } });
    expect(await shop.db.select().from(refundLines).where(eq(refundLines.orderItemId, rub.orderItemId))).toHaveLength(
      1,
    );
    expect(await quantityOf(shop, rub.productId)).toBe(4);
  });

  test('whose response was lost is made once by the sweeper, units included', async () => {
    const { orderId, rub } = await soldInParts();
    await shop.control('fault', { kind: '503', next: 2, on: 'POST /v1/refunds' });
    const asked = await refund(orderId, { lines: [unitsOf(rub, 1, true)], delivery: true });
    expect(asked.data.refund).toMatchObject({ state: 'asked', lines: [{ isRestocked: false }] });
    expect(await refund(orderId, { lines: [unitsOf(rub, 2)] })).toMatchObject({ status: 409 });
    await shop.jobs.sweepPayments();
    await shop.jobs.sweepPayments();
    expect((await read(orderId)).refunds).toMatchObject([{ state: 'done', lines: [{ isRestocked: true }] }]);
    expect(await quantityOf(shop, rub.productId)).toBe(4);
  });
});

describe('units are restocked', () => {
  test('for the lines that say so, each once', async () => {
    const { orderId, rub, blend } = await soldInParts();
    await refund(orderId, { lines: [unitsOf(rub, 1, true), unitsOf(blend)] });
    expect(await quantityOf(shop, rub.productId)).toBe(4);
    expect(await quantityOf(shop, blend.productId)).toBe(4);
    await refund(orderId, { lines: [unitsOf(rub, 1, true)] });
    expect(await quantityOf(shop, rub.productId)).toBe(5);
    expect(await refund(orderId, { restock: true })).toMatchObject({ status: 409, code: 'already_restocked' });
  });

  test('not again after those of the whole order were', async () => {
    const { orderId, rub } = await soldInParts();
    await refund(orderId, { amount: 1, restock: true });
    const again = await refund(orderId, { lines: [unitsOf(rub, 1, true)] });
    expect(again).toMatchObject({ status: 409, code: 'already_restocked' });
    expect((await refund(orderId, { lines: [unitsOf(rub)] })).status).toBe(200);
    expect(await quantityOf(shop, rub.productId)).toBe(5);
  });
});

describe('a refund is rejected', () => {
  test('when it has both lines and an amount, one line twice, or the whole order’s units', async () => {
    const { orderId, orderItemId } = await line();
    const lines = [unitsOf({ orderItemId })];
    for (const body of [
      { lines, amount: 1 },
      { delivery: true, amount: 1 } as const,
      { lines: [...lines, ...lines] },
      { lines, restock: true },
      { lines: [] },
      { lines: [unitsOf({ orderItemId }, 0)] },
    ])
      expect(await refund(orderId, body)).toMatchObject({ status: 400, code: 'invalid_request' });
    expect((await read(orderId)).refunds).toEqual([]);
  });

  test('when a line belongs to another order', async () => {
    const { orderId } = await line();
    const other = await line();
    expect(await refund(orderId, { lines: [unitsOf(other)] })).toMatchObject({
      status: 400,
      code: 'invalid_request',
      message: "These items aren't part of this order",
    });
  });

  test('when no delivery was charged', async () => {
    const { orderId } = await line();
    expect(await refund(orderId, { delivery: true })).toMatchObject({ status: 409, code: 'refund_too_large' });
  });

  test('when the lines cost nothing', async () => {
    const discountCode = await makeCode(shop, { kind: 'percent', percent: 100 });
    await offerDelivery(shop, { priceCents: 595 });
    const { as } = await openOrder(shop);
    const placed = await placedOrder(shop, as, { ...delivery, discountCode });
    await buy(shop, placed);
    const [free] = (await read(placed.orderId)).orderItems;
    expect(await refund(placed.orderId, { lines: [unitsOf(free ?? { orderItemId: '' })] })).toMatchObject({
      status: 409,
      code: 'refund_too_large',
      message: 'These are already fully refunded',
    });
  });
});

async function line() {
  const { orderId } = await paidOrder(shop);
  const [item] = (await read(orderId)).orderItems;
  return { orderId, orderItemId: item?.orderItemId ?? '' };
}

test('a refund made at the provider by hand is split over goods, delivery and tax', async () => {
  const { orderId, sessionId } = await soldInParts();
  const { hostname: host, port } = new URL(shop.sandbox.url);
  const stripe = new Stripe(shop.sandboxKeys.secretKey, { host, port, protocol: 'http', telemetry: false });
  const { paymentIntentId = '' } = (await shop.payments.findSession(sessionId)) ?? {};
  await stripe.refunds.create({ payment_intent: paymentIntentId, amount: 2000 });
  await until(async () => expect(await read(orderId)).toMatchObject({ refundedAmount: 20 }));
  const [written] = await shop.db.select().from(refunds).where(eq(refunds.orderId, orderId));
  expect(written).toMatchObject({ amountCents: 2000, deliveryCents: 331, taxCents: 77, isByLines: false });
});
