import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { lineId } from '../../../src/shared/cart';
import { placeOrder, cartOf } from '../../support/buying';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const add = (as: Person, body: object) => shop.call('addCartItem', { as, path: { userId: as.userId }, body });
const put = (as: Person, productId: string, quantity: number) => add(as, { productId, quantity });
const change = (as: Person, productId: string, by: number) =>
  shop.call('updateCartItem', { as, body: { productId, change: by } });
const set = (as: Person, productId: string, quantity: number) =>
  shop.call('updateCartItem', { as, body: { cartItemId: lineId(as.userId, productId), quantity } });
const remove = (as: Person, cartItemId: string) =>
  shop.call('removeCartItem', { as, path: { userId: as.userId, cartItemId } });
const clear = (as: Person) => shop.call('clearCart', { as, path: { userId: as.userId } });
const unitsIn = async (as: Person) => (await cartOf(shop, as)).cartItems.map(({ quantity }) => quantity);
const changeProduct = (id: string, to: Partial<typeof products.$inferInsert>) =>
  shop.db.update(products).set(to).where(eq(products.id, id));

describe('the cart', () => {
  test('exists with the account, starts empty, and stays the same one', async () => {
    const ana = await shop.signIn();
    expect(await cartOf(shop, ana)).toEqual({ cartId: ana.cartId, cartItems: [], totalAmount: 0 });
    await put(ana, (await shop.stock()).id, 1);
    expect((await clear(ana)).data.cartResponse).toEqual({ cartId: ana.cartId, cartItems: [], totalAmount: 0 });
  });

  test('sums to the cent where floating point would not', async () => {
    const ana = await shop.signIn();
    for (const priceCents of [10, 20, 435]) await put(ana, (await shop.stock({ priceCents })).id, 3);
    const cart = await cartOf(shop, ana);
    expect(cart.cartItems.map(({ totalPrice }) => totalPrice)).toEqual([0.3, 0.6, 13.05]);
    expect(cart.totalAmount).toBe(13.95);
  });

  test('sums the most expensive cart possible', async () => {
    const ana = await shop.signIn();
    for (let line = 0; line < 3; line++)
      await put(ana, (await shop.stock({ priceCents: 9_999_999, quantity: 99 })).id, 99);
    expect((await cartOf(shop, ana)).totalAmount).toBe(29_699_997.03);
  });

  test('takes price, name and picture from the product, whatever a client sends', async () => {
    const ana = await shop.signIn();
    const { id: productId } = await shop.stock({ priceCents: 450, name: 'Black pepper' });
    const sent = { productId, quantity: 2, name: 'Free pepper', price: 0.01, image: 'https://evil.test/x.png' };
    expect((await add(ana, sent)).data.cartResponse).toMatchObject({
      cartItems: [{ productName: 'Black pepper', price: 4.5, totalPrice: 9, imageUrl: null }],
      totalAmount: 9,
    });
  });

  test('has one line per product, under an id derived from the user and the product', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    const pepper = await shop.stock();
    await put(ana, pepper.id, 1);
    await put(ben, pepper.id, 1);
    expect((await put(ana, pepper.id, 2)).data.cartResponse.cartItems).toMatchObject([
      { id: lineId(ana.userId, pepper.id), cartItemId: lineId(ana.userId, pepper.id), quantity: 3 },
    ]);
    expect((await cartOf(shop, ben)).cartItems).toMatchObject([{ id: lineId(ben.userId, pepper.id), quantity: 1 }]);
  });

  test("accepts a product's id in capitals too", async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock();
    const inCapitals = pepper.id.toUpperCase();
    expect((await put(ana, inCapitals, 3)).data.cartResponse.cartItems[0]?.id).toBe(lineId(ana.userId, pepper.id));
    expect((await change(ana, inCapitals, 1)).data.cartItem?.quantity).toBe(4);
    expect((await change(ana, inCapitals, -2)).data.cartItem?.quantity).toBe(2);
  });

  test('adds one unit when no quantity is given', async () => {
    const ana = await shop.signIn();
    await add(ana, { productId: (await shop.stock()).id });
    expect(await unitsIn(ana)).toEqual([1]);
  });
});

describe('a cart line can be changed', () => {
  test('to a quantity, which is set, or by a difference, which is added', async () => {
    const { ana, pepper } = await withPepper(3);
    expect((await set(ana, pepper.id, 7)).data.cartItem).toMatchObject({ quantity: 7, totalPrice: 31.5 });
    expect((await change(ana, pepper.id, 2)).data.cartItem).toMatchObject({ quantity: 9, totalPrice: 40.5 });
    expect((await change(ana, pepper.id, -4)).data.cartItem).toMatchObject({ quantity: 5, totalPrice: 22.5 });
  });

  test.each([-3, -4, -99])('by %i of 3 units, and is gone', async (by) => {
    const { ana, pepper } = await withPepper(3);
    expect(await change(ana, pepper.id, by)).toMatchObject({ status: 200, data: { cartItem: null } });
    expect(await unitsIn(ana)).toEqual([]);
  });

  test('after it was removed: an increase restores it, a decrease does nothing, a quantity is rejected', async () => {
    const { ana, pepper } = await withPepper(3);
    await remove(ana, lineId(ana.userId, pepper.id));
    expect(await set(ana, pepper.id, 2)).toMatchObject({ status: 404, code: 'cart_item_not_found' });
    expect(await change(ana, pepper.id, -1)).toMatchObject({ status: 200, data: { cartItem: null } });
    expect((await change(ana, pepper.id, 1)).data.cartItem).toMatchObject({ quantity: 1 });
  });

  test('after it was removed: it returns to its old position, but never to a future one', async () => {
    const ana = await shop.signIn();
    const [one, other] = [await shop.stock(), await shop.stock()];
    await put(ana, one.id, 2);
    await put(ana, other.id, 1);
    const [{ id, addedAt } = { id: '', addedAt: '' }] = (await cartOf(shop, ana)).cartItems;
    await remove(ana, id);
    const order = async () => (await cartOf(shop, ana)).cartItems.map(({ productId }) => productId);
    await add(ana, { productId: one.id, quantity: 2, addedAt });
    expect(await order()).toEqual([one.id, other.id]);
    expect((await cartOf(shop, ana)).cartItems[0]).toMatchObject({ quantity: 2, addedAt });
    await remove(ana, id);
    await add(ana, { productId: one.id, addedAt: '2999-01-01T00:00:00Z' });
    expect(await order()).toEqual([other.id, one.id]);
  });

  test('to more than 99 in all, which is rejected', async () => {
    const { ana, pepper } = await withPepper(98, { quantity: 500 });
    const refused = { status: 409, code: 'too_many_units' };
    expect(await change(ana, pepper.id, 2)).toMatchObject(refused);
    expect(await put(ana, pepper.id, 2)).toMatchObject(refused);
    expect((await change(ana, pepper.id, 1)).data.cartItem?.quantity).toBe(99);
  });

  test('to more than is in stock, which is rejected with what is left', async () => {
    const { ana, pepper } = await withPepper(2, { quantity: 4 });
    const refused = { status: 409, code: 'not_enough_stock', message: 'Only 4 left' };
    expect(await put(ana, pepper.id, 3)).toMatchObject(refused);
    expect(await change(ana, pepper.id, 3)).toMatchObject(refused);
    expect(await set(ana, pepper.id, 5)).toMatchObject(refused);
    expect(await unitsIn(ana)).toEqual([2]);
  });

  test('after its price changed, which confirms the current price; so does the same quantity', async () => {
    const { ana, pepper } = await withPepper(2);
    const roads = [() => set(ana, pepper.id, 2), () => change(ana, pepper.id, 1), () => change(ana, pepper.id, -1)];
    for (const [index, road] of [...roads, () => put(ana, pepper.id, 1)].entries()) {
      const priceCents = 500 + index;
      await changeProduct(pepper.id, { priceCents });
      expect((await cartOf(shop, ana)).cartItems).toMatchObject([
        { notice: 'price_changed', available: true, currentPrice: priceCents / 100 },
      ]);
      await road();
      expect((await cartOf(shop, ana)).cartItems).toMatchObject([{ notice: null, price: priceCents / 100 }]);
    }
  });

  test.each([
    ['archived', { archivedAt: new Date() }, 'This product is no longer sold'],
    ['out_of_stock', { availability: false }, 'Out of Stock'],
  ])('for a product that is %s: only to fewer, and it can be removed', async (notice, change_, message) => {
    const { ana, pepper } = await withPepper(2);
    await changeProduct(pepper.id, change_);
    expect((await cartOf(shop, ana)).cartItems).toMatchObject([{ notice, available: false, quantity: 2 }]);
    const refused = { status: 409, code: 'product_unavailable', message };
    for (const answer of [await put(ana, pepper.id, 1), await change(ana, pepper.id, 1), await set(ana, pepper.id, 1)])
      expect(answer).toMatchObject(refused);
    expect((await change(ana, pepper.id, -1)).data.cartItem).toMatchObject({ quantity: 1, notice });
    expect((await remove(ana, lineId(ana.userId, pepper.id))).data.cartResponse.cartItems).toEqual([]);
  });

  test('when it wants more than is left by now, and says so', async () => {
    const { ana, pepper } = await withPepper(5, { quantity: 5 });
    const ben = await shop.signIn();
    await put(ben, pepper.id, 2);
    await placeOrder(shop, ben);
    expect((await cartOf(shop, ana)).cartItems).toMatchObject([{ notice: 'not_enough_stock', stock: 3, quantity: 5 }]);
    expect((await set(ana, pepper.id, 3)).data.cartItem).toMatchObject({ notice: null, quantity: 3 });
  });

  test('while the customer’s open order holds units, which count as stock for that customer alone', async () => {
    const { ana, pepper } = await withPepper(4, { quantity: 5 });
    await placeOrder(shop, ana);
    const ben = await shop.signIn();
    expect(await put(ben, pepper.id, 2)).toMatchObject({ status: 409, message: 'Only 1 left' });
    expect((await change(ana, pepper.id, 1)).data.cartItem).toMatchObject({ quantity: 5, stock: 5, notice: null });
    expect(await change(ana, pepper.id, 1)).toMatchObject({ status: 409, message: 'Only 5 left' });
  });
});

describe('two devices of one customer', () => {
  test('each add one, and two are added', async () => {
    const { ana, pepper } = await withPepper(1);
    await Promise.all([change(ana, pepper.id, 1), change(ana, pepper.id, 1), put(ana, pepper.id, 1)]);
    expect(await unitsIn(ana)).toEqual([4]);
  });

  test('put the same product in an empty cart at the same time, and there is one line', async () => {
    const ana = await shop.signIn();
    for (let round = 0; round < 5; round++) {
      const pepper = await shop.stock();
      const adding = Array.from({ length: 6 }, (_, n) => (n % 2 ? put : change)(ana, pepper.id, 1));
      expect((await Promise.all(adding)).map(({ status }) => status)).toEqual(adding.map(() => 200));
      expect(await unitsIn(ana)).toEqual([6]);
      await clear(ana);
    }
  });

  test('each take one of the last two at the same time, and the line is gone', async () => {
    for (let round = 0; round < 5; round++) {
      const { ana, pepper } = await withPepper(2);
      const taken = await Promise.all([change(ana, pepper.id, -1), change(ana, pepper.id, -1)]);
      expect(taken.map(({ status }) => status)).toEqual([200, 200]);
      expect(await unitsIn(ana)).toEqual([]);
    }
  });

  test('remove and add, clear and add: the operations apply in the order of their arrival', async () => {
    const { ana, pepper } = await withPepper(3);
    await remove(ana, lineId(ana.userId, pepper.id));
    await change(ana, pepper.id, 1);
    expect(await unitsIn(ana)).toEqual([1]);
    await clear(ana);
    await change(ana, pepper.id, 2);
    expect(await unitsIn(ana)).toEqual([2]);
  });

  test('change and clear at the same time: no ghost line is left, and the sum is right', async () => {
    const { ana, pepper } = await withPepper(3);
    const answers = await Promise.all([clear(ana), change(ana, pepper.id, 1), set(ana, pepper.id, 2)]);
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true);
    const { cartItems, totalAmount } = await cartOf(shop, ana);
    expect(cartItems.length).toBeLessThanOrEqual(1);
    expect(totalAmount).toBe(4.5 * (cartItems[0]?.quantity ?? 0));
  });
});

describe('another user’s line', () => {
  test('looks missing, and stays unchanged', async () => {
    const { ana, pepper } = await withPepper(2);
    const ben = await shop.signIn();
    const [foreign, missing] = [lineId(ana.userId, pepper.id), randomUUID()];
    const answersOf = async (cartItemId: string) => [
      await shop.call('updateCartItem', { as: ben, body: { cartItemId, quantity: 9 } }),
      await remove(ben, cartItemId),
      await shop.call('removeCartItem', { as: ben, path: { userId: ana.userId, cartItemId } }),
    ];
    const withoutIds = (answers: { body: object }[]) => answers.map(({ body }) => ({ ...body, requestId: '' }));
    expect(withoutIds(await answersOf(foreign))).toEqual(withoutIds(await answersOf(missing)));
    expect(await unitsIn(ana)).toEqual([2]);
  });
});

/** A customer with this many units of pepper, at $4.50, in the cart. */
async function withPepper(units: number, product: Parameters<TestShop['stock']>[0] = {}) {
  const ana = await shop.signIn();
  const pepper = await shop.stock(product);
  expect((await put(ana, pepper.id, units)).status).toBe(200);
  return { ana, pepper };
}
