/** Inserts the orders of many years in bulk, so that all books agree about them. */
import type { Pool } from 'pg';

const unitsPerLine = 2;

/**
 * Paid orders of three lines, by 50 customers in turn, with stock, payment, event, timeline and mail.
 * @param pool of a shop with the demo catalog, whose shelves are filled first
 */
export async function writeOrders(pool: Pool, orders: number, now: Date): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    await client.query(
      `create temporary table shelf on commit drop as select id, name, price_cents,
         row_number() over (order by id) - 1 as place, count(*) over () as places
       from products where archived_at is null`,
    );
    await client.query(
      `insert into stock_movements (product_id, kind, shelf, held, reason, at)
       select id, 'adjustment', $1::int, 0, 'Drill', $2 from shelf`,
      [orders * unitsPerLine * 3, now],
    );
    await client.query(
      `create temporary table buyer on commit drop as
       select gen_random_uuid() as id, n as place from generate_series(0, greatest($1::int / 50, 1) - 1) as n`,
      [orders],
    );
    await client.query(
      `insert into users (id, email, email_key, full_name, role, password_hash, created_at)
       select id, id || '@example.com', id || '@example.com', 'Awa Jallow', 'ROLE_CUSTOMER', 'none', $1 from buyer`,
      [now],
    );
    await client.query(`insert into carts (id, user_id, created_at) select gen_random_uuid(), id, $1 from buyer`, [
      now,
    ]);
    await client.query(
      `create temporary table sold on commit drop as
       select gen_random_uuid() as id, n, buyer.id as user_id, $2::timestamptz - n * interval '5 minutes' as at
       from generate_series(1, $1::int) as n join buyer on buyer.place = n % greatest($1::int / 50, 1)`,
      [orders, now],
    );
    await client.query(
      `create temporary table line on commit drop as
       select sold.id as order_id, sold.at, shelf.id as product_id, shelf.name, price_cents, position
       from sold cross join generate_series(0, 2) as position
       join shelf on place = (n * 7 + position) % places`,
    );
    await client.query('analyze sold, line, shelf');
    for (const statement of written) await client.query(statement);
    await client.query('commit');
    await client.query('analyze');
  } finally {
    client.release();
  }
}

const written = [
  `insert into orders (id, order_number, user_id, cart_id, customer, street, city, state, postal_code, status,
     total_cents, content_hash, created_at, paid_at)
   select id, nextval('order_numbers')::text, user_id, gen_random_uuid(), 'Awa Jallow ' || n, '12 Market Street',
     'Atlanta', 'GA', '30303', 'PAID', total, sha256(id::text::bytea), at, at
   from sold join (select order_id, sum(price_cents * ${unitsPerLine}) as total from line group by order_id) as sums
     on order_id = id`,
  `insert into order_items (id, order_id, product_id, product_name, unit_price_cents, quantity, total_cents,
     category_id, position)
   select gen_random_uuid(), order_id, product_id, line.name, line.price_cents, ${unitsPerLine}, line.price_cents * ${unitsPerLine},
     category_id, position
   from line join products on products.id = product_id`,
  `insert into stock_movements (product_id, kind, shelf, held, order_id, at)
   select product_id, 'hold', -${unitsPerLine}, ${unitsPerLine}, order_id, at from line`,
  `insert into stock_movements (product_id, kind, shelf, held, order_id, at)
   select product_id, 'sale', 0, -${unitsPerLine}, order_id, at from line`,
  `update products set quantity = (select sum(shelf) from stock_movements where product_id = products.id)
   where id in (select id from shelf)`,
  `insert into order_timeline (order_id, status, at) select id, 'PENDING_PAYMENT', at from sold`,
  `insert into order_timeline (order_id, status, at) select id, 'PAID', at from sold`,
  `insert into payment_sessions (order_id, session_id, url, state, amount_cents, payment_intent_id, expires_at, created_at)
   select sold.id, 'cs_test_' || replace(sold.id::text, '-', ''), null, 'paid', total_cents,
     'pi_' || replace(sold.id::text, '-', ''), at, at from sold join orders using (id)`,
  `insert into payment_events (id, type, order_id, outcome, received_at)
   select 'evt_' || replace(id::text, '-', ''), 'checkout.session.completed', id, 'done', at from sold`,
  `insert into mails (id, kind, about, recipient, user_id, order_id, state, created_at, sent_at)
   select gen_random_uuid(), 'order_confirmation', 'order_confirmation:' || id, 'awa@example.com', user_id, id, 'sent', at, at
   from sold`,
];
