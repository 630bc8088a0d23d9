import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orders, paymentSessions, products, stockMovements } from '../../src/server/db/schema';
import { buy, checkBooks, ledger, placeOrder, type Order } from '../support/buying';
import { openShop, type Person, type TestShop } from '../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };

async function putInCart(person: Person, productId: string, quantity = 1) {
  const added = await shop.call('addCartItem', {
    as: person,
    path: { userId: person.userId },
    body: { productId, quantity },
  });
  expect(added.status).toBe(200);
}
const cartOf = async (person: Person) =>
  (await shop.call('getCart', { as: person, path: { userId: person.userId } })).data.cartResponse;
const quantityOf = async (productId: string) =>
  (await shop.db.select({ quantity: products.quantity }).from(products).where(eq(products.id, productId)))[0]?.quantity;
const statusOf = async (orderId: string) =>
  (await shop.db.select({ status: orders.status }).from(orders).where(eq(orders.id, orderId)))[0]?.status;

describe('placing an order', () => {
  test('takes the stock, writes the order and answers where to pay', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5, priceCents: 435 });
    await putInCart(ana, pepper.id, 3);
    const placed = await placeOrder(shop, ana);
    expect(placed.status).toBe(201);
    expect(placed.message).toBe('Order created successfully');
    expect(placed.data.paymentUrl).toMatch(/\/c\/pay\/cs_test_/);
    expect(await quantityOf(pepper.id)).toBe(2);
    const order = await shop.call('getOrder', { as: ana, path: { orderId: placed.data.orderId } });
    expect(order.data.orderResponse).toMatchObject({
      orderStatus: 'PENDING_PAYMENT',
      totalAmount: 13.05,
      deliveryAddress: address,
      orderItems: [{ productName: 'Black pepper', quantity: 3, totalPrice: 13.05 }],
      timeline: [{ status: 'PENDING_PAYMENT', by: 'Example Customer' }],
    });
    expect((await cartOf(ana)).cartItems).toHaveLength(1);
  });

  test('the same click again gives the same order and page', async () => {
    const ana = await shop.signIn();
    await putInCart(ana, (await shop.stock()).id);
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

  test('a changed cart replaces the order that waits for its payment, at the provider first', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5 });
    await putInCart(ana, pepper.id, 4);
    const older = await placeOrder(shop, ana);
    await putInCart(ana, pepper.id, 1); // five in all, of which the own order holds four
    const newer = await placeOrder(shop, ana);
    expect(newer.status).toBe(201);
    expect(newer.data.orderId).not.toBe(older.data.orderId);
    expect(await statusOf(older.data.orderId)).toBe('CANCELLED');
    expect(await quantityOf(pepper.id)).toBe(0);
    const { sessions } = await ledger(shop);
    expect(sessions.find(({ client_reference_id: id }) => id === older.data.orderId)?.status).toBe('expired');
  });

  test('takes all lines or none, and names the product that is short', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    const plenty = await shop.stock({ name: 'Cumin', quantity: 50 });
    const last = await shop.stock({ name: 'Saffron', quantity: 2 });
    for (const person of [ana, ben]) {
      await putInCart(person, plenty.id, 2);
      await putInCart(person, last.id, 2);
    }
    expect((await placeOrder(shop, ana)).status).toBe(201);
    const refused = await placeOrder(shop, ben);
    expect(refused).toMatchObject({ status: 409, code: 'line_unavailable' });
    expect(refused.message).toContain('Saffron');
    expect(await quantityOf(plenty.id)).toBe(48);
  });

  test('of fifty buyers of the last unit one gets it', async () => {
    const saffron = await shop.stock({ name: 'Saffron', quantity: 1 });
    const buyers = await Promise.all(Array.from({ length: 50 }, () => shop.signIn()));
    for (const buyer of buyers) await putInCart(buyer, saffron.id);
    const placed = await Promise.all(buyers.map((buyer) => placeOrder(shop, buyer)));
    expect(placed.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const refused of placed.filter(({ status }) => status !== 201)) {
      expect(refused).toMatchObject({ status: 409 });
      expect(refused.message).toContain('Saffron');
    }
    expect(await quantityOf(saffron.id)).toBe(0);
  });

  test('ten products in opposite order by twenty buyers end without a deadlock', async () => {
    const spices = await Promise.all(Array.from({ length: 10 }, () => shop.stock({ quantity: 12 })));
    const buyers = await Promise.all(Array.from({ length: 20 }, () => shop.signIn()));
    await Promise.all(
      buyers.map(async (buyer, index) => {
        for (const { id } of index % 2 ? spices : spices.toReversed()) await putInCart(buyer, id);
      }),
    );
    const placed = await Promise.all(buyers.map((buyer) => placeOrder(shop, buyer)));
    expect(placed.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(12);
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
  ])('with %s is refused in the words of the checkout', async (_, body, message, code) => {
    const ana = await shop.signIn();
    await putInCart(ana, (await shop.stock()).id);
    const refused = await placeOrder(shop, ana, body);
    expect(refused).toMatchObject({ status: 400, message, code });
  });

  test('an empty cart, a foreign cart and a missing cart are refused', async () => {
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

  test('a price that changed is never charged silently', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ priceCents: 400 });
    await putInCart(ana, pepper.id, 2);
    await shop.db.update(products).set({ priceCents: 500 }).where(eq(products.id, pepper.id));
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 409, code: 'price_changed' });
    const [line] = (await cartOf(ana)).cartItems;
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
    await putInCart(ana, pepper.id);
    await putInCart(ana, cumin.id);
    await shop.db.update(products).set({ archivedAt: shop.clock.now() }).where(eq(products.id, pepper.id));
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 409, code: 'line_unavailable' });
    const archived = (await cartOf(ana)).cartItems.find(({ notice }) => notice === 'archived');
    await shop.call('removeCartItem', { as: ana, path: { userId: ana.userId, cartItemId: archived?.id ?? '' } });
    expect((await placeOrder(shop, ana)).status).toBe(201);
  });

  test('less than fifty cents and more than a card takes are refused before the provider is asked', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    await putInCart(ana, (await shop.stock({ priceCents: 49 })).id);
    await putInCart(ben, (await shop.stock({ priceCents: 9_999_999, quantity: 99 })).id, 99);
    const asked = (await ledger(shop)).sessions.length;
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 409, code: 'total_too_small' });
    expect(await placeOrder(shop, ben)).toMatchObject({ status: 409, code: 'total_too_large' });
    expect((await ledger(shop)).sessions).toHaveLength(asked);
  });

  test('a hundred and one lines are refused', async () => {
    const ana = await shop.signIn();
    const category = await shop.category();
    for (let index = 0; index < 101; index++) await putInCart(ana, (await shop.stock({ categoryId: category.id })).id);
    expect(await placeOrder(shop, ana)).toMatchObject({ status: 409, code: 'too_many_lines' });
  });

  test('with the provider down the order waits, and the next click goes on with it', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5 });
    await putInCart(ana, pepper.id, 2);
    await shop.control('fault', { next: 1, kind: '500' });
    expect(await placeOrder(shop, ana)).toMatchObject({
      status: 502,
      code: 'payment_unavailable',
      message: 'Failed to process payment',
    });
    expect(await quantityOf(pepper.id)).toBe(3);
    const placed = await placeOrder(shop, ana);
    expect(placed.status).toBe(201);
    const own = await shop.db.select().from(orders).where(eq(orders.userId, ana.userId));
    expect(own).toHaveLength(1);
    expect(await quantityOf(pepper.id)).toBe(3);
  });
});

describe('paying', () => {
  test('a paid order is PAID, its stock sold, its quantities out of the cart', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5 });
    const cumin = await shop.stock({ quantity: 5 });
    await putInCart(ana, pepper.id, 2);
    const order = await placedOrder(ana);
    await putInCart(ana, pepper.id, 1);
    await putInCart(ana, cumin.id, 1);
    await buy(shop, order);
    expect(await statusOf(order.orderId)).toBe('PAID');
    expect((await cartOf(ana)).cartItems.map(({ productId, quantity }) => [productId, quantity])).toEqual([
      [pepper.id, 1],
      [cumin.id, 1],
    ]);
    const movements = await shop.db
      .select()
      .from(stockMovements)
      .where(eq(stockMovements.productId, pepper.id))
      .orderBy(stockMovements.id);
    expect(movements.map(({ kind, shelf, held }) => [kind, shelf, held])).toEqual([
      ['adjustment', 5, 0],
      ['hold', -2, 2],
      ['sale', 0, -2],
    ]);
  });

  test('the webhook, the return page and the sweeper together have one effect', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 9 });
    await putInCart(ana, pepper.id, 2);
    const order = await placedOrder(ana);
    await shop.control('deliveries', { mode: 'duplicate' });
    await buy(shop, order);
    await Promise.all([capture(ana, order), capture(ana, order), shop.jobs.sweepPayments(), shop.jobs.sweepPayments()]);
    await shop.control('deliveries', { mode: 'normal' });
    const read = await shop.call('getOrder', { as: ana, path: { orderId: order.orderId } });
    expect(read.data.orderResponse.timeline.map(({ status }) => status)).toEqual(['PENDING_PAYMENT', 'PAID']);
    expect(await quantityOf(pepper.id)).toBe(7);
  });

  test('without webhooks the return page finishes the payment', async () => {
    const ana = await shop.signIn();
    await putInCart(ana, (await shop.stock()).id);
    const order = await placedOrder(ana);
    await shop.control('deliveries', { mode: 'drop' });
    await buy(shop, order);
    await shop.control('deliveries', { mode: 'normal' });
    expect(
      (await shop.call('checkPaymentStatus', { as: ana, query: { session_id: order.sessionId } })).data.payment,
    ).toBeNull();
    expect((await capture(ana, order)).data.payment).toMatchObject({
      orderId: order.orderId,
      orderStatus: 'PAID',
      totalAmount: 4.5,
    });
    const checked = await shop.call('checkPaymentStatus', { as: ana, query: { session_id: order.sessionId } });
    expect(checked.data.payment).toMatchObject({ orderNumber: order.orderNumber });
  });

  test('with neither webhook nor return the sweeper finishes the payment', async () => {
    const ana = await shop.signIn();
    await putInCart(ana, (await shop.stock()).id);
    const order = await placedOrder(ana);
    await shop.control('deliveries', { mode: 'drop' });
    await buy(shop, order);
    await shop.control('deliveries', { mode: 'normal' });
    await shop.jobs.sweepPayments();
    expect(await statusOf(order.orderId)).toBe('PAID');
  });

  test('a foreign, a guessed, an unpaid session and foreign ids are all refused, the unknown ones alike', async () => {
    const [ana, ben] = [await shop.signIn(), await shop.signIn()];
    await putInCart(ana, (await shop.stock()).id);
    const order = await placedOrder(ana);
    expect(await capture(ana, order)).toMatchObject({ status: 409, code: 'payment_not_completed' });
    const foreign = await capture(ben, order);
    const mismatched = await capture(ana, { ...order, cartId: ben.cartId });
    const guessed = await capture(ana, { ...order, sessionId: 'cs_test_guessed' });
    const notOne = await capture(ana, { ...order, sessionId: '../../v1/refunds' });
    for (const refused of [foreign, mismatched, guessed, notOne]) {
      expect({ ...refused.body, requestId: '' }).toEqual({ ...foreign.body, requestId: '' });
      expect(refused).toMatchObject({ status: 404, code: 'payment_not_found' });
    }
    const missing = await shop.call('capturePayment', { as: ana, query: { session_id: order.sessionId } });
    expect(missing).toMatchObject({ status: 400, message: 'Missing required payment information' });
    expect(
      (await shop.call('checkPaymentStatus', { as: ben, query: { session_id: order.sessionId } })).data.payment,
    ).toBeNull();
  });

  test('a declined card leaves the order open, and another card pays it', async () => {
    const ana = await shop.signIn();
    await putInCart(ana, (await shop.stock()).id);
    const order = await placedOrder(ana);
    await shop.control('decline', { session: order.sessionId });
    expect(await statusOf(order.orderId)).toBe('PENDING_PAYMENT');
    await buy(shop, order);
    expect(await statusOf(order.orderId)).toBe('PAID');
  });

  test('an expired session gives its stock back once', async () => {
    const earlier = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5 });
    await putInCart(earlier, pepper.id, 2);
    const order = await placedOrder(earlier);
    shop.clock.advance(35 * 60_000);
    const ana = await shop.again(earlier);
    await Promise.all([shop.jobs.sweepPayments(), shop.jobs.sweepPayments()]);
    await shop.jobs.sweepPayments();
    expect(await statusOf(order.orderId)).toBe('CANCELLED');
    expect(await quantityOf(pepper.id)).toBe(5);
    expect((await cartOf(ana)).cartItems).toHaveLength(1);
    const again = await placeOrder(shop, ana);
    expect(again.status).toBe(201);
    expect(again.data.orderId).not.toBe(order.orderId);
  });

  test('a payment that arrives after the order was cancelled revives it while there is stock', async () => {
    const { order, pepper } = await paidAfterCancelling({ soldOut: false });
    expect(await statusOf(order.orderId)).toBe('PAID');
    expect(await quantityOf(pepper.id)).toBe(3);
  });

  test('a payment that arrives after the order was cancelled and sold out is given back, once', async () => {
    const { order } = await paidAfterCancelling({ soldOut: true });
    await shop.jobs.sweepPayments();
    expect(await statusOf(order.orderId)).toBe('REFUNDED');
    const refunds = (await ledger(shop)).refunds.filter(({ payment_intent: intent }) => intent === order.paymentIntent);
    expect(refunds).toHaveLength(1);
    expect(refunds[0]).toMatchObject({ amount: 900 });
  });

  /** Cancels an order by hand while its session is still payable at the provider, as no road of the shop does. */
  async function paidAfterCancelling({ soldOut }: { soldOut: boolean }) {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 5 });
    await putInCart(ana, pepper.id, 2);
    const order = await placedOrder(ana);
    await shop.control('deliveries', { mode: 'hold' });
    await buy(shop, order, false);
    await shop.db.transaction(async (tx) => {
      await tx.execute(sql`update orders set status = 'CANCELLED' where id = ${order.orderId}`);
      await tx.execute(
        sql`insert into order_timeline (order_id, status, at) values (${order.orderId}, 'CANCELLED', ${shop.clock.now()})`,
      );
      await tx.execute(sql`update payment_sessions set state = 'expired' where order_id = ${order.orderId}`);
      await tx.execute(sql`update products set quantity = quantity + 2 where id = ${pepper.id}`);
      await tx.execute(sql`insert into stock_movements (product_id, kind, shelf, held, order_id, at)
        values (${pepper.id}, 'release', 2, -2, ${order.orderId}, ${shop.clock.now()})`);
    });
    if (soldOut) {
      const ben = await shop.signIn();
      await putInCart(ben, pepper.id, 4);
      expect((await placeOrder(shop, ben)).status).toBe(201);
    }
    await shop.control('deliveries', { mode: 'normal' });
    await capture(ana, order);
    const [payment] = await shop.db.select().from(paymentSessions).where(eq(paymentSessions.orderId, order.orderId));
    return { order: { ...order, paymentIntent: payment?.paymentIntentId }, pepper };
  }
});

describe('the order history and the status', () => {
  test('lists the own orders, newest first, in pages', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 50 });
    const placed: string[] = [];
    for (let index = 0; index < 3; index++) {
      await putInCart(ana, pepper.id);
      const order = await placedOrder(ana);
      await buy(shop, order);
      placed.unshift(order.orderId);
      shop.clock.advance(1000);
    }
    const path = { userId: ana.userId };
    const first = await shop.call('listCustomerOrders', { as: ana, path, query: { page: 0, size: 2 } });
    const second = await shop.call('listCustomerOrders', { as: ana, path, query: { page: 1, size: 2 } });
    expect([...first.data.orders.content, ...second.data.orders.content].map(({ id }) => id)).toEqual(placed);
    expect(first.data.orders).toMatchObject({
      totalElements: 3,
      totalPages: 2,
      pageable: { pageNumber: 0, totalPages: 2 },
    });
  });

  test('somebody else’s order is answered as a missing one; staff read it', async () => {
    const [ana, ben, admin] = [await shop.signIn(), await shop.signIn(), await shop.signIn({ role: 'ROLE_ADMIN' })];
    await putInCart(ana, (await shop.stock()).id);
    const { orderId } = await placedOrder(ana);
    const foreign = await shop.call('getOrder', { as: ben, path: { orderId } });
    const missing = await shop.call('getOrder', { as: ben, path: { orderId: randomUUID() } });
    expect(foreign).toMatchObject({ status: 404, code: 'order_not_found' });
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    const read = await shop.call('getOrder', { as: admin, path: { orderId } });
    expect(read.data.orderResponse.paymentUrl).toBeNull();
    const listed = await shop.call('listOrders', { as: admin, query: { status: 'PENDING_PAYMENT', size: 100 } });
    expect(listed.data.orders.content.map(({ id }) => id)).toContain(orderId);
  });

  test.each(['PENDING_PAYMENT', 'PAID', 'OUT_FOR_DELIVERY', 'DELIVERED', 'CANCELLED', 'REFUNDED'] as const)(
    'an order that is %s takes forward steps only',
    async (from) => {
      const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
      const legal: Record<string, string[]> = {
        PAID: ['OUT_FOR_DELIVERY', 'DELIVERED'],
        OUT_FOR_DELIVERY: ['DELIVERED'],
      };
      for (const to of ['PENDING_PAYMENT', 'PAID', 'OUT_FOR_DELIVERY', 'DELIVERED', 'CANCELLED', 'REFUNDED'] as const) {
        const orderId = await orderThatIs(from);
        const moved = await shop.call('updateOrderStatus', { as: admin, path: { orderId, status: to } });
        if (legal[from]?.includes(to)) {
          expect(moved.data.orderResponse.orderStatus).toBe(to);
        } else {
          expect(moved, `${from} to ${to}`).toMatchObject({ status: 409, code: 'illegal_status_change' });
        }
        await shop.db.execute(sql`update orders set status = 'REFUNDED' where id = ${orderId}`); // a made-up one: out of the way
      }
    },
  );

  test('whoever moved an order may take the step back within ten seconds, nobody else and not later', async () => {
    const [admin, other] = [await shop.signIn({ role: 'ROLE_ADMIN' }), await shop.signIn({ role: 'ROLE_OWNER' })];
    const ana = await shop.signIn();
    await putInCart(ana, (await shop.stock()).id);
    const order = await placedOrder(ana);
    const { orderId } = order;
    await buy(shop, order);
    const move = (as: Person, status: 'PAID' | 'OUT_FOR_DELIVERY' | 'DELIVERED') =>
      shop.call('updateOrderStatus', { as, path: { orderId, status } });
    expect((await move(admin, 'OUT_FOR_DELIVERY')).message).toBe('Order status updated successfully');
    expect((await move(other, 'PAID')).status).toBe(409);
    expect((await move(admin, 'PAID')).status).toBe(200);
    await move(admin, 'DELIVERED');
    shop.clock.advance(11_000);
    expect((await move(admin, 'PAID')).status).toBe(409);
    const read = await shop.call('getOrder', { as: ana, path: { orderId } });
    expect(read.data.orderResponse.timeline.map(({ status }) => status)).toEqual([
      'PENDING_PAYMENT',
      'PAID',
      'OUT_FOR_DELIVERY',
      'PAID',
      'DELIVERED',
    ]);
  });

  async function orderThatIs(status: string): Promise<string> {
    const someone = await shop.signIn();
    const id = randomUUID();
    await shop.db.execute(sql`insert into orders
      (id, order_number, user_id, cart_id, customer, street, city, state, postal_code, status, total_cents, content_hash, created_at)
      values (${id}, ${`T-${id}`}, ${someone.userId}, ${someone.cartId}, 'Ana', 'S', 'C', 'GA', '30303', ${status}, 100, '\\x00', ${shop.clock.now()})`);
    return id;
  }
});

async function placedOrder(person: Person): Promise<Order> {
  const placed = await placeOrder(shop, person);
  expect(placed.message).toBe('Order created successfully');
  const sessionId = /cs_test_\w+/.exec(placed.data.paymentUrl)?.[0] ?? '';
  return { ...placed.data, sessionId, userId: person.userId, cartId: person.cartId };
}

const capture = (person: Person, { sessionId, userId, cartId }: Order) =>
  shop.call('capturePayment', { as: person, query: { session_id: sessionId, user_id: userId, cart_id: cartId } });
