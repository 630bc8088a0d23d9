import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { categories, orders, products } from '../../../src/server/db/schema/tables';
import { buy, checkBooks, ledger } from '../../support/buying';
import { moveStock } from '../../support/catalog';
import { multipart } from '../../support/multipart';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const dayMs = 86_400_000;
const own = ({ userId }: Person) => ({ userId });
const add = (as: Person, productId: string, key: string, quantity = 1) =>
  shop.call('addCartItem', { as, path: own(as), key, body: { productId, quantity } });
const unitsIn = async (as: Person) =>
  (await shop.call('getCart', { as, path: own(as) })).data.cartResponse.cartItems.map(({ quantity }) => quantity);
const reused = { status: 422, code: 'idempotency_key_reused' };

describe('the same key and request', () => {
  test('gets the same response, and is done once', async () => {
    const [ana, pepper, key] = [await shop.signIn(), await shop.stock(), randomUUID()];
    const first = await add(ana, pepper.id, key, 2);
    await add(ana, pepper.id, randomUUID(), 3);
    const again = await add(ana, pepper.id, key, 2);
    expect(again.body).toEqual(first.body); // the state of that time
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect(await unitsIn(ana)).toEqual([5]);
  });

  test('twenty times at the same time, is done once too', async () => {
    const [ana, pepper, key] = [await shop.signIn(), await shop.stock(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(ana, pepper.id, key)));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await unitsIn(ana)).toEqual([1]);
  });

  test('keeps the status of a creation', async () => {
    const [admin, key] = [await shop.signIn({ role: 'ROLE_ADMIN' }), randomUUID()];
    const create = () => shop.call('createCategory', { as: admin, key, body: { name: 'teas', description: 'Teas' } });
    const [first, again] = [await create(), await create()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(await shop.db.select().from(categories).where(eq(categories.name, 'teas'))).toHaveLength(1);
  });

  test('creates one product of a form', async () => {
    const [admin, key] = [await shop.signIn({ role: 'ROLE_ADMIN' }), randomUUID()];
    const { id: categoryId } = await shop.category();
    const fields = { name: 'Cumin', description: 'Whole', price: '4.35', availability: 'true', quantity: '5' };
    const create = (price: string) => {
      const form = multipart({ ...fields, category: categoryId, price });
      return shop.call('createProduct', { as: admin, key, path: { categoryId }, ...form });
    };
    const made = await Promise.all([create('4.35'), create('4.35')]);
    expect(made[0].body).toEqual(made[1].body);
    expect(await create('4.36')).toMatchObject(reused);
    expect(await shop.db.select().from(products).where(eq(products.categoryId, categoryId))).toHaveLength(1);
  });

  test('is recognized in capitals, and with the fields in another order', async () => {
    const [ana, { id: productId }, key] = [await shop.signIn(), await shop.stock(), randomUUID()];
    await add(ana, productId, key, 2);
    const body = { quantity: 2, productId };
    const again = await shop.call('addCartItem', { as: ana, path: own(ana), key: key.toUpperCase(), body });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await unitsIn(ana)).toEqual([2]);
  });

  test('by two customers is two requests', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    const [pepper, key] = [await shop.stock(), randomUUID()];
    for (const person of [ana, ben]) {
      expect((await add(person, pepper.id, key)).headers['idempotency-replayed']).toBeUndefined();
      expect(await unitsIn(person)).toEqual([1]);
    }
  });
});

describe('the same key with another request', () => {
  test('is rejected, whatever differs', async () => {
    const [ana, pepper, cumin] = [await shop.signIn(), await shop.stock(), await shop.stock()];
    const key = randomUUID();
    await add(ana, pepper.id, key, 2);
    expect(await add(ana, pepper.id, key, 3)).toMatchObject(reused);
    expect(await add(ana, cumin.id, key, 2)).toMatchObject(reused);
    expect(await shop.call('clearCart', { as: ana, path: own(ana), key })).toMatchObject(reused);
    const body = { productId: pepper.id, change: 2 };
    expect(await shop.call('updateCartItem', { as: ana, key, body })).toMatchObject(reused);
    expect(await unitsIn(ana)).toEqual([2]);
  });

  test('is rejected for another line in the path', async () => {
    const [ana, key] = [await shop.signIn(), randomUUID()];
    for (const product of [await shop.stock(), await shop.stock()]) await add(ana, product.id, randomUUID());
    const { cartItems } = (await shop.call('getCart', { as: ana, path: own(ana) })).data.cartResponse;
    const remove = (cartItemId = '') =>
      shop.call('removeCartItem', { as: ana, key, path: { ...own(ana), cartItemId } });
    expect((await remove(cartItems[0]?.id)).status).toBe(200);
    expect((await remove(cartItems[0]?.id)).status).toBe(200);
    expect(await remove(cartItems[1]?.id)).toMatchObject(reused);
  });

  test('at the same time: one of the two is done', async () => {
    const [ana, pepper, key] = [await shop.signIn(), await shop.stock(), randomUUID()];
    const answers = await Promise.all([add(ana, pepper.id, key, 1), add(ana, pepper.id, key, 2)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
  });
});

test('an error is not stored: the same key is tried again', async () => {
  const [ana, pepper, key] = [await shop.signIn(), await shop.stock({ quantity: 1 }), randomUUID()];
  expect(await add(ana, pepper.id, key, 2)).toMatchObject({ status: 409, code: 'not_enough_stock' });
  await moveStock(shop.db, pepper.id, 5);
  expect((await add(ana, pepper.id, key, 2)).status).toBe(200);
  expect((await add(ana, pepper.id, key, 2)).headers['idempotency-replayed']).toBe('true');
});

test.each(['1', '', 'no-uuid', `urn:uuid:${randomUUID()}`, `${randomUUID()}, ${randomUUID()}`, `${randomUUID()}0`])(
  'the key %j is rejected',
  async (key) => {
    const [ana, pepper] = [await shop.signIn(), await shop.stock()];
    const path = own(ana);
    const body = { productId: pepper.id };
    const refused = await shop.call('addCartItem', { as: ana, path, headers: { 'idempotency-key': key }, body });
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ field: 'idempotency-key' }] });
    expect(await unitsIn(ana)).toEqual([]);
  },
);

describe('an order placed with a key', () => {
  const deliveryAddress = { street: '1 Main Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const place = (as: Person, key: string, customer = 'Ana') =>
    shop.call('placeOrder', {
      as,
      key,
      path: { userId: as.userId, cartId: as.cartId },
      body: { customer, deliveryAddress },
    });

  test('is one order for duplicates, and the same response after it was paid', async () => {
    const [ana, key] = [await shop.signIn(), randomUUID()];
    expect(await place(ana, key)).toMatchObject({ status: 409, code: 'cart_empty' });
    await add(ana, (await shop.stock()).id, randomUUID());
    const [first, twin] = await Promise.all([place(ana, key), place(ana, key)]);
    expect([first.status, twin.body]).toEqual([201, first.body]);
    await buy(shop, { sessionId: /cs_test_\w+/.exec(first.data.paymentUrl)?.[0] ?? '' });
    const late = await place(ana, key);
    expect([late.status, late.body]).toEqual([201, first.body]);
    expect(await place(ana, key, 'Ben')).toMatchObject(reused);
    expect(await shop.db.select().from(orders).where(eq(orders.userId, ana.userId))).toHaveLength(1);
  });

  test('is the waiting order, when the provider was down at the first attempt', async () => {
    const [ana, key] = [await shop.signIn(), randomUUID()];
    await add(ana, (await shop.stock()).id, randomUUID());
    await shop.control('fault', { next: 1, kind: '500' });
    expect(await place(ana, key)).toMatchObject({ status: 502 });
    const placed = await place(ana, key);
    expect(placed.status).toBe(201);
    const { sessions } = await ledger(shop);
    expect(placed.data.paymentUrl).toContain(sessions.at(-1)?.id);
    expect(await shop.db.select().from(orders).where(eq(orders.userId, ana.userId))).toHaveLength(1);
  });
});

test('a key is stored for thirty days, and deleted some days later', async () => {
  const [ana, { id: productId }, key] = [await shop.signIn(), await shop.stock(), randomUUID()];
  await add(ana, productId, key);
  shop.clock.advance(30 * dayMs);
  await shop.jobs.deleteOldRows();
  expect((await add(await shop.again(ana), productId, key)).headers['idempotency-replayed']).toBe('true');
  shop.clock.advance(6 * dayMs);
  await shop.jobs.deleteOldRows();
  const later = await shop.again(ana);
  expect((await add(later, productId, key)).headers['idempotency-replayed']).toBeUndefined();
  expect(await unitsIn(later)).toEqual([2]);
});
