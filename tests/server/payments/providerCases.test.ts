import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orders } from '../../../src/server/db/schema';
import { placeOrder, deliverEvent, sessionsOf } from '../../support/buying';
import { openShop, type TestShop } from '../../support/shop';

/** A provider that answers strangely, late or too much. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test.each(['500', '429', '409', '503', 'reset_before', 'reset_after', 'bad_json'])(
  'when the provider answers with %s the buyer gets the page or a plain sentence, and a retry is safe',
  async (kind) => {
    const person = await shop.signIn();
    const { id: productId } = await shop.stock({ quantity: 3 });
    await shop.call('addCartItem', { as: person, path: { userId: person.userId }, body: { productId } });
    const next = kind === 'bad_json' ? 1 : 2; // the SDK asks twice, but not after nonsense
    await shop.control('fault', { kind, next, on: 'POST /v1/checkout/sessions' });
    const first = await placeOrder(shop, person);
    if (first.status !== 201) expect(first).toMatchObject({ status: 502, message: 'Failed to process payment' });
    const placed = await placeOrder(shop, person);
    expect(placed.status).toBe(201);
    const own = await shop.db.select().from(orders).where(eq(orders.userId, person.userId));
    expect(own).toHaveLength(1);
    const open = (await sessionsOf(shop, placed.data.orderId)).filter(({ status }) => status === 'open');
    expect(open.map(({ id }) => id).some((id) => placed.data.paymentUrl.includes(id))).toBe(true);
  },
);

test('a provider that never answers, or word by word, is waited for less than 15 seconds', async () => {
  const person = await shop.signIn();
  const { id: productId } = await shop.stock();
  await shop.call('addCartItem', { as: person, path: { userId: person.userId }, body: { productId } });
  await shop.control('hold', { next: 1 });
  await shop.control('fault', { kind: 'drip', next: 1, on: 'POST /v1/checkout/sessions' }); // for the SDK's second try
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
      took.push(Math.min(performance.now() - began, (user + system) / 1000)); // other programs' time is not the shop's
      await pause(20);
    }
    return took.toSorted((a, b) => a - b)[Math.floor(times * 0.75)] ?? Infinity; // a single one may meet anything
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
  expect(among).toBeLessThan(300 + 3 * alone); // what the machine itself takes is not the shop's
});
