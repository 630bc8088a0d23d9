import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buy, checkBooks, placedOrder, putInCart } from '../../support/buying';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});

describe('the order history and the status', () => {
  test('lists the customer’s own orders, newest first, in pages', async () => {
    const ana = await shop.signIn();
    const pepper = await shop.stock({ quantity: 50 });
    const placed: string[] = [];
    for (let index = 0; index < 3; index++) {
      await putInCart(shop, ana, pepper.id);
      const order = await placedOrder(shop, ana);
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

  test('hides another customer’s order as missing; staff can read it', async () => {
    const [ana, ben, admin] = [await shop.signIn(), await shop.signIn(), await shop.signIn({ role: 'ROLE_ADMIN' })];
    await putInCart(shop, ana, (await shop.stock()).id);
    const { orderId } = await placedOrder(shop, ana);
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
        await shop.db.execute(sql`update orders set status = 'REFUNDED' where id = ${orderId}`); // a made-up one, to leave the scope
      }
    },
  );

  test('only the staff member who moved an order may undo the step, within ten seconds', async () => {
    const [admin, other] = [await shop.signIn({ role: 'ROLE_ADMIN' }), await shop.signIn({ role: 'ROLE_OWNER' })];
    const ana = await shop.signIn();
    await putInCart(shop, ana, (await shop.stock()).id);
    const order = await placedOrder(shop, ana);
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
