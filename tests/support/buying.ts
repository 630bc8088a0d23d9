/** What buying needs in tests. */
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { expect } from 'vitest';
import { orders, products } from '../../src/server/db/schema';
import { findBreaches, type Ledger } from './books';
import type { NewProduct, Person, TestShop } from './shop';

export type Order = { orderId: string; orderNumber: string; sessionId: string; userId: string; cartId: string };

const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
export const delivery = { customer: 'Example Customer', deliveryAddress: address };

export const placeOrder = (shop: TestShop, person: Person, body: object = delivery, key?: string) =>
  shop.call('placeOrder', {
    as: person,
    path: { userId: person.userId, cartId: person.cartId },
    body,
    ...(key && { key }),
  });

/** Somebody new with one line in the cart, who has placed the order and not paid it. */
export async function openOrder(
  shop: TestShop,
  product: NewProduct = {},
  quantity = 1,
): Promise<Order & { as: Person }> {
  const person = await shop.signIn();
  const { id } = await shop.stock(product);
  await putInCart(shop, person, id, quantity);
  return { ...(await placedOrder(shop, person)), as: person };
}

/** Puts one unit each of many new products, all sold out, in the cart at once. */
export async function fillCart(shop: TestShop, { cartId }: Person, lines: number): Promise<void> {
  const { id: categoryId } = await shop.category();
  await shop.pool.query(
    `with made as (
       insert into products (id, category_id, name, description, price_cents, availability, quantity, created_at)
       select gen_random_uuid(), $1, 'Spice ' || n, '', 450, true, 0, $2 from generate_series(1, $3) as n returning id)
     insert into cart_items (id, cart_id, product_id, quantity, confirmed_price_cents, created_at)
     select gen_random_uuid(), $4, id, 1, 450, $2 from made`,
    [categoryId, shop.clock.now(), lines, cartId],
  );
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

/** As the provider signs an event at this moment. */
export const signatureOf = (shop: TestShop, payload: string): string =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: shop.sandboxKeys.webhookSecret,
    timestamp: Math.floor(shop.clock.now().getTime() / 1000),
  });

export const ledger = async (shop: TestShop): Promise<Ledger> => (await shop.control('ledger')) as Ledger;

/** The shop's books agree with themselves and with the provider's, over everything a test file did. */
export async function checkBooks(shop: TestShop): Promise<void> {
  expect(await findBreaches({ pool: shop.pool, ledger: await ledger(shop) })).toEqual([]);
}

export async function putInCart(shop: TestShop, person: Person, productId: string, quantity = 1): Promise<void> {
  const path = { userId: person.userId };
  const added = await shop.call('addCartItem', { as: person, path, body: { productId, quantity } });
  expect(added.status).toBe(200);
}

/** What is in the cart, ordered. */
export async function placedOrder(shop: TestShop, person: Person): Promise<Order> {
  const placed = await placeOrder(shop, person);
  expect(placed.message).toBe('Order created successfully');
  const sessionId = /cs_test_\w+/.exec(placed.data.paymentUrl)?.[0] ?? '';
  return { ...placed.data, sessionId, userId: person.userId, cartId: person.cartId };
}

/** The return page's call. */
export const capture = (
  shop: TestShop,
  as: Person,
  { sessionId, userId, cartId }: Omit<Order, 'orderId' | 'orderNumber'>,
) => shop.call('capturePayment', { as, query: { session_id: sessionId, user_id: userId, cart_id: cartId } });

export const cartOf = async (shop: TestShop, as: Person) =>
  (await shop.call('getCart', { as, path: { userId: as.userId } })).data.cartResponse;
export const quantityOf = async (shop: TestShop, productId: string) =>
  (await shop.db.select().from(products).where(eq(products.id, productId)))[0]?.quantity;
export const statusOf = async (shop: TestShop, orderId: string) =>
  (await shop.db.select().from(orders).where(eq(orders.id, orderId)))[0]?.status;
