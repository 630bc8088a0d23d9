import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orders, products } from '../../../src/server/db/schema/tables';
import {
  cartOf,
  delivery,
  fillCart,
  ledger,
  placedOrder,
  placeOrder,
  putInCart,
  quantityOf,
  statusOf,
} from '../../support/buying';
import { openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };

describe('placing an order', () => {
  test('takes the stock, writes the order and returns where to pay', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5, priceCents: 435 });
    await putInCart(shop, ana, pepper.id, 3);
    const placed = await placeOrder(shop, ana);
    expect(placed.status).toBe(201);
    expect(placed.message).toBe('Order created successfully');
    expect(placed.data.paymentUrl).toMatch(/\/c\/pay\/cs_test_/);
    expect(await quantityOf(shop, pepper.id)).toBe(2);
    const order = await shop.call('getOrder', { as: ana, path: { orderId: placed.data.orderId } });
    expect(order.data.orderResponse).toMatchObject({
      orderStatus: 'PENDING_PAYMENT',
      totalAmount: 13.05,
      deliveryAddress: address,
      orderItems: [{ productName: 'Black pepper', quantity: 3, totalPrice: 13.05 }],
      timeline: [{ status: 'PENDING_PAYMENT', by: null }], // who in the shop did something is internal
    });
    expect((await cartOf(shop, ana)).cartItems).toHaveLength(1);
  });

  test('with the same click again returns the same order and page', async () => {
    const ana = await shop.signIn();
    await putInCart(shop, ana, (await shop.stock()).id);
    const [first, second, third] = await Promise.all([
      placeOrder(shop, ana),
      placeOrder(shop, ana),
      placeOrder(shop, ana),
    ]);
    expect([second.data, third.data]).toEqual([first.data, first.data]);
    const sessions = (await ledger(shop)).sessions.filter(
      (session) => session.client_reference_id === first.data.orderId,
    );
    expect(sessions).toHaveLength(1);
  });

  test('with a changed cart replaces the unpaid order, at the provider first', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5 });
    await putInCart(shop, ana, pepper.id, 4);
    const older = await placeOrder(shop, ana);
    await putInCart(shop, ana, pepper.id, 1); // five in all, of which the customer's order holds four
    const newer = await placeOrder(shop, ana);
    expect(newer.status).toBe(201);
    expect(newer.data.orderId).not.toBe(older.data.orderId);
    expect(await statusOf(shop, older.data.orderId)).toBe('CANCELLED');
    expect(await quantityOf(shop, pepper.id)).toBe(0);
    const { sessions } = await ledger(shop);
    expect(sessions.find(({ client_reference_id: id }) => id === older.data.orderId)?.status).toBe('expired');
  });

  test('replaces nothing whose page can still be paid', async () => {
    const ana = await shop.signIn();
    await putInCart(shop, ana, (await shop.stock({ quantity: 5 })).id, 3);
    const first = await placedOrder(shop, ana);
    const ending = `POST /v1/checkout/sessions/${first.sessionId}/expire`;
    await shop.control('fault', { next: 1, kind: '400', on: ending });
    const other = { ...delivery, customer: 'Example Other' };
    expect(await placeOrder(shop, ana, other)).toMatchObject({ status: 502, code: 'payment_unavailable' });
    expect(await statusOf(shop, first.orderId)).toBe('PENDING_PAYMENT');
    expect((await placeOrder(shop, ana, other)).status).toBe(201);
    expect(await statusOf(shop, first.orderId)).toBe('CANCELLED');
    expect((await shop.payments.findSession(first.sessionId))?.status).toBe('expired');
  });

  test('takes all lines or none, and names the product that is short', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    const plenty = await shop.stock({ name: 'Cumin', quantity: 50 });
    const last = await shop.stock({ name: 'Saffron', quantity: 2 });
    for (const person of [ana, ben]) {
      await putInCart(shop, person, plenty.id, 2);
      await putInCart(shop, person, last.id, 2);
    }
    expect((await placeOrder(shop, ana)).status).toBe(201);
    const refused = await placeOrder(shop, ben);
    expect(refused).toMatchObject({ status: 409, code: 'line_unavailable' });
    expect(refused.message).toContain('Saffron');
    expect(await quantityOf(shop, plenty.id)).toBe(48);
  });

  test('twenty buyers of the last unit: one gets it', async () => {
    const saffron = await shop.stock({ name: 'Saffron', quantity: 1 });
    const buyers = await Promise.all(Array.from({ length: 20 }, () => shop.signIn()));
    for (const buyer of buyers) await putInCart(shop, buyer, saffron.id);
    const placed = await Promise.all(buyers.map((buyer) => placeOrder(shop, buyer)));
    expect(placed.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const refused of placed.filter(({ status }) => status !== 201)) {
      expect(refused).toMatchObject({ status: 409 });
      expect(refused.message).toContain('Saffron');
    }
    expect(await quantityOf(shop, saffron.id)).toBe(0);
  });

  test('five products in opposite order by twelve buyers end without a deadlock', async () => {
    const spices = await Promise.all(Array.from({ length: 5 }, () => shop.stock({ quantity: 5 })));
    const buyers = await Promise.all(Array.from({ length: 12 }, () => shop.signIn()));
    await Promise.all(
      buyers.map(async (buyer, index) => {
        for (const { id } of index % 2 ? spices : spices.toReversed()) await putInCart(shop, buyer, id);
      }),
    );
    const placed = await Promise.all(buyers.map((buyer) => placeOrder(shop, buyer)));
    expect(placed.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(5);
    expect(placed.every(({ status }) => status === 201 || status === 409)).toBe(true);
  });

  test.each([
    ['no customer', { deliveryAddress: address }, 'Please provide a customer name.', 'customer_required'],
    [
      'a blank customer',
      { customer: '  ', deliveryAddress: address },
      'Please provide a customer name.',
      'customer_required',
    ],
    ['no address', { customer: 'Ana' }, 'Please select or add a delivery address.', 'address_required'],
    ['neither', {}, 'Please select or add a delivery address.', 'address_required'],
  ])('with %s is rejected in the words of the checkout', async (_, body, message, code) => {
    const ana = await shop.signIn();
    await putInCart(shop, ana, (await shop.stock()).id);
    const refused = await placeOrder(shop, ana, body);
    expect(refused).toMatchObject({ status: 400, message, code });
  });

  test('an empty cart, a foreign cart and a missing cart are rejected', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 409, code: 'cart_empty', message: 'Cart is Empty' });
    const path = { userId: ana.userId };
    const body = { customer: 'Ana', deliveryAddress: address };
    const foreign = await shop.call('placeOrder', { as: ana, path: { ...path, cartId: ben.cartId }, body });
    const missing = await shop.call('placeOrder', { as: ana, path: { ...path, cartId: randomUUID() }, body });
    expect(foreign).toMatchObject({
      status: 404,
      code: 'cart_not_found',
      message: 'No cart available. Please try again.',
    });
    expect({ ...missing.body, requestId: '' }).toEqual({ ...foreign.body, requestId: '' });
  });

  test('a changed price is never charged silently', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ priceCents: 400 });
    await putInCart(shop, ana, pepper.id, 2);
    await shop.db.update(products).set({ priceCents: 500 }).where(eq(products.id, pepper.id));
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 409, code: 'price_changed' });
    const [line] = (await cartOf(shop, ana)).cartItems;
    expect(line).toMatchObject({ notice: 'price_changed', price: 4, currentPrice: 5 });
    await shop.call('updateCartItem', { as: ana, body: { cartItemId: line?.id, quantity: 2 } });
    const placed = await placeOrder(shop, ana);
    const order = await shop.call('getOrder', { as: ana, path: { orderId: placed.data.orderId } });
    expect(order.data.orderResponse.totalAmount).toBe(10);
  });

  test('an archived product blocks the order until it is removed', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ name: 'Old pepper' });
    const cumin = await shop.stock();
    await putInCart(shop, ana, pepper.id);
    await putInCart(shop, ana, cumin.id);
    await shop.db.update(products).set({ archivedAt: shop.clock.now() }).where(eq(products.id, pepper.id));
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 409, code: 'line_unavailable' });
    const archived = (await cartOf(shop, ana)).cartItems.find(({ notice }) => notice === 'archived');
    await shop.call('removeCartItem', { as: ana, path: { userId: ana.userId, cartItemId: archived?.id ?? '' } });
    expect((await placeOrder(shop, ana)).status).toBe(201);
  });

  test('less than fifty cents and more than a card takes are rejected before the provider is asked', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    await putInCart(shop, ana, (await shop.stock({ priceCents: 49 })).id);
    await putInCart(shop, ben, (await shop.stock({ priceCents: 9_999_999, quantity: 99 })).id, 99);
    const asked = (await ledger(shop)).sessions.length;
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 409, code: 'total_too_small' });
    expect(await placeOrder(shop, ben)).toMatchObject({ status: 409, code: 'total_too_large' });
    expect((await ledger(shop)).sessions).toHaveLength(asked);
  });

  test('an unpayable total ends no open order', async () => {
    const ana = await shop.signIn();
    await putInCart(shop, ana, (await shop.stock({ priceCents: 450 })).id);
    const open = await placedOrder(shop, ana);
    await putInCart(shop, ana, (await shop.stock({ priceCents: 9_999_999, quantity: 99 })).id, 99);
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 409, code: 'total_too_large' });
    expect(await statusOf(shop, open.orderId)).toBe('PENDING_PAYMENT');
    expect((await shop.payments.findSession(open.sessionId))?.status).toBe('open');
  });

  test('a hundred and one lines are rejected', async () => {
    const ana = await shop.signIn();
    await fillCart(shop, ana, 101);
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 409, code: 'too_many_lines' });
  });

  test('with the provider down the order waits, and the next click resumes it', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5 });
    await putInCart(shop, ana, pepper.id, 2);
    await shop.control('fault', { next: 1, kind: '500' });
    expect(await placeOrder(shop, ana)).toMatchObject({
      status: 502,
      code: 'payment_unavailable',
      message: 'Failed to process payment',
    });
    expect(await quantityOf(shop, pepper.id)).toBe(3);
    const placed = await placeOrder(shop, ana);
    expect(placed.status).toBe(201);
    const own = await shop.db.select().from(orders).where(eq(orders.userId, ana.userId));
    expect(own).toHaveLength(1);
    expect(await quantityOf(shop, pepper.id)).toBe(3);
  });
});
