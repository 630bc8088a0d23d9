/** What buying needs in tests. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { findBreaches, type Ledger } from './books';
import type { NewProduct, Person, TestShop } from './shop';

export type Order = { orderId: string; orderNumber: string; sessionId: string; userId: string; cartId: string };

const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };

export const placeOrder = (
  shop: TestShop,
  person: Person,
  body: object = { customer: 'Example Customer', deliveryAddress: address },
) => shop.call('placeOrder', { as: person, path: { userId: person.userId, cartId: person.cartId }, body });

/** Somebody new with one line in the cart, who has placed the order and not paid it. */
export async function openOrder(
  shop: TestShop,
  product: NewProduct = {},
  quantity = 1,
): Promise<Order & { as: Person }> {
  const person = await shop.signIn();
  const { id: productId } = await shop.stock(product);
  const path = { userId: person.userId };
  await shop.call('addCartItem', { as: person, path, body: { productId, quantity } });
  const { status, data } = await placeOrder(shop, person);
  expect(status).toBe(201);
  const sessionId = /cs_test_\w+/.exec(data.paymentUrl)?.[0] ?? '';
  return { ...data, sessionId, userId: person.userId, cartId: person.cartId, as: person };
}

/**
 * Pays at the provider, and waits until it has told the shop: its first delivery was made, or dropped on the way.
 * @param isTold false while deliveries are held
 */
export async function buy(shop: TestShop, { sessionId }: Pick<Order, 'sessionId'>, isTold = true): Promise<void> {
  await shop.control('pay', { session: sessionId });
  if (!isTold) return;
  for (const end = Date.now() + 10_000; ; await pause(10)) {
    const { events, deliveries } = await ledger(shop);
    const paid = events.find(({ type, data }) => type === 'checkout.session.completed' && data.object.id === sessionId);
    if (deliveries.some(({ id, attempts }) => id === paid?.id && attempts > 0)) return;
    if (Date.now() > end) throw new Error('the provider did not tell the shop of the payment');
  }
}

export const ledger = async (shop: TestShop): Promise<Ledger> => (await shop.control('ledger')) as Ledger;

/** The shop's books agree with themselves and with the provider's, over everything a test file did. */
export async function checkBooks(shop: TestShop): Promise<void> {
  expect(await findBreaches({ pool: shop.pool, ledger: await ledger(shop) })).toEqual([]);
}
