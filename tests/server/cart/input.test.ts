import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Person, type TestShop } from '../../support/shop';

/**
 * Invalid quantities, ids and cart calls, sent over the wire as they are: each is rejected, and the cart stays
 * unchanged.
 */
let shop: TestShop;
let ana: Person;
let productId: string;
let cartItemId: string;
let before: unknown;
beforeAll(async () => {
  shop = await openShop();
  ana = await shop.signIn();
  productId = (await shop.stock({ quantity: 99 })).id;
  const added = await add(`{ "productId": "${productId}", "quantity": 2 }`);
  expect(added.status).toBe(200);
  cartItemId = added.data.cartResponse.cartItems[0]?.id ?? '';
  before = await readCart();
});
afterAll(() => shop.close());

const json = { 'content-type': 'application/json' };
const add = (body: string) => shop.call('addCartItem', { as: ana, path: { userId: ana.userId }, headers: json, body });
const update = (body: string) => shop.call('updateCartItem', { as: ana, headers: json, body });
const readCart = async () => (await shop.call('getCart', { as: ana, path: { userId: ana.userId } })).data.cartResponse;

const noNumbers = '"1" "١" "٣" "" true false null [1] [] {} {"$gt":0}'.split(' ');
const noQuantity = [...'0 -1 1.5 100 1e308 1e999 -1e308 9007199254740993'.split(' '), ...noNumbers];
describe.each(noQuantity)('the quantity %s is rejected', (quantity) => {
  test.each([
    ['adding', () => add(`{"productId":"${productId}","quantity":${quantity}}`)],
    ['setting', () => update(`{"cartItemId":"${cartItemId}","quantity":${quantity}}`)],
  ])('when %s', async (_, send) => {
    await expectRejection(await send());
  });
});

test.each(['0', '1.5', '100', '-100', '1e308', '-1e308', '"1"', 'true', 'null', '[1]', '{}'])(
  'a change by %s is rejected',
  async (by) => {
    await expectRejection(await update(`{"productId":"${productId}","change":${by}}`));
  },
);

test.each(['""', '"1"', '1', 'null', '["$"]', '"urn:uuid:$"', '"$ "', '" $"', '"{$}"', '"$%00"', '"$\\u0000"'])(
  'the product id %s is rejected',
  async (pattern) => {
    const id = pattern.replace('$', productId);
    await expectRejection(await add(`{"productId":${id},"quantity":1}`));
    await expectRejection(await update(`{"productId":${id},"change":1}`));
  },
);

test('an id in the path is rejected the same way', async () => {
  for (const id of ['1', `urn:uuid:${cartItemId}`, `${cartItemId}'--`, `${cartItemId}\0`, '../../clear']) {
    const refused = await shop.call('removeCartItem', { as: ana, path: { userId: ana.userId, cartItemId: id } });
    expect(refused, id).toMatchObject({ status: 400, code: 'invalid_request' });
  }
});

test.each([
  ['no body', ''],
  ['no JSON', 'quantity=1'],
  ['half of it', '{"productId":'],
  ['a list', '[]'],
  ['nothing', 'null'],
  ['a text', '"add"'],
  ['an empty object', '{}'],
  ['a text price', `{"productId":"$","price":"4.50"}`],
  ['both ways of changing at once', `{"productId":"$","change":1,"quantity":2}`],
  ['neither way', `{"productId":"$"}`],
])('%s is rejected as a change', async (_, body) => {
  await expectRejection(await update(body.replace('$', productId)));
});

test.each(['userId', 'cartId', 'totalPrice', 'status', 'role', 'isAdmin', '__proto__', 'constructor', 'Quantity'])(
  'the unknown field %s is rejected',
  async (field) => {
    await expectRejection(await add(`{"productId":"${productId}","quantity":1,"${field}":{"prototype":{}}}`));
    await expectRejection(await update(`{"cartItemId":"${cartItemId}","quantity":1,"${field}":{"prototype":{}}}`));
  },
);

test('a call without fields accepts none', async () => {
  for (const body of ['{"all":true}', '[]', '1', '"x"', `${'['.repeat(5_000)}${']'.repeat(5_000)}`]) {
    const key = randomUUID();
    await expectRejection(
      await shop.call('clearCart', { as: ana, path: { userId: ana.userId }, key, headers: json, body }),
    );
  }
});

test('the last of two fields with the same name counts', async () => {
  const done = await update(`{"cartItemId":"${cartItemId}","quantity":5,"quantity":2}`);
  expect(done.data.cartItem?.quantity).toBe(2);
});

async function expectRejection(answer: { status: number; code: string | undefined }) {
  expect(answer).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await readCart()).toEqual(before);
}
