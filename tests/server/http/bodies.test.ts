/** Abusive request bodies. Rule: docs/rules/wire.md, Bodies */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyLimitOf, deepestNesting, largestLimit, nestsTooDeep } from '../../../src/server/http/contract/bodyLimits';
import { operations } from '../../../src/server/http/contract/operations';
import { openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const post = (url: string, payload: string) =>
  shop.app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload });

test('a login of more than 4 kB is rejected before it is read', async () => {
  const long = await post('/api/auth/login', JSON.stringify({ email: 'a@x.test', password: 'p'.repeat(4_100) }));
  expect([long.statusCode, long.json<{ code: string }>().code]).toEqual([413, 'payload_too_large']);
  const usual = await post('/api/auth/login', JSON.stringify({ email: 'a@x.test', password: 'p'.repeat(3_900) }));
  expect(usual.statusCode).toBe(400);
});

test('the longest body that a call accepts fits, however its characters are encoded', () => {
  const limits = new Map([...operations].map(([id, bound]) => [id, bodyLimitOf(bound)]));
  expect([limits.get('login'), limits.get('logout')]).toEqual([4_096, 16_384]);
  const message = {
    fullName: 'é'.repeat(120),
    email: 'a'.repeat(254),
    phone: '1'.repeat(40),
    reason: '字'.repeat(5_000),
  };
  const escaped = JSON.stringify(message).replaceAll(
    /[^\x20-\x7e]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  expect(limits.get('createContactMessage')).toBeGreaterThan(Buffer.byteLength(escaped));
  expect(limits.get('changeProducts')).toBeGreaterThan(
    JSON.stringify(Array.from({ length: 100 }, () => 'x'.repeat(36))).length,
  );
  expect(limits.get('receivePaymentEvent')).toBeGreaterThan(200_000);
  for (const limit of limits.values()) expect(limit).toBeLessThanOrEqual(largestLimit);
});

test("nothing of an event is parsed without the payment provider's signature", async () => {
  for (const body of ['not JSON', '['.repeat(1_000), '{"__proto__":{}}', `{"id":"${'a'.repeat(1_000_000)}"}`, '']) {
    const answer = await post('/api/payments/webhook', body);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'invalid_signature']);
  }
});

test("a cart line may contain the product's name and picture, as long as any URL", async () => {
  const ana = await shop.signIn();
  const { id: productId, name } = await shop.stock();
  const add = (image: string) =>
    shop.call('addCartItem', {
      as: ana,
      path: { userId: ana.userId },
      body: { productId, name, price: 4.5, quantity: 1, image },
    });
  const picture = (length: number) => 'https://example.com/'.padEnd(length, 'x');
  expect((await add(picture(8_000))).status).toBe(200);
  expect((await add(picture(17_000))).status).toBe(413);
});

test.each([
  ['[', 100_000],
  ['{"":', 50_000],
  ['["\\"",', 1_000],
])('a body of %j after %j is rejected unread', async (part, times) => {
  const body = part.repeat(Math.min(times, 4_000 / part.length));
  const answer = await post('/api/auth/login', body);
  expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
    400,
    "We couldn't read the request",
  ]);
  expect(nestsTooDeep(Buffer.from(part.repeat(times)))).toBe(true);
});

test('brackets within texts, and closed ones, do not count as nesting', () => {
  const deep = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  expect([nestsTooDeep(deep(deepestNesting)), nestsTooDeep(deep(deepestNesting + 1))]).toEqual([false, true]);
  const texts = [
    ['['.repeat(500)],
    ['\\'.repeat(7) + '['.repeat(500)],
    ['"['.repeat(300)],
    Array.from({ length: 500 }, () => ({})),
  ];
  expect(texts.map((value) => nestsTooDeep(Buffer.from(JSON.stringify(value))))).toEqual([false, false, false, false]);
});
