import type pg from 'pg';

/**
 * Gives existing orders what a busy shop's orders have: three lines of many products, delivery, tax, a code on every
 * third, and refunds by line. Parts add up; there are 1,000 codes.
 */
export async function generateSelling(pool: pg.Pool, now: Date): Promise<void> {
  const client = await pool.connect(); // temporary tables belong to one connection
  try {
    await generate(client, now);
  } finally {
    client.release();
  }
}

async function generate(pool: pg.PoolClient, now: Date): Promise<void> {
  await pool.query(
    `insert into discounts (id, code, kind, percent, max_uses, starts_at, ends_at, note, created_at)
     select gen_random_uuid(), 'CODE-' || n, 'percent', 10, case when n % 4 = 0 then 50 end,
       case when n % 9 = 0 then $1::timestamptz + interval '9 days' end,
       case when n % 5 = 0 then $1::timestamptz - interval '9 days' end, case when n % 7 = 0 then 'Spring' else '' end,
       $1::timestamptz - n * interval '8 hours'
     from generate_series(1, 1000) as n`,
    [now],
  );
  // with statistics; otherwise the planner may scan all of them for each line
  await pool.query(
    `create temporary table numbered as
     select id, price_cents, unit_cost_cents, category_id, (row_number() over ())::int as place from products`,
  );
  await pool.query(`create temporary table code as select id, (row_number() over ())::int as place from discounts`);
  await pool.query('create unique index on numbered (place)');
  await pool.query('create unique index on code (place)');
  await pool.query('analyze numbered, code');
  await pool.query('delete from refund_lines');
  await pool.query('delete from refunds');
  await pool.query('delete from order_items');
  await pool.query(
    `with picked as (
       select orders.id, n, numbered.id as product_id, price_cents, unit_cost_cents, category_id, 1 + length(order_number || n) % 3 as quantity
       from orders cross join generate_series(0, 2) as n
       join numbered on place = 1 + (abs(hashtext(orders.id::text)) % 3333) * 3 + n),
     lines as (
       insert into order_items (id, order_id, product_id, product_name, unit_price_cents, unit_cost_cents, quantity, total_cents,
         tax_cents, category_id, position)
       select gen_random_uuid(), id, product_id, 'Pepper', price_cents, unit_cost_cents, quantity, price_cents * quantity,
         n * 7, category_id, n from picked
       returning order_id, total_cents, tax_cents)
     update orders set total_cents = sums.goods + 650 + sums.tax, delivery_cents = 650, tax_cents = sums.tax,
       taxed_cents = sums.goods, tax_state = 'GA', tax_rate_ppm = 57500,
       state = (array['GA', 'NY', 'TX', 'CA', 'OH', 'FL'])[1 + abs(hashtext(orders.id::text)) % 6],
       discount_id = case when abs(hashtext(orders.id::text)) % 3 = 0 then
         (select id from code where place = 1 + abs(hashtext(orders.id::text)) % 1000) end
     from (select order_id, sum(total_cents) as goods, sum(tax_cents) as tax from lines group by 1) as sums
     where sums.order_id = orders.id`,
  );
  await pool.query('analyze orders, order_items'); // otherwise each order's line is searched among all of them
  await pool.query(
    `with made as (
       insert into refunds (id, order_id, amount_cents, tax_cents, is_by_lines, state, reason, created_at, done_at)
       select gen_random_uuid(), orders.id, item.total_cents + item.tax_cents, item.tax_cents, paid_at < $1, 'done', 'x',
         paid_at, paid_at + interval '3 days'
       from orders join order_items as item on order_id = orders.id and position = 0
       where paid_at is not null and abs(hashtext(orders.id::text)) % 10 = 0
       returning id, order_id)
     insert into refund_lines (refund_id, order_item_id, quantity, restock, goods_cents, tax_cents)
     select made.id, item.id, quantity, false, total_cents, tax_cents
     from made join order_items as item on item.order_id = made.order_id and position = 0`,
    [now],
  );
  await pool.query('vacuum analyze orders, order_items, refunds, refund_lines, money_by_line, discounts');
}
