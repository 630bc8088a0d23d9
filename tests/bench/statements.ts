/**
 * The bare SQL of three operations: the statements that src/server/cart and src/server/orders send to the database, in
 * the same transactions, without HTTP, checks, JSON and Drizzle. The shop is compared with it.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { lineId } from '../../src/shared/cart';
import type { Buyer, Product } from './buyers';

/** addCartItem with an Idempotency-Key. */
export async function addCartItem(pool: Pool, { userId, cartId }: Buyer, productId: string): Promise<void> {
  const now = new Date();
  const key = randomUUID();
  await inTransaction(pool, async (client) => {
    await client.query(claimKey, [userId, key, createHash('sha256').update(key).digest(), now]);
    const { rows } = await client.query<{ price_cents: number }>(productForCart, [productId, userId]);
    await client.query(addUnits, [lineId(userId, productId), cartId, productId, rows[0]?.price_cents, now]);
    const cart = await client.query(readCart, [userId]);
    await client.query(answerKey, [200, JSON.stringify(cart.rows), userId, key]);
  });
}

/** updateCartItem, a line's new quantity, with an Idempotency-Key. */
export async function updateCartItem(pool: Pool, { userId }: Buyer, productId: string, units: number): Promise<void> {
  const now = new Date();
  const key = randomUUID();
  await inTransaction(pool, async (client) => {
    await client.query(claimKey, [userId, key, createHash('sha256').update(key).digest(), now]);
    const { rows } = await client.query<{ id: string; price_cents: number }>(findLine, [
      userId,
      lineId(userId, productId),
    ]);
    await client.query(setUnits, [rows[0]?.id, units, rows[0]?.price_cents]);
    await client.query(answerKey, [200, JSON.stringify(rows), userId, key]);
  });
}

/** placeOrder with an Idempotency-Key, without the provider's part. */
export async function placeOrder(pool: Pool, { userId, cartId }: Buyer, products: ReadonlyMap<string, Product>) {
  const now = new Date();
  const key = randomUUID();
  const orderId = randomUUID();
  const claim = [userId, key, createHash('sha256').update(key).digest(), now];
  await pool.query(claimKey, claim);
  await inTransaction(pool, async (client) => {
    await client.query(lockCart, [userId]);
    const { rows } = await client.query<{ product_id: string; quantity: number }>(lockLines, [cartId]);
    const lines = rows.map(({ product_id: id, quantity }) => ({ ...products.get(id), id, quantity }));
    await client.query(findOpenOrder, [userId]);
    const totalCents = lines.reduce((sum, { priceCents = 0, quantity }) => sum + priceCents * quantity, 0);
    const hash = createHash('sha256').update(orderId).digest();
    const [ids, units] = [lines.map(({ id }) => id), lines.map(({ quantity }) => quantity)];
    const names = lines.map(({ name }) => name);
    const prices = lines.map(({ priceCents }) => priceCents);
    const until = new Date(now.getTime() + 31 * 60_000);
    await client.query(insertOrder, [orderId, userId, cartId, totalCents, hash, now, until, ids, names, prices, units]);
    await client.query(holdStock, [ids, units, orderId, now]);
  });
  await pool.query(readPayment, [orderId]);
  await pool.query(openPayment, [`cs_test_bare${orderId}`, `http://127.0.0.1/c/pay/${orderId}`, orderId]);
  await pool.query(saveAnswer, [...claim, JSON.stringify({ orderId })]);
}

async function inTransaction(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
  } finally {
    client.release();
  }
}

const claimKey = `insert into idempotency_keys (scope, key, request_hash, created_at) values ($1, $2, $3, $4)
  on conflict do nothing returning key`;
const answerKey = `update idempotency_keys set status = $1, answer = $2 where scope = $3 and key = $4`;
const saveAnswer = `insert into idempotency_keys (scope, key, request_hash, created_at, status, answer)
  values ($1, $2, $3, $4, 201, $5) on conflict (scope, key) do update set status = 201, answer = excluded.answer`;

const heldByOwnOrder = `coalesce((
  select order_items.quantity from orders join order_items on order_items.order_id = orders.id
  where orders.user_id = carts.user_id and orders.status = 'PENDING_PAYMENT' and order_items.product_id = products.id), 0)`;
const productForCart = `select carts.id, price_cents, availability, archived_at, products.quantity + ${heldByOwnOrder}
  from carts join products on products.id = $1 where carts.user_id = $2`;
const addUnits = `insert into cart_items (id, cart_id, product_id, quantity, confirmed_price_cents, created_at)
  values ($1, $2, $3, 1, $4, $5) on conflict (cart_id, product_id) do update
  set quantity = cart_items.quantity + excluded.quantity, confirmed_price_cents = excluded.confirmed_price_cents
  where cart_items.quantity + excluded.quantity <= 99 returning quantity`;
const readCart = `select carts.id as cart_id, cart_items.id, cart_items.product_id, name, confirmed_price_cents,
  cart_items.quantity, picture_hash, price_cents, availability, archived_at, products.quantity + ${heldByOwnOrder} as stock,
  unit_cost_cents from carts left join cart_items on cart_items.cart_id = carts.id
  left join products on products.id = cart_items.product_id where carts.user_id = $1
  order by cart_items.created_at, cart_items.id`;
const findLine = `select cart_items.id, cart_items.product_id, name, confirmed_price_cents, cart_items.quantity, picture_hash,
  price_cents, availability, archived_at, products.quantity + ${heldByOwnOrder} as stock, unit_cost_cents from cart_items
  join carts on carts.id = cart_items.cart_id join products on products.id = cart_items.product_id
  where carts.user_id = $1 and cart_items.id = $2`;
const setUnits = `update cart_items set quantity = $2, confirmed_price_cents = $3 where id = $1 returning id`;

const lockCart = `select id from carts where user_id = $1 for no key update`;
const lockLines = `select cart_items.id, cart_items.product_id, name, confirmed_price_cents, cart_items.quantity,
  picture_hash, price_cents, availability, archived_at, products.quantity + ${heldByOwnOrder} as stock, unit_cost_cents,
  cart_items.created_at from carts join cart_items on cart_items.cart_id = carts.id
  join products on products.id = cart_items.product_id where carts.id = $1
  order by products.id for no key update of products`;
const findOpenOrder = `select *, (select max(paid_at) from orders where orders.user_id = carts.user_id
    and paid_at is not null) from carts
  left join orders on orders.user_id = carts.user_id and status = 'PENDING_PAYMENT'
  left join payment_sessions on payment_sessions.order_id = orders.id
  left join holds on holds.user_id = carts.user_id where carts.user_id = $1`;
const insertOrder = `with made as (
    insert into orders (id, order_number, user_id, cart_id, customer, street, city, state, postal_code, status,
      total_cents, content_hash, created_at) values ($1, nextval('order_numbers')::text, $2, $3, 'Awa Jallow',
      '12 Market Street', 'Atlanta', 'GA', '30303', 'PENDING_PAYMENT', $4, $5, $6) returning order_number),
  lines as (
    insert into order_items (id, order_id, product_id, product_name, unit_price_cents, quantity, total_cents,
      category_id, position)
    select gen_random_uuid(), $1, id, name, price, units, price * units,
      (select category_id from products where products.id = line.id), place - 1
    from unnest($8::uuid[], $9::text[], $10::int[], $11::int[]) with ordinality as line(id, name, price, units, place)),
  step as (
    insert into order_timeline (order_id, status, by_user_id, at) values ($1, 'PENDING_PAYMENT', $2, $6)),
  payment as (
    insert into payment_sessions (order_id, state, amount_cents, expires_at, created_at)
    values ($1, 'creating', $4, $7, $6)),
  held as (
    insert into holds (user_id, order_id, since, until, is_extended, unpaid_ends) values ($2, $1, $6, $7, false, 0)
    on conflict (user_id) do update set order_id = excluded.order_id, since = excluded.since, until = excluded.until,
      is_extended = excluded.is_extended, unpaid_ends = excluded.unpaid_ends, ended_by = null)
  select * from made`;
const holdStock = `with taken as (
    update products set quantity = quantity - line.units
    from unnest($1::uuid[], $2::int[]) as line(product_id, units)
    where products.id = line.product_id and products.quantity >= line.units returning products.id, line.units)
  insert into stock_movements (product_id, kind, shelf, held, order_id, at)
  select id, 'hold', -units, units, $3, $4 from taken returning product_id`;
const readPayment = `select * from orders join users on users.id = orders.user_id
  join payment_sessions on payment_sessions.order_id = orders.id join order_items on order_items.order_id = orders.id
  where orders.id = $1 order by position`;
const openPayment = `update payment_sessions set session_id = $1, url = $2, state = 'open'
  where order_id = $3 and state = 'creating'`;
