import { expect, test } from 'vitest';
import { type CartChange, countUnits, lineId, subtotalCents, withChange, withServerLine } from '../../src/shared/cart';
import { noticeSentence } from '../../src/shared/cartNotice';
import type { Schema } from '../../src/shared/contract';

const userId = '6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10';
const pepperId = '9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68';
const cloveId = '1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35';

function line(productId: string, facts: Partial<Schema<'CartItem'>> = {}): Schema<'CartItem'> {
  const id = lineId(userId, productId);
  const price = facts.price ?? 4.35;
  const quantity = facts.quantity ?? 1;
  return {
    id,
    cartItemId: id,
    productId,
    productName: 'Black pepper',
    price,
    quantity,
    totalPrice: price * quantity,
    imageUrl: null,
    currentPrice: price,
    available: true,
    stock: 20,
    notice: null,
    ...facts,
  };
}

function cartOf(...cartItems: Schema<'CartItem'>[]): Schema<'Cart'> {
  return { cartId: '0b7e5d92-4f6a-4a83-8c1e-2d9f6b3a7c45', cartItems, totalAmount: subtotalCents(cartItems) / 100 };
}

const step = (change: number, productId = pepperId): CartChange => ({
  operation: 'updateCartItem',
  input: { userId, update: { productId, change } },
});

test('a line of the same user and product has the same id everywhere, and a unique one', () => {
  expect(lineId(userId, pepperId)).toBe(lineId(userId, pepperId));
  expect(lineId(userId, pepperId)).not.toBe(lineId(userId, cloveId));
  expect(lineId(cloveId, pepperId)).not.toBe(lineId(userId, pepperId));
});

test('the subtotal loses no cent', () => {
  expect(
    subtotalCents([line(pepperId, { price: 0.1, quantity: 3 }), line(cloveId, { price: 1.15, quantity: 3 })]),
  ).toBe(375);
});

test('the badge counts units, not lines', () => {
  expect(countUnits(cartOf(line(pepperId, { quantity: 2 }), line(cloveId)))).toBe(3);
});

test('a product that is added again increases its line', () => {
  const added = withChange(cartOf(line(pepperId, { quantity: 2 })), {
    operation: 'addCartItem',
    input: { userId, item: { productId: pepperId, quantity: 1 } },
  });
  expect(added.cartItems).toMatchObject([{ quantity: 3, totalPrice: 13.05 }]);
  expect(added.totalAmount).toBe(13.05);
});

test('a new product gets the line that the server will give it', () => {
  const item = { productId: cloveId, quantity: 2, name: 'Cloves', price: 6.2, image: '/pictures/abc-640.webp' };
  const added = withChange(cartOf(), { operation: 'addCartItem', input: { userId, item } });
  expect(added.cartItems).toMatchObject([
    { id: lineId(userId, cloveId), productName: 'Cloves', quantity: 2, totalPrice: 12.4, imageUrl: item.image },
  ]);
});

test('a removed product returns to its old position', () => {
  const [first, later] = ['2026-11-28T09:00:00.000Z', '2026-11-28T09:05:00.000Z'];
  const cart = cartOf(line(cloveId, { addedAt: later }), line(lineId(userId, cloveId)));
  const item = { productId: pepperId, quantity: 1 };
  const placeOf = (addedAt?: string) =>
    withChange(cart, {
      operation: 'addCartItem',
      input: { userId, item: { ...item, ...(addedAt && { addedAt }) } },
    }).cartItems.findIndex(({ productId }) => productId === pepperId);
  expect([placeOf(first), placeOf('2026-11-28T09:09:00.000Z'), placeOf()]).toEqual([0, 1, 2]);
});

test('plus and minus change the quantity', () => {
  const cart = cartOf(line(pepperId, { quantity: 2 }));
  expect(withChange(cart, step(1)).cartItems[0]?.quantity).toBe(3);
  expect(withChange(cart, step(-1)).cartItems[0]?.quantity).toBe(1);
});

test('minus on the last unit removes the item', () => {
  expect(withChange(cartOf(line(pepperId)), step(-1)).cartItems).toEqual([]);
});

test('minus on a removed line does nothing', () => {
  const cart = cartOf(line(pepperId));
  expect(withChange(cart, step(-1, cloveId)).cartItems).toHaveLength(1);
});

test('remove takes one line, clear takes all', () => {
  const cart = cartOf(line(pepperId), line(cloveId));
  const removed = withChange(cart, {
    operation: 'removeCartItem',
    input: { userId, cartItemId: lineId(userId, pepperId) },
  });
  expect(removed.cartItems.map((each) => each.productId)).toEqual([cloveId]);
  expect(withChange(cart, { operation: 'clearCart', input: { userId } })).toMatchObject({
    cartItems: [],
    totalAmount: 0,
  });
});

test('setting the same quantity accepts a changed price', () => {
  const changed = line(pepperId, { notice: 'price_changed', currentPrice: 5, quantity: 2 });
  const kept = withChange(cartOf(changed), {
    operation: 'updateCartItem',
    input: { userId, update: { cartItemId: changed.id, quantity: 2 } },
  });
  expect(kept.cartItems).toMatchObject([{ price: 5, totalPrice: 10, notice: null }]);
});

test.each([
  [2, null, true],
  [3, 'not_enough_stock', false],
])('for a product with two left, %i in the cart have the notice %s', (quantity, notice, available) => {
  const short = line(pepperId, { notice: 'not_enough_stock', available: false, stock: 2, quantity: 5 });
  const settled = withChange(cartOf(short), {
    operation: 'updateCartItem',
    input: { userId, update: { cartItemId: short.id, quantity } },
  });
  expect(settled.cartItems).toMatchObject([{ quantity, notice, available }]);
});

test('a change does not modify the cart it was given', () => {
  const cart = cartOf(line(pepperId));
  const before = structuredClone(cart);
  withChange(cart, step(1));
  expect(cart).toEqual(before);
});

test("the server's line replaces ours, returns if it was removed, and goes when it is null", () => {
  const cart = cartOf(line(pepperId));
  const served = line(pepperId, { quantity: 7 });
  expect(withServerLine(cart, pepperId, served).cartItems).toMatchObject([{ quantity: 7 }]);
  expect(withServerLine(cartOf(), pepperId, served).totalAmount).toBe(30.45);
  expect(withServerLine(cart, served.id, null).cartItems).toEqual([]);
});

test.each([
  [{ notice: 'price_changed', price: 4.35, currentPrice: 5 }, 'Now $5.00 (was $4.35)'],
  [{ notice: 'out_of_stock' }, 'Sold out'],
  [{ notice: 'archived' }, 'This product is no longer sold'],
  [{ notice: 'not_enough_stock', stock: 2 }, 'Only 2 left'],
] as const)('a line with %o says why it cannot be ordered', (facts, sentence) => {
  expect(noticeSentence(line(pepperId, facts))).toBe(sentence);
});

test('a line that can be ordered has no error', () => {
  expect(noticeSentence(line(pepperId))).toBeNull();
});
