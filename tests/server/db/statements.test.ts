import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperationId } from '../../../src/shared/contract';
import { generateOrders, generateProducts, generateUsers } from '../../support/backOffice';
import { findBreaches } from '../../support/books';
import { fillCart, placeOrder } from '../../support/buying';
import { contractOperations } from '../../support/contract';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** How many statements are sent to the database, and that more lines and rows need no more of them. */
let shop: TestShop;
let owner: Person;
/** Ids in the paths of lists: things that have fifty rows. */
let paths: Partial<Record<OperationId, object>>;
let customer: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  customer = await shop.signIn();
  const { pool } = shop;
  const now = shop.clock.now();
  await generateUsers(pool, 60, now);
  await generateOrders(pool, 120, now);
  await pool.query(`update orders set user_id = $1, cart_id = $2 where order_number::int % 2 = 0`, [
    customer.userId,
    customer.cartId,
  ]);
  await generateProducts(pool, 80, now);
  const [category, { id: productId }] = [await shop.category(), await shop.stock()];
  await pool.query(
    `update products set category_id = $1, archived_at = null where id in (
       select id from products where name like 'Pepper %' order by id limit 60)`,
    [category.id],
  );
  await fillLists(productId, now);
  const imported = await pool.query<{ id: string }>('select import_id as id from product_import_rows limit 1');
  paths = {
    listImportRows: { id: imported.rows[0]?.id ?? '' },
    listProductsByCategory: { categoryName: category.name },
    listCustomerOrders: { userId: customer.userId },
    listStockMovements: { id: productId },
    listPromotions: { userId: owner.userId },
  };
});
afterAll(() => shop.close());

/** Sixty rows of what the back office lists besides orders, users and products. */
async function fillLists(productId: string, now: Date): Promise<void> {
  const { pool } = shop;
  const sixty = 'from generate_series(1, 60) as n';
  const at = "$1::timestamptz - n * interval '4 minutes'";
  for (const statement of [
    `insert into categories (id, name, description, created_at)
       select gen_random_uuid(), 'place-' || n, '', ${at} ${sixty}`,
    `insert into contact_messages (id, full_name, email, phone, reason, created_at)
       select gen_random_uuid(), 'Awa', 'awa' || n || '@example.com', '', 'Hello', ${at} ${sixty}`,
    `insert into mails (id, kind, about, recipient, state, created_at)
       select gen_random_uuid(), 'security_notice', 'test:' || n, 'ana@example.com', 'sent', ${at} ${sixty}`,
    `insert into alarms (id, kind, about, detail, created_at)
       select gen_random_uuid(), 'mail_failed', 'mail:' || n, 'Something', ${at} ${sixty}`,
    `insert into discounts (id, code, kind, percent, created_at)
       select gen_random_uuid(), 'CODE-' || n, 'percent', 10, ${at} ${sixty}`,
    `insert into delivery_methods (id, name, price_cents, position, created_at)
       select gen_random_uuid(), 'By boat ' || n, 100, n, ${at} ${sixty}`,
    `insert into pages (id, slug, title, markdown, is_published, position, changed_at)
       select gen_random_uuid(), 'page-' || n, 'Page', 'Text', true, n, ${at} ${sixty}`,
    `insert into tax_rates (state, rate_ppm, changed_at)
       select state, 50000, $1 from unnest(string_to_array('${states}', ' ')) as state on conflict do nothing`,
  ])
    await pool.query(statement, [now]);
  await pool.query(
    `insert into stock_movements (product_id, kind, shelf, held, by_user_id, reason, at)
       select $2, 'adjustment', 1, 0, $3, 'Counted', ${at} ${sixty}`,
    [now, productId, owner.userId],
  );
  await pool.query(
    `insert into product_imports (id, state, source, columns, header_hash, counts, created_by, created_at)
       select gen_random_uuid(), 'previewed', 'shop', '[]', '', '{"new": 60, "changed": 0, "unchanged": 0, "wrong": 0}',
         $2, ${at} ${sixty}`,
    [now, owner.userId],
  );
  await pool.query(
    `insert into product_import_rows
         (import_id, position, turn, line, name, unit_size, action, state, cells, extras, changes, problems, notes)
       select (select id from product_imports order by created_at desc limit 1), n - 1, n, n + 1, 'Spice ' || n, '', 'new',
         'waiting', '{}', '{}', '[]', '[]', '[]' ${sixty}`,
  );
  await pool.query(
    `insert into audit_log (at, actor_id, action, target_kind, target_id, before, after)
       select $1, $2, 'user.role_changed', 'user', id::text, '{"role": "ROLE_CUSTOMER"}', '{"role": "ROLE_ADMIN"}'
       from users where email like 'user%'`,
    [now, owner.userId],
  );
  // an open order for each of sixty users
  await pool.query(
    `with waiting as (select id, row_number() over () as place from orders where order_number::int % 2 = 1),
       people as (select id, row_number() over () as place from users where email like 'user%')
     update orders set user_id = people.id, status = 'PENDING_PAYMENT', paid_at = null
     from waiting join people using (place) where orders.id = waiting.id`,
  );
  await pool.query(
    `insert into holds (user_id, order_id, since, until, is_extended, unpaid_ends)
     select user_id, id, created_at, created_at + interval '30 minutes', false, 0
     from orders where status = 'PENDING_PAYMENT'`,
  );
}

const states =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY';

/** Or fewer: the first call fills the shop's in-memory caches. */
const asMany = (statements = 0) => expect.toSatisfy((others: number) => others <= statements, `at most ${statements}`);

/** A customer with this many products in the cart, and enough stock of each. */
async function withLines(lines: number): Promise<Person> {
  const person = await shop.signIn();
  await fillCart(shop, person, lines);
  await shop.pool.query(
    'update products set quantity = 9 where id in (select product_id from cart_items where cart_id = $1)',
    [person.cartId],
  );
  return person;
}

/** The statements of each step from the cart to the refund, with this many lines. */
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

test('buying takes as many statements with forty lines as with one: at most 6 for the cart, 12 for the order', async () => {
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
  await shop.control('deliveries', { mode: 'hold' }); // otherwise the provider's event may end the older order first
  const one = await replacing(1);
  expect(await replacing(40)).toEqual(asMany(one));
  await shop.control('deliveries', { mode: 'normal' });
});

const lists = [...contractOperations.values()].filter(
  ({ operationId: id, parameters = [] }) =>
    /^(?:list|search)/.test(id) && parameters.some(({ name }) => name === 'size'),
);

test.each(lists.map(({ operationId: id }) => id))(
  '%s takes as many statements for fifty rows as for two',
  async (id) => {
    const as = id === 'listCustomerOrders' ? customer : owner;
    const listed = async (size: number) => {
      const query = { ...(id === 'searchProducts' && { q: 'pepper' }), page: 0, size };
      const answer = await shop.call(id, { as, path: paths[id] as never, query });
      expect(answer.status).toBe(200);
      const [rows] = Object.values(answer.data as Record<string, { content?: object[] }>).flatMap(({ content }) =>
        content ? [content] : [],
      );
      return { rows: rows?.length, statements: answer.statements };
    };
    const [two, fifty] = [await listed(2), await listed(50)];
    expect([two.rows, fifty.rows]).toEqual([2, 50]);
    expect(fifty.statements).toEqual(asMany(two.statements));
  },
);

test('the stored counts equal a fresh count, while several change the rows and add the counts up', async () => {
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
    await pool.query('select add_up_counts() from generate_series(1, 300)'); // it otherwise does so at random
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
