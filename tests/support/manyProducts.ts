/** Inserts a large catalog in one go, for tests that speed does not depend on its size. */
import type pg from 'pg';

const kinds =
  'Royal Fine Coarse Golden Smoked Wild Young Aged Sweet Hot Mild Bitter Roasted Dried Fresh Ground Whole Cracked Mountain River Coastal Village Market';
const spices =
  'Pepper Ginger Cumin Coriander Turmeric Paprika Cinnamon Nutmeg Clove Cardamom Saffron Fennel Fenugreek Mustard Sumac Thyme Oregano Basil Rosemary Sage Mint Dill Parsley Anise Caraway Chili Garlic Onion Salt Sesame Tamarind Vanilla Mace Allspice Juniper Marjoram Tarragon';
const moods = 'warm bright earthy smoky floral sharp round deep';
const syllables = 'ka ni do ra me lu sa ti bo ve ju pa go shi fe wo';

const pick = (words: string, by: string) =>
  `(string_to_array('${words}', ' '))[1 + (${by}) % ${words.split(' ').length}]`;
/** A made-up word shared by ten products. */
const family = [0, 4, 8, 12].map((bits) => pick(syllables, `n / 10 * 2654435761 >> ${bits}`)).join(' || ');

/**
 * Adds products to five categories, newest last, until there are `to`; every twentieth is archived. Half of
 * them are sizes, four in each group. A name has three words: two shared by hundreds or thousands of products, and one
 * shared by ten. Rows maintained by triggers are written in bulk and word indexes rebuilt: one by one it would take a
 * quarter of an hour.
 * @param from how many were added before; like `to`, a multiple of four
 */
export async function addProducts(pool: pg.Pool, from: number, to: number, now: Date): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set role none'); // the shop's own role may not alter tables
    await client.query('begin');
    const { rows: indexes } = await client.query<{ name: string; made: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made
       from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
       where indrelid in ('products'::regclass, 'product_search'::regclass, 'search_words'::regclass) and amname = 'gin'`,
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    for (const table of ['products', 'product_search', 'categories'])
      await client.query(`alter table ${table} disable trigger user`);
    await client.query(
      `insert into categories (id, name, title, description, change_cursor, created_at)
       select gen_random_uuid(), 'aisle-' || n, 'Aisle ' || n, '', n, $1 from generate_series(1, 5) as n
       on conflict do nothing`,
      [now],
    );
    await client.query(
      `insert into products (id, category_id, name, description, price_cents, availability, quantity, picture_hash,
         unit_size, origin, heat_level, allergens, unit_cost_cents, supplier, tags, size_group, change_cursor, created_at,
         archived_at)
       select gen_random_uuid(), categories.id, ${pick(kinds, 'n')} || ' ' || ${pick(spices, 'n * 7919')} || ' ' || ${family},
         'A ' || ${pick(moods, 'n')} || ' seasoning for stews, grilled fish and rice, packed by hand. Number ' || n % 5000,
         100 + n * 104729 % 5000, n % 7 > 0, n * 31 % 200, picture.hash, '50 g', ${pick('Ghana India Gambia Senegal', 'n')},
         nullif(n % 7, 6), case when n % 9 = 0 then '{Peanut}' else '{}' end::text[], case when n % 3 > 0 then 50 end,
         case when n % 4 > 0 then 'Mill ' || n % 7 end, array['tag-' || n % 20, 'tag-' || 20 + n % 3],
         case when (n - 1) / 4 % 2 = 0 then md5('sizes ' || (n - 1) / 4)::uuid end,
         $2 + n, $1::timestamptz - interval '400 days' + n * interval '4 minutes', case when n % 20 = 0 then $1::timestamptz end
       from generate_series($3::bigint + 1, $4::bigint) as n
       join categories on categories.name = 'aisle-' || 1 + (n - 1) / 4 % 5
       left join (select hash, row_number() over (order by hash) - 1 as place, count(*) over () as pictures from pictures)
         as picture on place = n % pictures`,
      [now, 1_000_000, from, to],
    );
    await client.query('update catalog_cursor set position = greatest(position, $1)', [1_000_000 + to]);
    await client.query('select index_products(array(select id from products where change_cursor > $1))', [
      1_000_000 + from,
    ]);
    await client.query(
      `insert into search_words select distinct word from product_search, unnest(tsvector_to_array(words)) as word
       on conflict do nothing`,
    );
    await client.query(
      `insert into kept_counts select counted.list, counted.part, counted.value, count(*)
       from products, counts_of_product(products) as counted where change_cursor > $1 group by 1, 2, 3`,
      [1_000_000 + from],
    );
    await client.query('select write_cards(array(select id from products where change_cursor > $1))', [
      1_000_000 + from,
    ]);
    for (const table of ['products', 'product_search', 'categories'])
      await client.query(`alter table ${table} enable trigger user`);
    for (const { made } of indexes) await client.query(made);
    await client.query(`select pg_notify('catalog', 'facts')`);
    await client.query('commit');
    await client.query('vacuum analyze products, product_cards, product_search, search_words, kept_counts');
  } finally {
    client.release(true);
  }
}
