import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { factsChanged } from '../../../src/server/db/core/changes';
import { categories, products } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import { countQueries, moveStock, read } from '../../support/catalog';
import { seededRandom } from '../../support/random';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

/** For tests that expect no change. */
const untilTold = () => shop.untilTold();
/** A notification takes milliseconds; a busy machine needs longer to read it. */
const productOf = async (id: string, call = shop.call) => (await call('getProduct', { path: { id } })).data.product;
const quantityOf = async (id: string, call = shop.call) => (await productOf(id, call)).quantity;

test('a repeated request costs no query, with or without the ETag, however the same query is spelled', async () => {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id });
  await untilTold();
  const urls = [
    '/public/categories',
    '/public/products',
    `/public/products/category/${category.name}`,
    `/public/products/${id}`,
  ];
  const first = await Promise.all(urls.map((url) => read(shop.app, url)));
  const queries = await countQueries(shop.pool, async () => {
    for (const [index, url] of urls.entries()) {
      expect(await read(shop.app, url)).toMatchObject({ status: 200, body: first[index]?.body });
      expect(await read(shop.app, url, first[index]?.etag)).toMatchObject({ status: 304, body: '' });
    }
    await read(shop.app, '/public/products?size=10&page=0');
    await read(shop.app, '/public/products?page=00');
    await read(shop.app, `/public/products/${id.toUpperCase()}`);
  });
  expect(queries).toBe(0);
});

test('a list takes two queries at most, and a crowd that requests it at the same time causes them once', async () => {
  await shop.stock();
  await untilTold();
  const crowd = () => Promise.all(Array.from({ length: 30 }, () => read(shop.app, '/public/products?size=7')));
  expect(await countQueries(shop.pool, crowd)).toBe(2);
});

test('filters by values that no product has share one response, until a product has the value', async () => {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id, origin: 'Senegal', allergens: [] });
  await untilTold();
  const list = async (query: string) => {
    const { body } = await read(shop.app, `/public/products/category/${category.name}?${query}`);
    return (JSON.parse(body) as { data: { products: { totalElements: number } } }).data.products.totalElements;
  };
  expect([await list('origin=Nowhere'), await list('allergens=nothing'), await list('origin=Senegal')]).toEqual([
    0, 1, 1,
  ]);
  const queries = await countQueries(shop.pool, async () => {
    expect([await list('origin=Nobody'), await list('allergens=none,known')]).toEqual([0, 1]);
    expect(await list('origin=Senegal,Utopia')).toBe(1);
  });
  expect(queries).toBe(0);
  await shop.db
    .update(products)
    .set({ origin: 'Nowhere', allergens: ['Nothing'] })
    .where(eq(products.id, id));
  await expect.poll(() => list('origin=Nowhere')).toBe(1);
  expect([await list('allergens=nothing'), await list('origin=Senegal')]).toEqual([0, 0]);
});

test('a sale shows in every response with the product, and drops no other', async () => {
  const category = await shop.category();
  const other = await shop.category();
  const { id: sold } = await shop.stock({ categoryId: category.id, quantity: 50 });
  const { id: unsold } = await shop.stock({ categoryId: other.id, quantity: 50 });
  await untilTold();
  const holding = [
    '/public/products?size=100',
    `/public/products/category/${category.name}`,
    `/public/products/${sold}`,
  ];
  const rest = ['/public/categories', `/public/products/category/${other.name}`, `/public/products/${unsold}`];
  const before = await Promise.all([...holding, ...rest].map((url) => read(shop.app, url)));
  await moveStock(shop.db, sold, -3);
  for (const [index, url] of holding.entries()) {
    const after = await read(shop.app, url, before[index]?.etag);
    expect(after.status).toBe(200);
    expect(after.body).toContain('"quantity":47');
  }
  await untilTold();
  const queries = await countQueries(shop.pool, async () => {
    for (const [index, url] of rest.entries()) {
      expect((await read(shop.app, url, before[holding.length + index]?.etag)).status).toBe(304);
    }
  });
  expect(queries).toBe(0);
});

test('a device that has every change hears of the next sale that leaves little', async () => {
  const { id } = await shop.stock({ quantity: 12 });
  await untilTold();
  const changesSince = async (since: number) =>
    (await shop.call('getCatalogChanges', { query: { since } })).data.changes;
  let { next, more } = await changesSince(0);
  while (more) ({ next, more } = await changesSince(next));
  expect((await changesSince(next)).products).toEqual([]);
  await moveStock(shop.db, id, -5);
  await untilTold();
  expect((await changesSince(next)).products).toMatchObject([{ id, quantity: 7 }]);
});

test('a sale that is rolled back never shows, and drops nothing', async () => {
  const { id } = await shop.stock({ quantity: 5 });
  await untilTold();
  const { etag } = await read(shop.app, `/public/products/${id}`);
  const undone = transact(shop.db, async (tx) => {
    await tx.update(products).set({ quantity: 1 }).where(eq(products.id, id));
    factsChanged(tx);
    throw new Error('changed my mind');
  });
  await expect(undone).rejects.toThrow('changed my mind');
  const queries = await countQueries(shop.pool, async () => {
    expect((await read(shop.app, `/public/products/${id}`, etag)).status).toBe(304);
  });
  expect(queries).toBe(0);
});

test.each(['nobody asks again meanwhile', 'somebody does'])(
  'a response that started before a sale and ended after it is not cached: %s',
  async (meanwhile) => {
    const { id } = await shop.stock({ quantity: 9 });
    await untilTold();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let answers = 0;
    const fast = slowDown(() => {
      answers++;
      return held;
    });
    const early = quantityOf(id);
    await expect.poll(() => answers).toBe(1); // the database has answered, but the network has not delivered
    fast();
    await moveStock(shop.db, id, -4);
    if (meanwhile === 'somebody does') expect(await quantityOf(id)).toBe(5);
    letGo();
    expect(await early).toBe(9);
    expect(await quantityOf(id)).toBe(5);
  },
);

// Written past this process's own code, so that only the database's notification can tell it.
const sellElsewhere = (id: string) =>
  shop.pool.query('update products set quantity = quantity - 1 where id = $1', [id]);

test('every process learns what another one changed: quantities, facts and categories', async () => {
  const second = await shop.openProcess();
  const calls = [shop.call, shop.callerOf(second.app)];
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id, quantity: 30 });
  for (const call of calls) await expect.poll(() => quantityOf(id, call)).toBe(30);
  await sellElsewhere(id);
  for (const call of calls) await expect.poll(() => quantityOf(id, call)).toBe(29);
  await shop.db.update(products).set({ name: 'White pepper' }).where(eq(products.id, id));
  for (const call of calls) await expect.poll(() => productOf(id, call)).toMatchObject({ name: 'White pepper' });
  await shop.db.update(categories).set({ title: 'Pepper' }).where(eq(categories.id, category.id));
  const productCategory = { title: 'Pepper' };
  for (const call of calls) await expect.poll(() => productOf(id, call)).toMatchObject({ productCategory });
  await second.close();
});

test('while the database cannot send notifications nothing cached is used, and afterwards nothing from before', async () => {
  const { id } = await shop.stock({ quantity: 30 });
  await untilTold();
  expect(await quantityOf(id)).toBe(30);
  const listening = `datname = current_database() and query ilike 'listen %'`;
  await shop.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${listening}`);
  await expect.poll(() => shop.bus.connected, { interval: 5 }).toBe(false);
  await sellElsewhere(id);
  expect(await quantityOf(id)).toBe(29);
  await sellElsewhere(id);
  await expect.poll(() => shop.bus.connected).toBe(true);
  await untilTold(); // on a busy machine 29 was read after that
  expect(await quantityOf(id)).toBe(28);
  await sellElsewhere(id);
  await expect.poll(() => quantityOf(id)).toBe(27);
});

test('200 reads and sales at the same time on a slow network: nobody sees more than was left when they asked', async () => {
  const category = await shop.category();
  const stocked = [1, 2, 3].map(() => shop.stock({ categoryId: category.id, quantity: 100 }));
  const ids = (await Promise.all(stocked)).map(({ id }) => id);
  const left = new Map(ids.map((id) => [id, 100])); // as committed: what a sale has returned
  const list = async () =>
    (await shop.call('listProductsByCategory', { path: { categoryName: category.name } })).data.products;
  const random = seededRandom();
  const fast = slowDown(() => pause(random.next() * 6));
  const counters = new Map(ids.map((id) => [id, Promise.resolve()])); // sales of the same product wait for each other, but for no connection
  const sellOne = async (id: string) => {
    await moveStock(shop.db, id, -1);
    left.set(id, (left.get(id) ?? 0) - 1);
  };
  const sell = (id: string) => {
    const sold = (counters.get(id) ?? Promise.resolve()).then(() => sellOne(id));
    counters.set(id, sold);
    return sold;
  };
  const look = async () => {
    const atMost = new Map(left);
    const { content } = await list();
    for (const { id, quantity } of content) expect(quantity).toBeLessThanOrEqual(atMost.get(id) ?? 0);
  };
  const steps = Array.from({ length: 200 }, async (_, step) => {
    await pause(random.next() * 150);
    await (step % 3 === 0 ? sell(random.oneOf(ids)) : look());
  });
  await Promise.all(steps).finally(fast);
  const { content } = await list();
  expect(new Map(content.map(({ id, quantity }) => [id, quantity]))).toEqual(left);
});

/** Delays the database's responses by `wait`. @returns a function that ends the delay */
function slowDown(wait: () => Promise<unknown>): () => void {
  const query = shop.pool.query.bind(shop.pool) as (...sent: unknown[]) => Promise<unknown>;
  const slow = async (...sent: unknown[]) => {
    const answer = await query(...sent);
    await wait();
    return answer;
  };
  Object.assign(shop.pool, { query: slow });
  return () => void Object.assign(shop.pool, { query });
}
