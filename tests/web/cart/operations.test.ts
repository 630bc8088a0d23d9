// @vitest-environment node
import { expect, test } from 'vitest';
import { type CartChange, lineId } from '../../../src/shared/cart';
import { isAbout } from '../../../src/web/cart/lineState';
import { operations } from '../../../src/web/app/operations';
import { joinBy } from '../../../src/web/outbox/storage';

const userId = '6f1c2a34-8b1d-4c57-9e21-5a0b3c7d9e10';
const pepperId = '9d2e7b14-6c8f-4e03-b5a1-3f7c9e0d2b68';
const cloveId = '1e5f8c27-3a9b-4d60-8f12-6b4c7d9e0a35';

const step = (change: number, productId = pepperId): CartChange => ({
  operation: 'updateCartItem',
  input: { userId, update: { productId, change } },
});
const add = (productId: string, quantity: number): CartChange => ({
  operation: 'addCartItem',
  input: { userId, item: { productId, quantity } },
});
const setTo = (quantity: number): CartChange => ({
  operation: 'updateCartItem',
  input: { userId, update: { cartItemId: lineId(userId, pepperId), quantity } },
});
const clear: CartChange = { operation: 'clearCart', input: { userId } };

test.each<[string, CartChange, CartChange, CartChange | undefined]>([
  ['plus and plus', step(1), step(2), step(3)],
  ['minus and minus', step(-1), step(-1), step(-2)],
  ['plus and minus', step(1), step(-1), undefined],
  ['plus of two products', step(1), step(1, cloveId), undefined],
  ['more than one call may carry', step(60), step(40), undefined],
  ['two additions', add(pepperId, 1), add(pepperId, 2), add(pepperId, 3)],
  ['more additions than a line takes', add(pepperId, 60), add(pepperId, 40), undefined],
  ['an addition and a plus', add(pepperId, 1), step(1), undefined],
  ['two quantities, of which the last counts', setTo(3), setTo(5), setTo(5)],
  ['a quantity and a plus', setTo(3), step(1), undefined],
  ['clearing twice', clear, clear, undefined],
])('%s: as one change or as two', (_, earlier, later, one) => {
  const made = { key: 'made', userId, state: 'waiting' as const, wasSent: false, madeAt: 0 };
  const last = { ...made, ...earlier, order: 1 };
  expect(joinBy(operations)(last, { ...made, ...later })).toEqual(one && { ...last, ...one });
});

test('a change belongs to the line of its product, and clearing to none', () => {
  const remove: CartChange = { operation: 'removeCartItem', input: { userId, cartItemId: lineId(userId, pepperId) } };
  for (const change of [step(1), add(pepperId, 1), setTo(2), remove]) {
    expect(isAbout(change, pepperId)).toBe(true);
    expect(isAbout(change, cloveId)).toBe(false);
  }
  expect(isAbout(clear, pepperId)).toBe(false);
});
