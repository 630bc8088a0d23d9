/**
 * A refund that the provider made and the bank sent back later. The test provider never does that: what it lists is told
 * otherwise here, and so the books of the two are not compared.
 */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Schema } from '../../../src/shared/contract';
import { alarms, orderItems, products } from '../../../src/server/db/schema';
import { deliverEvent, paidOrder } from '../../support/buying';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let admin: Person;
let real: TestShop['payments'];
let order: Awaited<ReturnType<typeof paidOrder>>;
let paymentIntentId: string;
beforeAll(async () => {
  shop = await openShop();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  real = { ...shop.payments };
});
beforeEach(async () => {
  Object.assign(shop.payments, real);
  await shop.control('deliveries', { mode: 'normal' });
  order = await paidOrder(shop, { quantity: 5, priceCents: 450 }, 2);
  paymentIntentId = (await shop.payments.findSession(order.sessionId))?.paymentIntentId ?? '';
  await shop.control('deliveries', { mode: 'drop' }); // each event comes when a test says so
});
afterAll(() => shop.close());

const refund = (body: Partial<Schema<'NewRefund'>>) =>
  shop.call('refundOrder', { as: admin, path: { orderId: order.orderId }, body: { reason: 'Asked for', ...body } });
const read = async () =>
  (await shop.call('getOrder', { as: order.as, path: { orderId: order.orderId } })).data.orderResponse;
const states = async () => ((await read()).refunds ?? []).map(({ amount, state }) => [amount, state]);
async function line() {
  const [found] = await shop.db
    .select({ orderItemId: orderItems.id, onShelf: products.quantity })
    .from(orderItems)
    .innerJoin(products, eq(products.id, orderItems.productId))
    .where(eq(orderItems.orderId, order.orderId));
  if (!found) throw new Error('the order has no line');
  return found;
}
const onShelf = async () => (await line()).onShelf;

/** The provider's word from now on: all refunds so far were sent back, then come those that a person made there. */
async function bankSendsBack(...byHand: number[]): Promise<void> {
  const failed = (await real.listRefunds(paymentIntentId)).map((made) => ({ ...made, isMade: false }));
  const others = byHand.map((amountCents) => ({
    id: `re_${randomUUID()}`,
    amountCents,
    isMade: true,
    refundId: undefined,
  }));
  shop.payments.listRefunds = async () => [...others, ...failed]; // newest first
  // the money is there again: the test provider does not know it
  shop.payments.refund = async ({ refundId, amountCents }) => ({
    id: `re_${randomUUID()}`,
    amountCents,
    isMade: true,
    refundId,
  });
}
async function tell(type: string): Promise<void> {
  const { status } = await deliverEvent(shop, type, { object: 'refund', payment_intent: paymentIntentId });
  expect(status).toBe(200);
}

test('puts no unit on the shelf a second time', async () => {
  await refund({ amount: 1, restock: true });
  expect(await onShelf()).toBe(5);
  await bankSendsBack();
  await tell('refund.failed');
  expect(await states()).toEqual([[1, 'failed']]);
  expect(await refund({ amount: 1, restock: true })).toMatchObject({ status: 409, code: 'already_restocked' });
  expect(await refund({ amount: 1 })).toMatchObject({ status: 200 });
  expect(await onShelf()).toBe(5);
});

test('puts no unit of a line on the shelf a second time, and its money is given back all the same', async () => {
  const { orderItemId } = await line();
  const wish = (restock: boolean) => ({ lines: [{ orderItemId, quantity: 2, restock }] });
  await refund(wish(true));
  expect(await onShelf()).toBe(5);
  await bankSendsBack();
  await tell('refund.failed');
  expect(await refund(wish(true))).toMatchObject({ status: 409, code: 'already_restocked' });
  expect(await refund(wish(false))).toMatchObject({ status: 200, data: { refund: { amount: 9, state: 'done' } } });
  expect(await onShelf()).toBe(5);
});

test('can be asked for again, also when it was the whole payment', async () => {
  await refund({});
  await bankSendsBack();
  await tell('refund.failed');
  expect(await read()).toMatchObject({ orderStatus: 'REFUNDED', refundedAmount: 0 });
  expect(await shop.db.select().from(alarms).where(eq(alarms.orderId, order.orderId))).toMatchObject([
    { kind: 'refund_failed' },
  ]);
  expect(await refund({})).toMatchObject({ status: 200, data: { orderResponse: { refundedAmount: 9 } } });
  expect(await refund({})).toMatchObject({ status: 409, code: 'not_refundable' });
});

test('is noted before what a person gave back in its place', async () => {
  await refund({});
  await bankSendsBack(400);
  await tell('refund.updated');
  expect(Object.fromEntries(await states())).toEqual({ 4: 'done', 9: 'failed' });
  expect(await read()).toMatchObject({ refundedAmount: 4 });
});

test('is not done again by a list that is older', async () => {
  await refund({ amount: 1, restock: true });
  const older = await real.listRefunds(paymentIntentId);
  await bankSendsBack();
  await tell('refund.failed');
  shop.payments.listRefunds = async () => older;
  await tell('refund.updated');
  expect(await states()).toEqual([[1, 'failed']]);
  expect(await onShelf()).toBe(5);
});

test('says nothing of the one that was made in its place', async () => {
  await refund({ amount: 1 });
  const [made] = await real.listRefunds(paymentIntentId);
  if (!made) throw new Error('nothing was given back');
  shop.payments.listRefunds = async () => [made, { ...made, id: 're_earlier', isMade: false }];
  await tell('refund.failed');
  await tell('refund.updated');
  expect(await states()).toEqual([[1, 'done']]);
  expect(await read()).toMatchObject({ refundedAmount: 1 });
});
