import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orders } from '../../../src/server/db/schema/tables';
import { buy, openOrder, placeOrder, quantityOf } from '../../support/buying';
import { openShop, type Person, type TestShop } from '../../support/shop';

/** Many buyers for the same goods, and two admins who move one order. */
let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const add = (as: Person, productId: string, quantity = 1) =>
  shop.call('addCartItem', { as, path: { userId: as.userId }, body: { productId, quantity } });
const openOrdersOf = async (person: Person) =>
  (await shop.db.select().from(orders).where(eq(orders.userId, person.userId))).filter(
    ({ status }) => status === 'PENDING_PAYMENT',
  );

test('two tabs that fill one cart cannot get more into it, or out of it, than there is', async () => {
  const ana = await shop.signIn();
  const pepper = await shop.stock({ quantity: 5 });
  const answers = await Promise.all([add(ana, pepper.id, 3), add(ana, pepper.id, 3)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await placeOrder(shop, ana)).status).toBe(201);
  expect(await quantityOf(shop, pepper.id)).toBe(2);
});

test('an order that replaces another locks the products of both in one order', async () => {
  await shop.control('deliveries', { mode: 'hold' }); // otherwise the provider's event ends the older order first
  const ana = await shop.signIn();
  const [first, last] = [randomUUID(), randomUUID()].toSorted() as [string, string];
  await shop.stock({ id: first });
  await shop.stock({ id: last });
  await add(ana, first, 1);
  expect((await placeOrder(shop, ana)).status).toBe(201);
  await shop.call('clearCart', { as: ana, path: { userId: ana.userId } });
  await add(ana, last, 1);
  const other = await shop.pool.connect();
  try {
    await other.query('begin');
    await other.query('select 1 from products where id = $1 for update', [first]);
    const replacing = placeOrder(shop, ana);
    await expect
      .poll(async () => {
        const { rows } = await shop.pool.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows[0]?.waiting;
      })
      .toBe(1);
    // the one that waits for the first has not locked the last
    await other.query('select 1 from products where id = $1 for update nowait', [last]);
    await other.query('rollback');
    expect((await replacing).status).toBe(201);
  } finally {
    other.release();
    await shop.control('deliveries', { mode: 'normal' });
  }
});

test('one customer holds the goods of one order at most, however often the cart changes', async () => {
  const ana = await shop.signIn();
  const pepper = await shop.stock({ quantity: 20 });
  const cumin = await shop.stock({ quantity: 20 });
  await add(ana, pepper.id, 2);
  for (const quantity of [1, 2, 3]) {
    await add(ana, cumin.id, quantity);
    expect((await placeOrder(shop, ana)).status).toBe(201);
    expect(await openOrdersOf(ana)).toHaveLength(1);
    expect(await quantityOf(shop, pepper.id)).toBe(18);
  }
  expect(await quantityOf(shop, cumin.id)).toBe(14);
});

test('two tabs with different carts at the same time hold the goods of one order', async () => {
  const ana = await shop.signIn();
  const pepper = await shop.stock({ quantity: 10 });
  await add(ana, pepper.id, 2);
  const deliveryAddress = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const placed = await Promise.all(
    ['Ana', 'Ana B.', 'Ana C.'].map((customer) => placeOrder(shop, ana, { customer, deliveryAddress })),
  );
  expect(placed.every(({ status }) => [201, 503].includes(status))).toBe(true);
  expect(await openOrdersOf(ana)).toHaveLength(1);
  expect(await quantityOf(shop, pepper.id)).toBe(8);
});

test('when two admins move one order at the same time, one gets an error', async () => {
  const [admin, owner] = [await shop.signIn({ role: 'ROLE_ADMIN' }), await shop.signIn({ role: 'ROLE_OWNER' })];
  const order = await openOrder(shop);
  await buy(shop, order);
  const move = (as: Person, status: 'OUT_FOR_DELIVERY' | 'DELIVERED' | 'PAID', orderId = order.orderId) =>
    shop.call('updateOrderStatus', { as, path: { orderId, status } });
  const answers = await Promise.all([move(admin, 'OUT_FOR_DELIVERY'), move(owner, 'OUT_FOR_DELIVERY')]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.message).toBe(
    "This order is On Delivery, so it can't be changed to On Delivery",
  );
  await move(admin, 'DELIVERED');
  expect(await move(owner, 'OUT_FOR_DELIVERY')).toMatchObject({ status: 409, code: 'illegal_status_change' });

  const unpaid = await openOrder(shop);
  expect((await move(admin, 'OUT_FOR_DELIVERY', unpaid.orderId)).status).toBe(409);
  const path = { orderId: order.orderId };
  await shop.call('refundOrder', { as: admin, path, body: { reason: 'Came back' } });
  expect((await move(admin, 'DELIVERED')).status).toBe(409);
});
