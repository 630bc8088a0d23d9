/** What free accounts can do to discount codes. Rule: docs/rules/selling.md, Discount codes */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buy, delivery, placedOrder, putInCart } from '../../support/buying';
import { makeCode, orderTo, quote, sellPlainly } from '../../support/selling';
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

test('after 100 wrong codes from one network no account there can try another, and other networks still can', async () => {
  const right = await makeCode(shop);
  const at = { ...shop, call: shop.callFrom('203.0.113.9') };
  const guessers = await Promise.all(Array.from({ length: 6 }, () => shopper({ priceCents: 1000 })));
  const failedCodes = [];
  for (const each of guessers)
    for (let guess = 0; guess < 18; guess++)
      failedCodes.push(await quote(at, each, { discountCode: `WRONG-${guess}` }));
  expect(failedCodes.filter(({ code }) => code === 'discount_unknown')).toHaveLength(100);
  const ana = await shopper({ priceCents: 1000 });
  expect(await quote(at, ana, { discountCode: right })).toMatchObject({ status: 429, code: 'too_many_attempts' });
  expect((await quote(shop, ana, { discountCode: right })).status).toBe(200);
});

test('unpaid orders of customers who never paid hold a tenth of the remaining uses, and a paying customer gets one', async () => {
  const discountCode = await makeCode(shop, { maxUses: 25 });
  const newcomers = await Promise.all(Array.from({ length: 3 }, () => shopper({ priceCents: 1000 })));
  const paying = await shopper({ priceCents: 1000 });
  await buy(shop, await placedOrder(shop, paying, { ...delivery }));
  await putInCart(shop, paying, (await shop.stock({ priceCents: 1000 })).id);
  const statuses = [];
  for (const each of newcomers) statuses.push((await orderTo(shop, each, 'GA', { discountCode })).status);
  expect(statuses).toEqual([201, 201, 409]);
  const [, , third] = newcomers;
  if (!third) throw new Error('there are three');
  expect(await quote(shop, third, { discountCode })).toMatchObject({
    code: 'discount_used_up',
    message: 'Try this code again in a few minutes',
  });
  expect((await quote(shop, paying, { discountCode })).status).toBe(200);
});
