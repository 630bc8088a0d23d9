/**
 * A refund that the provider made and the bank returned later. The test provider never does that: its list is altered
 * here, so the books of the two are not compared.
 */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Schema } from '../../../src/shared/contract';
import { alarms, idempotencyKeys, orderItems, products, refunds } from '../../../src/server/db/schema/tables';
import { unavailable } from '../../../src/server/payments/providerErrors';
import { findBreaches } from '../../support/books';
import { buy, capture, deliverEvent, openOrder, paidOrder, statusOf } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let admin: Person;
let real: TestShop['payments'];
let order: Awaited<ReturnType<typeof paidOrder>>;
let paymentIntentId: string;
beforeAll(async () => {
  shop = await openOwnShop();
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
afterAll(async () => {
  expect(await findBreaches({ pool: shop.pool, ledger: undefined })).toEqual([]);
  await shop.close();
});

const refund = (body: Partial<Schema<'NewRefund'>>, key: string = randomUUID()) =>
  shop.call('refundOrder', {
    as: admin,
    path: { orderId: order.orderId },
    body: { reason: 'Asked for', ...body },
    key,
  });
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

/** The provider's list from now on: all refunds so far were returned, followed by those that a person made there. */
async function bankSendsBack(...byHand: number[]): Promise<void> {
  const failed = (await real.listRefunds(paymentIntentId)).map((made) => ({ ...made, isMade: false }));
  const others = byHand.map((amountCents) => ({
    id: `re_${randomUUID()}`,
    amountCents,
    isMade: true,
    refundId: undefined,
  }));
  shop.payments.listRefunds = async () => [...others, ...failed]; // newest first
  // the money is back: the test provider does not know that
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

/** The bank returns it, and then the shop reads an older list. */
async function listOlderEvents(): Promise<void> {
  const older = await real.listRefunds(paymentIntentId);
  await bankSendsBack();
  await tell('refund.failed');
  shop.payments.listRefunds = async () => older;
  await tell('refund.updated');
}

/** Paid after it was canceled and its goods were sold: the shop refunds it automatically. */
async function payTooLate(): Promise<void> {
  order = await openOrder(shop, { quantity: 2, priceCents: 450 }, 2);
  await buy(shop, order);
  await shop.pool.query(
    `with cancelled as (update orders set status = 'CANCELLED' where id = $1 returning id),
      noted as (insert into order_timeline (order_id, status, at) select id, 'CANCELLED', $2 from cancelled),
      line as (select order_id, product_id from order_items where order_id = $1),
      shelf as (update products set quantity = 1 from line where products.id = product_id)
     insert into stock_movements (product_id, kind, shelf, held, order_id, reason, at)
       select product_id, 'release', 2, -2, order_id, null, $2::timestamptz from line
       union all select product_id, 'adjustment', -1, 0, null, 'Broken', $2 from line`,
    [order.orderId, shop.clock.now()],
  );
  paymentIntentId = (await shop.payments.findSession(order.sessionId))?.paymentIntentId ?? '';
  await capture(shop, order.as, order);
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

test('puts no unit of a line on the shelf a second time, and its money is refunded all the same', async () => {
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

test('can be requested again, even for the whole payment', async () => {
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

test('is recorded before what a person refunded in its place', async () => {
  await refund({});
  await bankSendsBack(400);
  await tell('refund.updated');
  expect(Object.fromEntries(await states())).toEqual({ 4: 'done', 9: 'failed' });
  expect(await read()).toMatchObject({ refundedAmount: 4 });
});

test('is not reverted by an older list', async () => {
  await refund({ amount: 1, restock: true });
  await listOlderEvents();
  expect(await states()).toEqual([[1, 'failed']]);
  expect(await onShelf()).toBe(5);
});

test('does not mention the refund made in its place', async () => {
  await refund({ amount: 1 });
  const [made] = await real.listRefunds(paymentIntentId);
  if (!made) throw new Error('nothing was given back');
  shop.payments.listRefunds = async () => [made, { ...made, id: 're_earlier', isMade: false }];
  await tell('refund.failed');
  await tell('refund.updated');
  expect(await states()).toEqual([[1, 'done']]);
  expect(await read()).toMatchObject({ refundedAmount: 1 });
});

test('is not requested again with its own key, which would forget the restocked units', async () => {
  const key = randomUUID();
  await refund({ amount: 1, restock: true }, key);
  await bankSendsBack();
  await tell('refund.failed');
  await shop.db.delete(idempotencyKeys); // as happens after a while
  expect(await refund({ amount: 1 }, key)).toMatchObject({ status: 409, code: 'refund_refused' });
  expect(await refund({ amount: 1, restock: true })).toMatchObject({ status: 409, code: 'already_restocked' });
  expect(await refund({ amount: 1 })).toMatchObject({ status: 200 });
  expect(await onShelf()).toBe(5);
});

test('is not reverted by an older list when its response was lost', async () => {
  shop.payments.refund = async (asked) => {
    await real.refund(asked);
    throw unavailable(new Error('the answer was lost'));
  };
  expect(await refund({ amount: 1, restock: true })).toMatchObject({ data: { refund: { state: 'asked' } } });
  await listOlderEvents();
  expect(await states()).toEqual([[1, 'failed']]);
  expect(await onShelf()).toBe(3);
});

test('of what the shop owed can be requested by staff, though not its units, which had never left', async () => {
  await payTooLate();
  expect(await statusOf(shop, order.orderId)).toBe('REFUNDED');
  await bankSendsBack();
  await tell('refund.failed');
  const { orderItemId } = await line();
  for (const body of [{ restock: true }, { lines: [{ orderItemId, quantity: 1, restock: true }] }])
    expect(await refund(body)).toMatchObject({ status: 409, code: 'already_restocked' });
  expect(await refund({})).toMatchObject({ status: 200, data: { orderResponse: { refundedAmount: 9 } } });
  expect(await onShelf()).toBe(1);
});

test('of what the shop still owes counts once, and the next one replaces it', async () => {
  const tries: { id: string; amountCents: number; isMade: boolean; refundId: string }[] = [];
  shop.payments.refund = async ({ refundId, amountCents }) => {
    tries.unshift({ id: `re_${randomUUID()}`, amountCents, isMade: false, refundId });
    return tries[0] as (typeof tries)[number];
  };
  shop.payments.listRefunds = async () => [...tries];
  await payTooLate();
  const row = async () => (await shop.db.select().from(refunds).where(eq(refunds.orderId, order.orderId)))[0];
  for (const _ of [1, 2]) await tell('refund.failed');
  expect(await row()).toMatchObject({ state: 'asked', rejections: 1 });
  shop.clock.advance(2 * 60_000);
  await shop.jobs.sweepPayments();
  expect(tries).toHaveLength(2);
  for (const _ of [1, 2]) await tell('refund.failed');
  expect(await row()).toMatchObject({ state: 'asked', rejections: 2 });
  const older = tries.map((made) => ({ ...made, isMade: true }));
  shop.payments.listRefunds = async () => older.slice(0, 1);
  await tell('refund.updated');
  expect(await row()).toMatchObject({ state: 'asked' });
  await bankSendsBack();
  shop.clock.advance(4 * 60_000);
  await shop.jobs.sweepPayments();
  expect(await row()).toMatchObject({ state: 'done' });
  expect(await statusOf(shop, order.orderId)).toBe('REFUNDED');
});
