/** Fills the back office's lists with many orders and users. */
import { parse } from 'csv-parse/sync';
import type pg from 'pg';
import type { TestShop } from './shop';

const names = [`'Awa Ceesay'`, `'lamin Touray'`, `'Grace Okafor'`, `'=Marie Lowe'`, `'100% Chef_Njie'`];
const statuses = [`'DELIVERED'`, `'DELIVERED'`, `'PAID'`, `'OUT_FOR_DELIVERY'`, `'CANCELLED'`, `'REFUNDED'`];
const pick = (values: readonly string[], by: string) => `(array[${values.join(', ')}])[1 + ${by} % ${values.length}]`;

/**
 * Inserts orders of the last year, newest first, one line each; some have a refund.
 * @param buyer a new one for each call
 * @returns the customer's id
 */
export async function generateOrders(pool: pg.Pool, orders: number, now: Date, buyer = 'buyer'): Promise<string> {
  const userId = await generateUsers(pool, 1, now, buyer);
  const { rows } = await pool.query<{ id: string }>(
    `with shelf as (
       insert into categories (id, name, description, created_at) values (gen_random_uuid(), 'shelf-of-' || $2::text, '', $1)
       returning id)
     insert into products (id, category_id, name, description, price_cents, availability, quantity, created_at)
       select gen_random_uuid(), id, 'Pepper', '', 450, true, 0, $1 from shelf returning id`,
    [now, buyer],
  );
  await pool.query(
    `with made as (
       insert into orders (id, order_number, user_id, cart_id, customer, street, city, state, postal_code, status,
         total_cents, content_hash, created_at, paid_at)
       select gen_random_uuid(), nextval('order_numbers')::text, $2, gen_random_uuid(),
         ${pick(names, 'n')} || ' ' || n * 7919 % 1000, 'a', 'b', 'GA', '30303', ${pick(statuses, 'n')},
         50 + n::bigint * 104729 % 20000, '', moment,
         case when ${pick(statuses, 'n')} <> 'CANCELLED' then moment + interval '2 minutes' end
       from generate_series(1, $3::int) as n, lateral (
         select $1::timestamptz - n * (interval '365 days' / $3::int) as moment) as moments
       returning id, total_cents, paid_at, status),
     lines as (
       insert into order_items (id, order_id, product_id, product_name, unit_price_cents, unit_cost_cents, quantity,
         total_cents, category_id, position)
       select gen_random_uuid(), id, $4, 'Pepper', total_cents, 20, 1, total_cents,
         (select category_id from products where products.id = $4), 0 from made)
     insert into refunds (id, order_id, amount_cents, state, reason, created_at, done_at)
       select gen_random_uuid(), id, total_cents, 'done', 'x', paid_at, paid_at + interval '3 days'
       from made where status = 'REFUNDED'`,
    [now, userId, orders, rows[0]?.id],
  );
  await pool.query('vacuum analyze orders');
  return userId;
}

/**
 * Gives existing orders the texts by which staff find them: a customer, a street, names of products, the id of the
 * payment, and a tracking number; products get SKUs.
 */
export async function generateOrderTexts(pool: pg.Pool): Promise<void> {
  const streets = ['Linden Street', 'Maple Avenue', 'Oak Road', 'Main Street', 'River Drive'].map(
    (name) => `'${name}'`,
  );
  const goods = ['Afra Grill Rub', 'Peppersoup Blend', 'Baobab Leaf', 'Djar Mix', 'Smoked Paprika', 'Berbere'];
  const blends = goods.map((name) => `'${name}'`);
  await pool.query(`update products set sku = 'SKU-' || n
    from (select id, row_number() over (order by id) as n from products) as numbered where numbered.id = products.id`);
  await pool.query(`update order_items
    set product_name = ${pick(blends, 'abs(hashtext(product_id::text))')} || ' ' || abs(hashtext(product_id::text)) % 500`);
  await pool.query(`
    with numbered as (select id, row_number() over (order by created_at) as n from orders),
    customers as (select id, row_number() over (order by email) as n from users where email like 'user%')
    update orders set user_id = customers.id, street = numbered.n * 7919 % 9999 || ' ' || ${pick(streets, 'numbered.n')}
    from numbered join customers using (n) where numbered.id = orders.id`);
  const numbered =
    'orders join (select id, row_number() over (order by created_at) as n from orders) as numbered using (id)';
  await pool.query(`
    insert into payment_sessions (order_id, state, amount_cents, payment_intent_id, expires_at, created_at)
    select id, 'paid', total_cents, 'pi_' || left(md5(n::text), 24), created_at, created_at
    from ${numbered} where paid_at is not null on conflict do nothing`);
  await pool.query(`
    insert into parcels (id, order_id, carrier, tracking_number, by_user_id, shipped_at)
    select gen_random_uuid(), id, 'usps', '94001112' || lpad((n * 829348951 % 100000000000000)::text, 14, '0'), user_id, paid_at
    from ${numbered} where paid_at is not null`);
  await pool.query('vacuum analyze orders, order_items, order_words, products, payment_sessions, parcels');
}

/** @returns the id of the last user */
export async function generateUsers(pool: pg.Pool, users: number, now: Date, prefix = 'user'): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (id, email, email_key, full_name, role, is_enabled, password_hash, created_at)
     select gen_random_uuid(), $3 || n || '@example.com', $3 || n || '@example.com',
       ${pick(names, 'n')} || ' ' || n * 7919 % 1000, case when n % 50 = 0 then 'ROLE_ADMIN' else 'ROLE_CUSTOMER' end,
       n % 11 > 0, '', $1::timestamptz - n * interval '4 minutes'
     from generate_series(1, $2::int) as n returning id`,
    [now, users, prefix],
  );
  await pool.query('vacuum analyze users');
  return rows.at(-1)?.id ?? '';
}

/** The rows of a CSV file, keyed by column name. */
export const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true, bom: true });

/** A new category with `count` products: 'Blend 1' costs $1.00, 'Blend 2' $2.00, and so on. */
export async function stockCategory(shop: TestShop, count: number) {
  const category = await shop.category();
  const stocked = [];
  for (let number = 1; number <= count; number += 1) {
    const facts = { categoryId: category.id, name: `Blend ${number}`, priceCents: number * 100, quantity: number };
    stocked.push(await shop.stock(facts));
  }
  return { ...category, stocked };
}

/** Products of 20 categories; every tenth is archived. */
export async function generateProducts(pool: pg.Pool, products: number, now: Date): Promise<void> {
  await pool.query(
    `with shelves as (
       insert into categories (id, name, description, created_at)
       select gen_random_uuid(), 'shelf-' || n, '', $1 from generate_series(1, 20) as n returning id),
     numbered as (select id, row_number() over () as place from shelves)
     insert into products (id, category_id, name, description, price_cents, availability, quantity, unit_cost_cents,
       supplier, tags, created_at, archived_at)
     select gen_random_uuid(), id, 'Pepper ' || n * 7919 % 1000, 'Number ' || n, 100 + n * 104729 % 5000, n % 7 > 0,
       n * 31 % 200, case when n % 3 > 0 then 50 end, case when n % 4 > 0 then 'Mill ' || n % 7 end,
       array['tag-' || n % 20, 'tag-' || 20 + n % 3], $1::timestamptz - n * interval '1 hour',
       case when n % 10 = 0 then $1::timestamptz end
     from generate_series(1, $2::int) as n join numbered on place = 1 + n % 20`,
    [now, products],
  );
  await pool.query('vacuum analyze products');
}

/** Inserts 20,000 messages, 100,000 mails and audit log entries. @param userId the author of all of them */
export async function generateLog(pool: pg.Pool, userId: string, now: Date): Promise<void> {
  await pool.query(
    `insert into contact_messages (id, full_name, email, phone, reason, created_at, read_at, answered_at)
     select gen_random_uuid(), ${pick(names, 'n')}, 'writer' || n || '@example.com', '', 'Do you sell djar by the kilo? ' || n,
       moment, case when n % 3 > 0 then moment end, case when n % 3 = 2 then moment end
     from generate_series(1, 20000) as n, lateral (select $1::timestamptz - n * interval '20 minutes' as moment) as moments`,
    [now],
  );
  await pool.query(
    `insert into mails (id, kind, about, recipient, state, created_at)
     select gen_random_uuid(), 'security_notice', 'bench:' || n, 'ana@example.com',
       case when n % 1000 = 0 then 'failed' when n % 50 = 0 then 'cancelled' else 'sent' end,
       $1::timestamptz - n * interval '4 minutes'
     from generate_series(1, 100000) as n`,
    [now],
  );
  await pool.query(
    `insert into audit_log (at, actor_id, action, target_kind, target_id, after)
     select $1::timestamptz - n * interval '4 minutes', case when n % 100 = 0 then $2::uuid end,
       (array['order.status_changed', 'order.note_added', 'user.profile_changed'])[1 + n % 3],
       (array['order', 'order', 'user'])[1 + n % 3], gen_random_uuid()::text, '{"status": "PAID"}'
     from generate_series(1, 100000) as n`,
    [now, userId],
  );
  await pool.query('vacuum analyze contact_messages, mails, audit_log');
}
