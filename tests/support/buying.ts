/** Helpers for tests that buy. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { expect, vi } from 'vitest';
import { holds, orders, products } from '../../src/server/db/schema/tables';
import { findBreaches, type Ledger } from './books';
import type { NewPerson, NewProduct, Person, TestShop } from './shop';

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

/** A new customer with an unpaid order of one line. */
export async function openOrder(
  shop: TestShop,
  product: NewProduct = {},
  quantity = 1,
  customer: NewPerson = {},
): Promise<Order & { as: Person }> {
  const person = await shop.signIn(customer);
  const { id } = await shop.stock(product);
  await putInCart(shop, person, id, quantity);
  return { ...(await placedOrder(shop, person)), as: person };
}

/** Puts one unit each of many new, sold-out products into the cart with one statement. */
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
 * Pays at the provider, and waits until the first delivery of each event was made or dropped.
 * @param isDelivered false while deliveries are held
 */
export async function buy(shop: TestShop, { sessionId }: Pick<Order, 'sessionId'>, isDelivered = true): Promise<void> {
  await shop.control('pay', { session: sessionId });
  if (!isDelivered) return;
  for (const end = Date.now() + 60_000; ;) {
    await pause(20); // the ledger is long, so it is not read before a delivery can be done
    const { sessions, events, deliveries } = await ledger(shop);
    const about = [sessionId, sessions.find(({ id }) => id === sessionId)?.payment_intent];
    const itsOwn = events.filter(({ data: { object } }) =>
      [object.id, object.payment_intent].some((id) => id && about.includes(id)),
    );
    const begun = new Set(deliveries.filter(({ attempts }) => attempts > 0).map(({ id }) => id));
    const isPaid = itsOwn.some(({ type }) => type === 'checkout.session.completed');
    if (isPaid && itsOwn.every(({ id }) => begun.has(id))) return;
    if (Date.now() > end) throw new Error('the provider did not notify the shop of the payment');
  }
}

/** A new customer with one line, ordered and paid. */
export async function paidOrder(shop: TestShop, product: NewProduct = {}, quantity = 1, customer: NewPerson = {}) {
  const order = await openOrder(shop, product, quantity, customer);
  await buy(shop, order);
  return order;
}

/** Retries `work` until it succeeds, for as long as a busy machine may take. */
export const until = <Found>(work: () => Promise<Found>): Promise<Found> =>
  vi.waitFor(work, { timeout: 60_000, interval: 20 });

/** A webhook call of the provider with an event about an object. */
export function deliverEvent(
  shop: TestShop,
  type: string,
  object: object,
  { id = `evt_${randomUUID()}`, livemode = false } = {},
) {
  return deliver(shop, JSON.stringify({ id, object: 'event', type, livemode, data: { object } }));
}

/** The same with the event as text. */
export function deliver(shop: TestShop, payload: string) {
  const headers = { 'content-type': 'application/json', 'stripe-signature': signatureOf(shop, payload) };
  return shop.call('receivePaymentEvent', { headers, body: payload });
}

/** The provider's signature of an event at this moment. */
export const signatureOf = (shop: TestShop, payload: string): string =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: shop.sandboxKeys.webhookSecret,
    timestamp: Math.floor(shop.clock.now().getTime() / 1000),
  });

export const ledger = async (shop: TestShop): Promise<Ledger> => (await shop.control('ledger')) as Ledger;

/** Refunds of an order, as the provider has them. */
export const sessionsOf = async (shop: TestShop, orderId: string) =>
  (await ledger(shop)).sessions.filter((session) => session.client_reference_id === orderId);

/** The steps of an order, as its customer sees them. */
export async function timelineOf(shop: TestShop, { orderId, as }: { orderId: string; as: Person }) {
  const read = await shop.call('getOrder', { as: await shop.again(as), path: { orderId } });
  return read.data.orderResponse.timeline.map(({ status }) => status);
}

/** Expects the shop's books to agree with each other and with the provider's, over everything a test file did. */
export async function checkBooks(shop: TestShop): Promise<void> {
  expect(await findBreaches({ pool: shop.pool, ledger: await ledger(shop) })).toEqual([]);
}

/** A new customer with `quantity` units of each given product in the cart. */
export async function shopperWith(shop: TestShop, quantity: number, ...stocked: { id: string }[]): Promise<Person> {
  const person = await shop.signIn();
  for (const { id } of stocked) await putInCart(shop, person, id, quantity);
  return person;
}

export async function putInCart(shop: TestShop, person: Person, productId: string, quantity = 1): Promise<void> {
  const path = { userId: person.userId };
  const added = await shop.call('addCartItem', { as: person, path, body: { productId, quantity } });
  expect(added.status).toBe(200);
}

/** Orders the contents of the cart. */
export async function placedOrder(shop: TestShop, person: Person, body: object = delivery): Promise<Order> {
  const placed = await placeOrder(shop, person, body);
  expect(placed.message).toBe('Order created successfully');
  const sessionId = /cs_test_\w+/.exec(placed.data.paymentUrl)?.[0] ?? '';
  return { ...placed.data, sessionId, userId: person.userId, cartId: person.cartId };
}

/** Makes the customer look like one whose earlier orders expired unpaid. */
export async function endUnpaid(shop: TestShop, { userId }: Person, before = 0): Promise<void> {
  const until = shop.clock.now();
  await shop.db.update(holds).set({ until, unpaidEnds: before }).where(eq(holds.userId, userId));
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
