import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { paymentEvents } from '../../../src/server/db/schema/tables';
import {
  buy,
  checkBooks,
  openOrder,
  statusOf,
  type Order,
  deliver,
  timelineOf,
  placeOrder,
  putInCart,
} from '../../support/buying';
import { openOwnShop, type NewProduct, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
beforeEach(() => shop.control('deliveries', { mode: 'drop' }));
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const minuteMs = 60_000;
const asks = ({ sessionId }: Pick<Order, 'sessionId'>) => `GET /v1/checkout/sessions/${sessionId}`;

function completed(sessionId: string, id = `evt_${randomUUID()}`) {
  const object = { id: sessionId, object: 'checkout.session' };
  return JSON.stringify({ id, object: 'event', type: 'checkout.session.completed', livemode: false, data: { object } });
}

describe('an event', () => {
  test('twice, ten times in parallel, and again three days later has one effect', async () => {
    const order = await openOrder(shop, { quantity: 5 }, 2);
    await buy(shop, order);
    const payload = completed(order.sessionId);
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(shop, payload)));
    shop.clock.advance(3 * 24 * 60 * minuteMs);
    answers.push(await deliver(shop, payload));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 11 }, () => 200));
    expect(await timelineOf(shop, order)).toEqual(['PENDING_PAYMENT', 'PAID']);
    const { id } = JSON.parse(payload) as { id: string };
    expect(await shop.db.select().from(paymentEvents).where(eq(paymentEvents.id, id))).toMatchObject([
      { outcome: 'done', orderId: order.orderId },
    ]);
  });

  test('of ten different ones about one payment have one effect', async () => {
    const order = await openOrder(shop);
    await buy(shop, order);
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(shop, completed(order.sessionId))));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await timelineOf(shop, order)).toEqual(['PENDING_PAYMENT', 'PAID']);
  });

  test('that comes while the provider cannot be asked is not lost: the next delivery applies it', async () => {
    const order = await openOrder(shop);
    await buy(shop, order);
    const payload = completed(order.sessionId);
    await shop.control('fault', { next: 2, kind: '503', on: asks(order) });
    expect((await deliver(shop, payload)).status).toBe(502);
    expect((await deliver(shop, payload)).status).toBe(200);
    expect(await statusOf(shop, order.orderId)).toBe('PAID');
  });

  test('of a megabyte is accepted', async () => {
    const order = await openOrder(shop);
    await buy(shop, order);
    const padded = completed(order.sessionId).replace('{', `{"padding":"${'x'.repeat(1_000_000)}",`);
    expect((await deliver(shop, padded)).status).toBe(200);
    expect(await statusOf(shop, order.orderId)).toBe('PAID');
  });
});

describe('the sweeper', () => {
  test('continues with the others when one payment cannot be checked, and finds that one in the next round', async () => {
    const [broken, ...others] = [await openOrder(shop), await openOrder(shop), await openOrder(shop)];
    for (const order of [broken, ...others]) await buy(shop, order);
    await shop.control('fault', { next: 2, kind: '500', on: asks(broken) });
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, broken.orderId)).toBe('PENDING_PAYMENT');
    for (const { orderId } of others) expect(await statusOf(shop, orderId)).toBe('PAID');
    const warning = shop.logLines.find((line) => line.includes("couldn't process an event")) ?? '{}';
    expect(JSON.parse(warning)).toMatchObject({ level: 40, orderId: broken.orderId });
    expect(warning).not.toContain('@example.com');
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, broken.orderId)).toBe('PAID');
  });

  test('cancels nothing while the provider cannot be asked, however late it is', async () => {
    const order = await openOrder(shop);
    shop.clock.advance(60 * minuteMs);
    await shop.control('fault', { next: 4, kind: '503', on: '*' }); // list and session; the SDK tries twice
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, order.orderId)).toBe('PENDING_PAYMENT');
    await shop.jobs.sweepPayments();
    expect(await statusOf(shop, order.orderId)).toBe('CANCELLED');
  });
});

describe('the payment page', () => {
  async function pageOf(product: NewProduct) {
    const as = await shop.signIn();
    await putInCart(shop, as, (await shop.stock(product)).id);
    return (await fetch((await placeOrder(shop, as)).data.paymentUrl)).text();
  }

  test('names the size of each product', async () => {
    expect(await pageOf({ name: 'Afra rub', netGrams: 227 })).toContain('Afra rub, 8 oz (227 g)');
    expect(await pageOf({ name: 'Suya rub', netGrams: 227, unitSize: '227 g' })).toContain('Suya rub, 227 g');
    expect(await pageOf({ name: 'Rock salt' })).not.toContain('Rock salt,');
  });
});
