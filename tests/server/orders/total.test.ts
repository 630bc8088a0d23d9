/** Rule: docs/rules/orders-and-payment.md, The total */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { orderItems, orders } from '../../../src/server/db/schema/tables';
import {
  buy,
  checkBooks,
  delivery,
  fillCart,
  placedOrder,
  placeOrder,
  putInCart,
  statusOf,
  until,
} from '../../support/buying';
import { collectTax, makeCode, offerDelivery, orderTo, quote, sellPlainly } from '../../support/selling';
import { openOwnShop, type NewProduct, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterEach(() => sellPlainly(shop));
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

/** A customer with this many units of one new product in the cart. */
async function shopper(product: NewProduct = {}, quantity = 1): Promise<Person> {
  const person = await shop.signIn();
  await putInCart(shop, person, (await shop.stock({ quantity: 500, ...product })).id, quantity);
  return person;
}
const orderOf = async (orderId: string) => {
  const [order] = await shop.db.select().from(orders).where(eq(orders.id, orderId));
  if (!order) throw new Error('no such order');
  return order;
};

describe('the quote', () => {
  test('of a shop without settings is the sum of the goods', async () => {
    const ana = await shopper({ priceCents: 450 }, 3);
    const { data } = await quote(shop, ana, { deliveryAddress: { state: 'GA' } });
    expect(data.quote).toEqual({
      goods: 13.5,
      discount: null,
      deliveryMethods: null,
      deliveryMethodId: null,
      delivery: null,
      tax: null,
      total: 13.5,
    });
  });

  test('adds delivery and tax, and subtracts the discount', async () => {
    const slow = await offerDelivery(shop, { name: 'Standard', description: '3 to 5 days', freeFromCents: 6000 });
    const fast = await offerDelivery(shop, { name: 'Express', priceCents: 1500, position: 1 });
    await collectTax(shop, 'GA', 40_000, true);
    const code = await makeCode(shop, { percent: 10 });
    const ana = await shopper({ priceCents: 1000 }, 3);
    const { data } = await quote(shop, ana, {
      deliveryAddress: { state: 'GA' },
      discountCode: ` ${code.toLowerCase()} `,
    });
    expect(data.quote).toEqual({
      goods: 30,
      discount: { code, kind: 'percent', amount: 3 },
      deliveryMethods: [
        { id: slow, name: 'Standard', description: '3 to 5 days', price: 5, freeFrom: 60 },
        { id: fast, name: 'Express', description: '', price: 15, freeFrom: null },
      ],
      deliveryMethodId: slow,
      delivery: 5,
      tax: { rate: 4, amount: 1.28 }, // of 27 and 5
      total: 33.28,
    });
    const chosen = await quote(shop, ana, { deliveryAddress: { state: 'GA' }, deliveryMethodId: fast });
    expect(chosen.data.quote).toMatchObject({ deliveryMethodId: fast, delivery: 15, total: 46.8 });
  });

  test('without a state has neither methods nor tax', async () => {
    await offerDelivery(shop);
    await collectTax(shop, 'GA', 40_000);
    const { data } = await quote(shop, await shopper({ priceCents: 1000 }));
    expect(data.quote).toMatchObject({ deliveryMethods: null, delivery: null, tax: null, total: 10 });
  });

  test('for a state that no method serves has no total', async () => {
    await offerDelivery(shop, { states: ['GA', 'FL'] });
    await collectTax(shop, 'HI', 40_000);
    const { data } = await quote(shop, await shopper({ priceCents: 1000 }), { deliveryAddress: { state: 'HI' } });
    expect(data.quote).toMatchObject({
      deliveryMethods: [],
      deliveryMethodId: null,
      delivery: null,
      tax: null,
      total: null,
    });
  });

  test('replaces a method that does not serve the state with the cheapest that does, the first of equal ones', async () => {
    const elsewhere = await offerDelivery(shop, { priceCents: 1, states: ['FL'] });
    await offerDelivery(shop, { priceCents: 700, position: 1 });
    const first = await offerDelivery(shop, { priceCents: 500, position: 2 });
    await offerDelivery(shop, { priceCents: 500, position: 3 });
    const ana = await shopper();
    const { data } = await quote(shop, ana, { deliveryAddress: { state: 'GA' }, deliveryMethodId: elsewhere });
    expect(data.quote.deliveryMethodId).toBe(first);
  });

  test('taxes no untaxable goods', async () => {
    await collectTax(shop, 'GA', 100_000);
    const ana = await shopper({ priceCents: 1000 });
    const flour = await shop.stock({ priceCents: 500 });
    await shop.pool.query('update products set taxable = false where id = $1', [flour.id]);
    await putInCart(shop, ana, flour.id);
    const { data } = await quote(shop, ana, { deliveryAddress: { state: 'GA' } });
    expect(data.quote).toMatchObject({ goods: 15, tax: { rate: 10, amount: 1 }, total: 16 });
  });

  test('below what can be paid by card is rejected, but not while delivery may still be added', async () => {
    const ana = await shopper({ priceCents: 100 });
    const discountCode = await makeCode(shop, { percent: 60 });
    const tooSmall = { status: 409, code: 'total_too_small' };
    expect(await quote(shop, ana, { discountCode })).toMatchObject(tooSmall);
    await offerDelivery(shop, { priceCents: 0 });
    expect((await quote(shop, ana, { discountCode })).data.quote.total).toBe(0.4);
    expect(await quote(shop, ana, { discountCode, deliveryAddress: { state: 'GA' } })).toMatchObject(tooSmall);
  });
});

describe('a discount code is rejected', () => {
  const hourMs = 3_600_000;
  const soon = () => new Date(shop.clock.now().getTime() + hourMs);
  const before = () => new Date(shop.clock.now().getTime() - hourMs);

  test.each<[string, string, () => Promise<string>]>([
    ['discount_unknown', "That code isn't valid", async () => 'NEVER-MADE'],
    ['discount_unknown', "That code isn't valid", () => makeCode(shop, { isActive: false })],
    ['discount_unknown', "That code isn't valid", async () => 'no code at all!'],
    ['discount_ended', 'That code has expired', () => makeCode(shop, { endsAt: before() })],
    ['discount_not_yet', 'That code starts on ', () => makeCode(shop, { startsAt: soon() })],
    ['discount_minimum', 'Spend $40.00 or more to use this code', () => makeCode(shop, { minimumCents: 4000 })],
    [
      'discount_not_for_these',
      "That code doesn't apply to anything in your cart",
      () => makeCode(shop, { categoryIds: [randomUUID()] }),
    ],
  ])('as %s: %s', async (code, message, made) => {
    const ana = await shopper({ priceCents: 1000 });
    const discountCode = await made();
    for (const refused of [
      await quote(shop, ana, { discountCode }),
      await orderTo(shop, ana, 'GA', { discountCode }),
    ]) {
      expect(refused).toMatchObject({ status: 409, code });
      expect(refused.message).toContain(message);
    }
  });

  test('when others have used it up, and when its customer has', async () => {
    const [ana, ben] = [await shopper(), await shopper()];
    const once = await makeCode(shop, { maxUses: 1 });
    const onceEach = await makeCode(shop, { maxUsesPerCustomer: 1 });
    expect((await orderTo(shop, ana, 'GA', { discountCode: once })).status).toBe(201);
    expect(await quote(shop, ben, { discountCode: once })).toMatchObject({ status: 409, code: 'discount_used_up' });
    expect((await quote(shop, ana, { discountCode: once })).status).toBe(200); // the customer's own open order is no use yet
    await buy(shop, await placedOrder(shop, ben, { ...delivery, discountCode: onceEach }));
    await putInCart(shop, ben, (await shop.stock()).id);
    const again = await orderTo(shop, ben, 'GA', { discountCode: onceEach });
    expect(again).toMatchObject({
      status: 409,
      code: 'discount_used_before',
      message: "You've already used that code",
    });
  });

  test('for a while after 20 wrong ones, even a right one; right ones do not count', async () => {
    const ana = await shopper({ priceCents: 1000 });
    const right = await makeCode(shop);
    for (let each = 0; each < 25; each++) expect((await quote(shop, ana, { discountCode: right })).status).toBe(200);
    const failedCodes = await Promise.all(
      Array.from({ length: 30 }, (_, each) => quote(shop, ana, { discountCode: `WRONG-${each}` })),
    );
    expect(failedCodes.filter(({ code }) => code === 'discount_unknown')).toHaveLength(20);
    const late = await quote(shop, ana, { discountCode: right });
    expect(late).toMatchObject({ status: 429, code: 'too_many_attempts' });
    expect((await quote(shop, ana)).status).toBe(200);
    expect((await quote(shop, await shopper({ priceCents: 1000 }), { discountCode: right })).status).toBe(200);
  });

  test('even a right one while the twentieth wrong one is being counted', async () => {
    const ana = await shopper({ priceCents: 1000 });
    const discountCode = await makeCode(shop);
    for (let each = 0; each < 19; each++) await quote(shop, ana, { discountCode: `WRONG-${each}` });
    const { status, statements } = await quote(shop, ana, { discountCode });
    expect([status, statements]).toEqual([200, 3]);
    const client = await shop.pool.connect();
    try {
      await client.query('begin');
      await client.query('update attempts set count = count + 1 where key = $1', [`discount account ${ana.userId}`]);
      const asked = quote(shop, ana, { discountCode });
      await expect
        .poll(async () => (await shop.pool.query('select from pg_locks where not granted')).rowCount)
        .toBeGreaterThan(0);
      await client.query('commit');
      expect(await asked).toMatchObject({ status: 429, code: 'too_many_attempts' });
    } finally {
      client.release();
    }
  });
});

describe('placing an order', () => {
  test('stores every part of its total, for the order and for its lines', async () => {
    await offerDelivery(shop, { name: 'Standard', priceCents: 590 });
    await collectTax(shop, 'GA', 57_500, true);
    const code = await makeCode(shop, { kind: 'amount', amountCents: 500 });
    const ana = await shopper({ priceCents: 1295 }, 2);
    await putInCart(shop, ana, (await shop.stock({ priceCents: 725 })).id);
    const { data: asked } = await quote(shop, ana, { deliveryAddress: { state: 'GA' }, discountCode: code });
    const placed = await orderTo(shop, ana, 'Georgia', {
      discountCode: code,
      expectedTotal: asked.quote.total,
      deliveryNote: '  Ring twice ',
    });
    expect(placed.status).toBe(201);
    const { data } = await shop.call('getOrder', { as: ana, path: { orderId: placed.data.orderId } });
    expect(data.orderResponse).toMatchObject({
      totalAmount: asked.quote.total,
      goods: 33.15,
      discount: { code, amount: 5 },
      delivery: { name: 'Standard', price: 5.9 },
      tax: { state: 'GA', rate: 5.75, amount: asked.quote.tax?.amount },
      deliveryNote: 'Ring twice',
    });
    const items = await shop.db.select().from(orderItems).where(eq(orderItems.orderId, placed.data.orderId));
    expect(items.reduce((sum, { discountCents }) => sum + discountCents, 0)).toBe(500);
    const order = await orderOf(placed.data.orderId);
    expect(items.reduce((sum, { taxCents }) => sum + taxCents, order.deliveryTaxCents)).toBe(order.taxCents);
    expect(items.every(({ categoryId }) => categoryId !== null)).toBe(true);
  });

  test('charges only the total that was shown, and returns the new one', async () => {
    const method = await offerDelivery(shop, { priceCents: 500 });
    const ana = await shopper({ priceCents: 1000 });
    await shop.pool.query('update delivery_methods set price_cents = 700 where id = $1', [method]);
    const refused = await orderTo(shop, ana, 'GA', { expectedTotal: 15 });
    expect(refused).toMatchObject({
      status: 409,
      code: 'total_changed',
      message: 'The total changed from $15.00 to $17.00',
      quote: { goods: 10, delivery: 7, total: 17 },
    });
    expect((await orderTo(shop, ana, 'GA', { expectedTotal: 17 })).status).toBe(201);
  });

  test('with a method that is no longer offered is rejected, with the new quote', async () => {
    const gone = await offerDelivery(shop, { priceCents: 500 });
    const other = await offerDelivery(shop, { priceCents: 500, position: 1 });
    await shop.pool.query('update delivery_methods set is_active = false where id = $1', [gone]);
    const refused = await orderTo(shop, await shopper(), 'GA', { deliveryMethodId: gone });
    expect(refused).toMatchObject({ status: 409, code: 'total_changed', quote: { deliveryMethodId: other } });
  });

  test('to a state that no method serves is rejected under its name', async () => {
    await offerDelivery(shop, { states: ['GA'] });
    expect(await orderTo(shop, await shopper(), 'HI')).toMatchObject({
      status: 409,
      code: 'no_delivery',
      message: "We don't ship to Hawaii yet",
    });
  });

  test('by a client that names no method uses the cheapest one', async () => {
    await offerDelivery(shop, { priceCents: 900 });
    await offerDelivery(shop, { name: 'Post', priceCents: 300, position: 1 });
    const placed = await placeOrder(shop, await shopper({ priceCents: 1000 }));
    expect(await orderOf(placed.data.orderId)).toMatchObject({ deliveryName: 'Post', totalCents: 1300 });
  });

  test('accepts at most 98 products where delivery or tax may be added', async () => {
    const ana = await shop.signIn();
    await fillCart(shop, ana, 99);
    await shop.pool.query(
      `update products set quantity = 1 where id in (select product_id from cart_items where cart_id = $1)`,
      [ana.cartId],
    );
    await collectTax(shop, 'AL', 10_000);
    expect(await orderTo(shop, ana, 'GA')).toMatchObject({ status: 409, code: 'too_many_lines' });
    // put into stock without the ledger
    await shop.pool.query(
      `update products set quantity = 0 where id in (select product_id from cart_items where cart_id = $1)`,
      [ana.cartId],
    );
  });

  test('with another method, code or note is another order; with the same it is the same', async () => {
    await offerDelivery(shop, { priceCents: 500 });
    const express = await offerDelivery(shop, { priceCents: 900 });
    const discountCode = await makeCode(shop);
    const ana = await shopper({ priceCents: 1000 });
    const plain = await orderTo(shop, ana, 'GA');
    expect((await orderTo(shop, ana, 'GA')).data.orderId).toBe(plain.data.orderId);
    const ids = [plain.data.orderId];
    for (const more of [{ deliveryMethodId: express }, { discountCode }, { deliveryNote: 'Ring twice' }]) {
      ids.push((await orderTo(shop, ana, 'GA', more)).data.orderId);
      expect((await orderTo(shop, ana, 'GA', more)).data.orderId).toBe(ids.at(-1));
    }
    expect(new Set(ids).size).toBe(4);
  });
});

describe("a code's use", () => {
  test('is returned by an order that ends unpaid, and kept by the one that replaces it', async () => {
    const discountCode = await makeCode(shop, { maxUses: 1 });
    const [ana, ben] = [await shopper(), await shopper()];
    const first = await placedOrder(shop, ana, { ...delivery, discountCode });
    const second = await placedOrder(shop, ana, { ...delivery, discountCode, deliveryNote: 'Ring twice' });
    expect(await statusOf(shop, first.orderId)).toBe('CANCELLED');
    expect((await orderTo(shop, ben, 'GA', { discountCode })).code).toBe('discount_used_up');
    await shop.control('expire', { session: second.sessionId });
    await until(async () => expect(await statusOf(shop, second.orderId)).toBe('CANCELLED'));
    expect((await orderTo(shop, ben, 'GA', { discountCode })).status).toBe(201);
  });

  test('goes to exactly one of eight buyers who want the last one', async () => {
    const discountCode = await makeCode(shop, { maxUses: 1 });
    const { id } = await shop.stock({ quantity: 100 });
    const buyers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const person = await shop.signIn();
        await putInCart(shop, person, id);
        return person;
      }),
    );
    const placed = await Promise.all(buyers.map((buyer) => orderTo(shop, buyer, 'GA', { discountCode })));
    expect(placed.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(placed.filter(({ code }) => code === 'discount_used_up')).toHaveLength(7);
  });
});
