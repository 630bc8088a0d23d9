import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionRequest } from '../../../src/server/payments/provider';
import { deliverEvent, placeOrder } from '../../support/buying';
import { openOwnShop, type TestShop } from '../../support/shop';

/** A provider that responds late or too much. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

test('the wait for a provider that never responds, or word by word, is less than 15 seconds', async () => {
  const person = await shop.signIn();
  const { id: productId } = await shop.stock();
  await shop.call('addCartItem', { as: person, path: { userId: person.userId }, body: { productId } });
  await shop.control('hold', { next: 1 });
  await shop.control('fault', { kind: 'drip', next: 1, on: 'POST /v1/checkout/sessions' }); // for the SDK's second attempt
  const begunAt = Date.now();
  expect(await placeOrder(shop, person)).toMatchObject({ status: 502, message: 'Failed to process payment' });
  expect(Date.now() - begunAt).toBeLessThan(20_000); // a busy machine adds to it
  await shop.control('release');
  expect((await placeOrder(shop, person)).status).toBe(201);
});

const mostUnanswered = 40;

test('while events come at ten thousand a minute, some of 1 MB, other calls are answered within 300 ms', async () => {
  const person = await shop.signIn();
  const reads = async (times: number) => {
    const took: number[] = [];
    for (let at = 0; at < times; at++) {
      const began = performance.now();
      const before = process.cpuUsage();
      expect((await shop.call('getCart', { as: person, path: { userId: person.userId } })).status).toBe(200);
      const { user, system } = process.cpuUsage(before);
      took.push(Math.min(performance.now() - began, (user + system) / 1000)); // other programs' time does not count
      await pause(20);
    }
    return took.toSorted((a, b) => a - b)[Math.floor(times * 0.75)] ?? Infinity; // a single one may be an outlier
  };
  const alone = await reads(10);
  const events: Promise<{ status: number }>[] = [];
  let unanswered = 0;
  const send = (object: object = {}) => {
    if (unanswered > mostUnanswered) return; // more than the machine can do now: it would be shed
    unanswered += 1;
    events.push(
      deliverEvent(shop, 'customer.created', { object: 'customer', ...object }).finally(() => (unanswered -= 1)),
    );
  };
  const arriving = setInterval(() => {
    for (let at = 0; at < 10; at++) send();
  }, 60); // 167 in a second
  const large = setInterval(() => send({ description: 'x'.repeat(1_000_000) }), 400);
  const among = await reads(60).finally(() => {
    clearInterval(arriving);
    clearInterval(large);
  });
  const statuses = (await Promise.all(events)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(50);
  expect(among).toBeLessThan(300 + 3 * alone); // minus the machine's own share
});

test('the wait for a provider that never responds about a discount is less than 15 seconds', async () => {
  const order: SessionRequest = {
    orderId: randomUUID(),
    attempt: 1,
    userId: randomUUID(),
    cartId: randomUUID(),
    email: 'ana@example.com',
    lines: [{ name: 'Suya box', unitPriceCents: 3149, quantity: 1 }],
    expiresAt: new Date(shop.clock.now().getTime() + 31 * 60_000),
    delivery: null,
    tax: null,
    discount: { code: 'WELCOME10', cents: 1000 },
  };
  await shop.control('fault', { kind: 'hold', next: 1, on: 'POST /v1/coupons' });
  await shop.control('fault', { kind: 'hold', next: 2, on: 'POST /v1/checkout/sessions' });
  const begunAt = Date.now();
  await expect(shop.payments.openSession(order)).rejects.toMatchObject({ status: 502, code: 'payment_unavailable' });
  expect(Date.now() - begunAt).toBeLessThan(20_000); // a busy machine adds to it
  await shop.control('release');
  expect(await shop.payments.openSession(order)).toMatchObject({ amountCents: 2149 });
});
