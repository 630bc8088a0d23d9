/** Changes of a cart: as another device makes them, and as this one does, through its outbox. */
import { lineId } from '../../../src/shared/cart';
import { outbox } from '../../../src/web/outbox/outbox';
import type { Person, TestShop } from '../../support/shop';
import { type Tab, until } from '../openTab';

/** @param shop is read at each call: a test file opens it later */
export function cartsOf(shop: () => TestShop) {
  const cartOf = async (person: Person) =>
    (await shop().call('getCart', { as: person, path: { userId: person.userId } })).data.cartResponse;
  const unitsOf = async (person: Person) =>
    Object.fromEntries((await cartOf(person)).cartItems.map(({ productName, quantity }) => [productName, quantity]));
  const addTo = (person: Person, product: { id: string }, quantity = 1) =>
    shop().call('addCartItem', {
      as: person,
      path: { userId: person.userId },
      body: { productId: product.id, quantity },
    });
  return { cartOf, unitsOf, addTo };
}

export const wish = ({ userId }: Person, product: { id: string; name?: string }, quantity = 1) =>
  outbox.send('addCartItem', { userId, item: { productId: product.id, name: product.name ?? '', quantity } });
export const plus = ({ userId }: Person, product: { id: string }, change = 1) =>
  outbox.send('updateCartItem', { userId, update: { productId: product.id, change } });
export const remove = ({ userId }: Person, product: { id: string }) =>
  outbox.send('removeCartItem', { userId, cartItemId: lineId(userId, product.id) });

export function bringBack({ network }: Tab): void {
  network.isDown = false;
  window.dispatchEvent(new Event('online'));
}
export const sentOut = (person: Person) => until(() => outbox.waiting(person.userId).length === 0);
