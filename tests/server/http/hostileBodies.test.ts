/** Bodies and parameters that no form sends: broken JSON, repeated fields. None causes a 500. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fuzzStrings, jsonBodies, turnOf } from '../../support/hostile';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

const inTimeMs = 300_000;
let shop: TestShop;
let ana: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  ana = await shop.signIn();
});
afterAll(() => shop.close());

describe('each of the 318 bodies of the JSON suite', () => {
  const unreadable = "We couldn't read the request";
  const send = async (url: string, payload: Buffer, as?: Person) => {
    const answer = await shop.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...(as && { authorization: `Bearer ${as.token}` }) },
      payload,
    });
    return { status: answer.statusCode, message: answer.json<{ message: string }>().message };
  };

  test('there are 318', () => expect(jsonBodies).toHaveLength(318));

  test(
    'is parsed correctly or rejected, and causes no 500',
    async () => {
      const wrong: string[] = [];
      for (const [at, { name, expected, body }] of jsonBodies.entries()) {
        await shop.pool.query('delete from attempts');
        const calls: [string, Person | undefined][] = [
          [`/api/public/cart/add/${ana.userId}`, ana],
          ['/api/auth/login', undefined],
          ['/api/auth/register', undefined],
          ['/api/public/contact/create', undefined],
        ];
        for (const [url, as] of turnOf(calls, at % calls.length, calls.length)) {
          const { status, message: said } = await send(url, body, as);
          if (status !== 400 && status !== 413) wrong.push(`${name}: ${status} at ${url}`);
          // valid JSON was read, and then rejected because it does not fit the call
          if (expected === 'accept' && said === unreadable) wrong.push(`${name}: not read at ${url}`);
        }
        if (expected === 'reject' && body.length > 0 && isUtf8(body)) {
          const { status, message: said } = await send(`/api/public/cart/add/${ana.userId}`, body, ana);
          if (said !== unreadable && status !== 413) wrong.push(`${name}: read as if it were JSON`);
        }
      }
      expect(wrong).toEqual([]);
    },
    inTimeMs,
  );

  const isUtf8 = (body: Buffer) => Buffer.from(body.toString('utf8')).equals(body);
});

test('repeated fields and parameters: the last field counts, and of two parameters none', async () => {
  const { id: productId } = await shop.stock();
  const headers = { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' };
  const answer = await shop.app.inject({
    method: 'POST',
    url: `/api/public/cart/add/${ana.userId}`,
    headers,
    payload: `{"productId":"${productId}","quantity":1,"quantity":2}`,
  });
  expect(answer.json<{ data: { cartResponse: { cartItems: object[] } } }>().data.cartResponse.cartItems).toMatchObject([
    { quantity: 2 },
  ]);
  for (const query of [
    'page=0&page=1',
    'page[]=0',
    'page[0]=1',
    ...fuzzStrings.parameter_pollution.map((part) => part.slice(1)),
  ]) {
    const { statusCode } = await shop.app.inject({ url: `/api/public/products?${encodeURI(query)}` });
    expect([400, 404], query).toContain(statusCode);
  }
});
