import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperationId } from '../../../src/shared/contract';
import { generateOrders, generateProducts, generateUsers } from '../../support/backOffice';
import { findBreaches } from '../../support/books';
import { fillCart, placeOrder } from '../../support/buying';
import { contractOperations } from '../../support/contract';
import { openShop, type Person, type TestShop } from '../../support/shop';

/** How often the database is asked, and that it is not asked more often for more lines and rows. */
let shop: TestShop;
let owner: Person;
beforeAll(async () => {
  shop = await openShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  const now = shop.clock.now();
  await generateUsers(shop.pool, 40, now);
  await generateOrders(shop.pool, 40, now);
  await generateProducts(shop.pool, 80, now);
});
afterAll(() => shop.close());

/** Or fewer: what the shop keeps in memory is read with the first call. */
const asMany = (statements = 0) => expect.toSatisfy((others: number) => others <= statements, `at most ${statements}`);

/** A customer with so many products in the cart, and there are enough of each. */
async function withLines(lines: number): Promise<Person> {
  const person = await shop.signIn();
  await fillCart(shop, person, lines);
  await shop.pool.query(
    'update products set quantity = 9 where id in (select product_id from cart_items where cart_id = $1)',
    [person.cartId],
  );
  return person;
}

/** The statements of each step from the cart to the money given back, with so many lines. */
async function takenBy(lines: number): Promise<Partial<Record<OperationId, number>>> {
  const person = await withLines(lines);
  const path = { userId: person.userId };
  const { id: productId } = await shop.stock();
  const key = randomUUID();
  const added = await shop.call('addCartItem', { as: person, path, body: { productId, quantity: 1 }, key });
  const cart = await shop.call('getCart', { as: person, path });
  const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
  const placed = await shop.call('placeOrder', {
    as: person,
    path: { userId: person.userId, cartId: person.cartId },
    body: { customer: 'Example Customer', deliveryAddress: address },
    key: randomUUID(),
  });
  const { orderId, paymentUrl } = placed.data;
  const session = /cs_test_\w+/.exec(paymentUrl)?.[0] ?? '';
  await shop.control('deliveries', { mode: 'hold' });
  await shop.control('pay', { session });
  const captured = await shop.call('capturePayment', {
    as: person,
    query: { session_id: session, user_id: person.userId, cart_id: person.cartId },
  });
  const read = await shop.call('getOrder', { as: person, path: { orderId } });
  const again = await shop.call('previewReorder', { as: person, path: { orderId } });
  const refunded = await shop.call('refundOrder', {
    as: owner,
    path: { orderId },
    body: { reason: 'Asked for', restock: true },
  });
  await shop.control('deliveries', { mode: 'normal' });
  for (const answer of [added, cart, placed, captured, read, again, refunded]) expect(answer.status).toBeLessThan(300);
  return {
    addCartItem: added.statements,
    getCart: cart.statements,
    placeOrder: placed.statements,
    capturePayment: captured.statements,
    getOrder: read.statements,
    previewReorder: again.statements,
    refundOrder: refunded.statements,
  };
}

test('buying takes as many statements with forty products as with one: at most 6 for the cart, 12 for the order', async () => {
  const one = await takenBy(1);
  const forty = await takenBy(40);
  for (const id of Object.keys(one) as OperationId[]) expect([id, forty[id]]).toEqual([id, asMany(one[id])]);
  expect(one.addCartItem).toBeLessThanOrEqual(6);
  expect(one.placeOrder).toBeLessThanOrEqual(12);
});

test('an order that replaces an open one takes as many statements with forty products as with one', async () => {
  const replacing = async (lines: number) => {
    const person = await withLines(lines);
    expect((await placeOrder(shop, person)).status).toBe(201);
    await shop.pool.query('update cart_items set quantity = 2 where cart_id = $1', [person.cartId]);
    const { status, statements } = await placeOrder(shop, person);
    expect(status).toBe(201);
    return statements;
  };
  await shop.control('deliveries', { mode: 'hold' }); // or the provider's event may end the older order first
  const one = await replacing(1);
  expect(await replacing(40)).toEqual(asMany(one));
  await shop.control('deliveries', { mode: 'normal' });
});

const lists = [...contractOperations.values()].filter(
  ({ parameters = [] }) =>
    parameters.some(({ name }) => name === 'size') && !parameters.some((parameter) => parameter.in === 'path'),
);

test.each(lists.map(({ operationId: id }) => id))('%s asks as often for many rows as for one', async (id) => {
  const query = id === 'searchProducts' ? { q: 'pepper' } : {};
  const [one, many] = [
    await shop.call(id, { as: owner, query: { ...query, page: 0, size: 1 } }),
    await shop.call(id, { as: owner, query: { ...query, page: 0, size: 40 } }),
  ];
  expect([one.status, many.status]).toEqual([200, 200]);
  expect(many.statements).toEqual(asMany(one.statements));
});

test('the kept counts are what counting gives, while several change the rows and add the counts up', async () => {
  const { pool } = shop;
  const [{ id: one }, { id: other }] = [await shop.category(), await shop.category()];
  const change = async (each: number) => {
    const { id } = await shop.stock({
      categoryId: one,
      heatLevel: each % 3,
      origin: 'Ghana',
      allergens: ['Milk', 'milk'],
    });
    await pool.query(`update products set category_id = $2, allergens = '{Egg}', heat_level = null where id = $1`, [
      id,
      other,
    ]);
    await pool.query(`update products set archived_at = created_at where id = $1 and $2::int % 2 = 0`, [id, each]);
    const { userId } = await shop.signIn();
    await pool.query(`update users set is_enabled = false where id = $1`, [userId]);
    await pool.query(`update orders set status = 'PAID' where id = (select id from orders order by random() limit 1)`);
    await pool.query('select add_up_counts() from generate_series(1, 300)'); // it does so now and then, by chance
  };
  await Promise.all(Array.from({ length: 8 }, (_, each) => change(each)));
  await pool.query('select add_up_counts() from generate_series(1, 5000)');
  const client = await pool.connect();
  await client.query('begin');
  await client.query('update products set origin = null');
  await client.query('rollback');
  client.release();
  const rules = (await findBreaches({ pool, ledger: undefined })).map(({ rule }) => rule);
  expect(rules).not.toContain('the kept counts are what counting gives');
  const { rows } = await pool.query<{ most: number }>(
    'select max(changes)::int as most from (select count(*) as changes from kept_counts group by list, part, value) as kept',
  );
  expect(rows[0]?.most).toBe(1);
  await pool.query(`insert into kept_counts values ('orders', 'PAID', '', 1)`);
  const broken = (await findBreaches({ pool, ledger: undefined })).map(({ rule }) => rule);
  expect(broken).toContain('the kept counts are what counting gives');
});
