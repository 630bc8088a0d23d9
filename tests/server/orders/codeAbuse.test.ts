/** What free accounts can do to discount codes. Rule: docs/rules/selling.md, Discount codes */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { putInCart } from '../../support/buying';
import { makeCode, quote, sellPlainly } from '../../support/selling';
import { openOwnShop, type NewProduct, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterEach(() => sellPlainly(shop));
afterAll(() => shop.close());

/** A customer with one unit of a new product in the cart. */
async function shopper(product: NewProduct = {}): Promise<Person> {
  const person = await shop.signIn();
  await putInCart(shop, person, (await shop.stock({ quantity: 500, ...product })).id);
  return person;
}

test('after 100 wrong codes of one network no account there can try another, and other networks go on', async () => {
  const right = await makeCode(shop);
  const at = { ...shop, call: shop.callFrom('203.0.113.9') };
  const guessers = await Promise.all(Array.from({ length: 6 }, () => shopper({ priceCents: 1000 })));
  const guesses = [];
  for (const each of guessers)
    for (let guess = 0; guess < 18; guess++) guesses.push(await quote(at, each, { discountCode: `WRONG-${guess}` }));
  expect(guesses.filter(({ code }) => code === 'discount_unknown')).toHaveLength(100);
  const ana = await shopper({ priceCents: 1000 });
  expect(await quote(at, ana, { discountCode: right })).toMatchObject({ status: 429, code: 'too_many_attempts' });
  expect((await quote(shop, ana, { discountCode: right })).status).toBe(200);
});
