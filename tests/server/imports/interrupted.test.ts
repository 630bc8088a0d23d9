/** Imports that are interrupted, that meet a changed shop, and whole exports. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { importCalls } from '../../support/imports';
import { generateProducts } from '../../support/backOffice';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
let calls: ReturnType<typeof importCalls>;
beforeAll(async () => {
  shop = await openOwnShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  calls = importCalls(shop, staff);
});
afterAll(() => shop.close());

const columns = 'name,description,price,availability,quantity,category';
const fileOf = (word: string, count: number, category: string) =>
  [columns, ...Array.from({ length: count }, (_, at) => `${word} ${at},Good,4.35,yes,3,${category}`)].join('\n');

test('an import that lost its connections in the middle goes on, and imports no row twice', async () => {
  const { name: category } = await shop.category();
  const { id } = await calls.preview(fileOf('Cut', 90, category));
  await shop.call('runImport', { as: staff, path: { id }, body: {} });
  const first = shop.jobs.runImports().catch(() => undefined);
  await expect.poll(async () => (await calls.readImport(id)).progress.done, { interval: 5 }).toBeGreaterThan(0);
  await shop.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await first;
  await shop.jobs.runImports();
  expect(await calls.readImport(id)).toMatchObject({
    state: 'done',
    progress: { done: 90, of: 90 },
    rows: { new: 90 },
  });
  const { rows } = await shop.pool.query(
    `select p.name, m.shelf from products p join stock_movements m on m.product_id = p.id
     where p.name like 'Cut %' order by p.created_at`,
  );
  expect(rows).toEqual(Array.from({ length: 90 }, (_, at) => ({ name: `Cut ${at}`, shelf: 3 })));
});

test('an import that stops inside its second batch leaves nothing twice and loses nothing', async () => {
  const { name: category } = await shop.category();
  const old = await Promise.all(Array.from({ length: 30 }, () => shop.stock({ quantity: 10, priceCents: 450 })));
  const changes = old.map(({ id, name }) => `${id},${name},Good,5.25,yes,12,10,${category}`);
  const creations = Array.from({ length: 30 }, (_, at) => `,Stop ${at},Good,4.35,yes,3,,${category}`);
  const csv = [`id,${columns.replace('quantity', 'quantity,quantityWas')}`, ...changes, ...creations].join('\n');
  const { id } = await calls.preview(csv);
  await shop.call('runImport', { as: staff, path: { id }, body: {} });
  await shop.pool.query(`
    create function stop_import() returns trigger language plpgsql as
      $$ begin raise exception 'shut down' using errcode = '57P01'; end $$;
    create trigger stop_import before update on product_import_rows
      for each row when (new.position = 25 and new.state = 'done') execute function stop_import()`);
  await shop.jobs.runImports().catch(() => undefined);
  expect((await calls.readImport(id)).progress).toEqual({ done: 20, of: 60 });
  await shop.pool.query('drop trigger stop_import on product_import_rows; drop function stop_import()');
  await shop.jobs.runImports();
  expect(await calls.readImport(id)).toMatchObject({ state: 'done', rows: { new: 30, changed: 30, wrong: 0 } });
  const { rows } = await shop.pool.query(
    `select p.name, p.price_cents, p.quantity, array_agg(m.shelf order by m.shelf) as moves
     from products p join stock_movements m on m.product_id = p.id
     where p.id = any($1) or p.name like 'Stop %' group by p.id order by p.created_at`,
    [old.map((product) => product.id)],
  );
  const changed = { price_cents: 525, quantity: 12, moves: [2, 10] };
  const created = { price_cents: 435, quantity: 3, moves: [3] };
  expect(rows).toHaveLength(60);
  expect(rows.filter(({ name }) => !name.startsWith('Stop '))).toEqual(old.map(() => expect.objectContaining(changed)));
  expect(rows.filter(({ name }) => name.startsWith('Stop '))).toEqual(
    Array.from({ length: 30 }, (_, at) => ({ name: `Stop ${at}`, ...created })),
  );
});

test('a row that another process imported meanwhile is not given up, and neither is the one after it', async () => {
  const { name: category } = await shop.category();
  const { id } = await calls.preview(fileOf('Shaky', 3, category));
  await shop.pool.query(`create function shake() returns trigger language plpgsql as $$
    begin if new.name = 'Shaky 0' then raise exception 'shaken'; end if; return new; end $$;
    create trigger shake before insert on products for each row execute function shake()`);
  await shop.call('runImport', { as: staff, path: { id }, body: {} });
  const transaction = shop.db.transaction.bind(shop.db);
  let transactions = 0;
  const spy = vi.spyOn(shop.db, 'transaction').mockImplementation(async (...sent) => {
    transactions += 1; // the batch, then its first row, then that row is given up
    if (transactions === 3) {
      await shop.pool.query('drop trigger shake on products; drop function shake');
      await shop.pool.query(
        `update product_import_rows set state = 'done' where import_id = '${id}' and name = 'Shaky 0'`,
      );
    }
    return transaction(...sent);
  });
  await shop.jobs.runImports();
  spy.mockRestore();
  expect(await calls.readImport(id)).toMatchObject({ state: 'done', rows: { wrong: 0 } });
});

test('a row that does not fit any more is left out and named, and the others are imported', async () => {
  const { name: category } = await shop.category();
  const csv = `${columns},sku\nFits,Good,4.35,yes,3,${category},FIT-1\nTaken,Good,4.35,yes,3,${category},FIT-2\n`;
  const { id } = await calls.preview(csv);
  const { id: other } = await shop.stock();
  await calls.imported(`id,sku,slug\n${other},FIT-3,taken-address\n`);
  const { id: second } = await calls.preview(`${columns},slug\nLate,Good,4.35,yes,3,${category},late-address\n`);
  await calls.imported(`id,slug\n${other},late-address\n`);
  await calls.run(id);
  expect(await calls.readImport(id)).toMatchObject({ state: 'done', rows: { new: 2, wrong: 0 } });
  await calls.run(second);
  expect(await calls.readImport(second)).toMatchObject({
    state: 'failed',
    rows: { new: 0, wrong: 1 },
    problems: [{ name: 'Late', column: 'slug', message: 'Another product has or had this address' }],
  });
});

test('two previews of one file, both imported, create its products once', async () => {
  const { name: category } = await shop.category();
  const csv = fileOf('Double', 3, category);
  const [one, two] = [await calls.preview(csv), await calls.preview(csv)];
  await calls.run(one.id);
  await calls.run(two.id);
  expect((await calls.readImport(two.id)).rows).toEqual({ new: 0, changed: 0, unchanged: 3, wrong: 0 });
});

test('the shop’s own export of any size is imported again, and changes nothing', async () => {
  await generateProducts(shop.pool, 1_500, shop.clock.now());
  const csv = await calls.exported({ archived: 'all' });
  const found = await calls.preview(csv);
  expect(found).toMatchObject({ source: 'shop', rows: { new: 0, changed: 0, wrong: 0 } });
  expect(found.rows.unchanged).toBeGreaterThan(1_500);
});

test('rows of an import are deleted after 30 days, and what it was stays', async () => {
  const { name: category } = await shop.category();
  const { id } = await calls.imported(fileOf('Old', 2, category));
  shop.clock.advance(31 * 24 * 3_600_000);
  await shop.jobs.deleteOldRows();
  staff = await shop.again(staff);
  calls = importCalls(shop, staff);
  expect(await calls.rowsOf(id)).toEqual([]);
  expect(await calls.readImport(id)).toMatchObject({ state: 'done', rows: { new: 2 } });
});
