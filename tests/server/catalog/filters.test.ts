import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { products } from '../../../src/server/db/schema/tables';
import { countFilters, filterOf } from '../../../src/shared/productLists';
import { countQueries, moveStock, read } from '../../support/catalog';
import { type NewProduct, openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let name: string;
const elsewhere = `Elsewhere ${randomUUID()}`;
beforeAll(async () => {
  shop = await openShop();
  const category = await shop.category();
  ({ name } = category);
  const rows = [
    { name: 'Yassa', heatLevel: 1, origin: 'Casamance, Senegal', allergens: ['mustard'], form: 'blend' },
    { name: 'Suya', heatLevel: 3, origin: 'Nigeria', allergens: ['Peanut'], form: 'blend', compareAtCents: 900 },
    { name: 'Domoda', heatLevel: 1, origin: 'The Gambia', allergens: ['peanut'], form: 'paste' },
    { name: 'Cubeb', heatLevel: 2, origin: 'The Gambia', allergens: [], form: 'whole' },
    { name: 'Salt', heatLevel: null, origin: null, allergens: [], quantity: 0 },
  ] satisfies NewProduct[];
  for (const [second, row] of rows.entries()) {
    await shop.stock({ ...row, categoryId: category.id, createdAt: new Date(2026, 0, 1, 0, 0, second) });
  }
  await shop.stock({ heatLevel: 5, origin: elsewhere, allergens: ['celery'] }); // in another category
  await shop.stock({ heatLevel: 5, origin: elsewhere, allergens: ['peanut'] });
});
afterAll(() => shop.close());

const listOf = async (query: string) => {
  const { status, body, etag } = await read(shop.app, `/public/products/category/${name}?${query}`);
  const { data } = JSON.parse(body);
  return {
    status,
    etag,
    facets: data?.facets,
    names: data?.products.content.map((each: { name: string }) => each.name),
  };
};

test.each([
  ['no filter', '', ['Yassa', 'Suya', 'Domoda', 'Cubeb', 'Salt']],
  ['one heat', 'heat=1', ['Yassa', 'Domoda']],
  ['any of the chosen heats', 'heat=1,2', ['Yassa', 'Domoda', 'Cubeb']],
  ['a heat that nothing has', 'heat=0', []],
  ['one origin', 'origin=The+Gambia', ['Domoda', 'Cubeb']],
  ['an origin with a comma in its name', 'origin=Casamance%2C%20Senegal', ['Yassa']],
  ['any of the chosen origins', 'origin=Casamance%2C+Senegal,Nigeria', ['Yassa', 'Suya']],
  ['an origin nobody knows', 'origin=Atlantis', []],
  ['a list that is repeated', 'origin=Nigeria&origin=The%20Gambia', ['Suya', 'Domoda', 'Cubeb']],
  ['without an allergen, however it is spelled', 'allergens=PEANUT', ['Yassa', 'Cubeb', 'Salt']],
  ['without any of the chosen allergens', 'allergens=peanut,mustard', ['Cubeb', 'Salt']],
  ['an allergen that nothing has', 'allergens=fish', ['Yassa', 'Suya', 'Domoda', 'Cubeb', 'Salt']],
  ['one form', 'form=blend', ['Yassa', 'Suya']],
  ['any of the chosen forms', 'form=whole,paste', ['Domoda', 'Cubeb']],
  ['a form that nothing has', 'form=leaf', []],
  ['on sale', 'onSale=true', ['Suya']],
  ['on sale or not', 'onSale=false', ['Yassa', 'Suya', 'Domoda', 'Cubeb', 'Salt']],
  ['in stock', 'inStock=true', ['Yassa', 'Suya', 'Domoda', 'Cubeb']],
  ['in stock or not', 'inStock=false', ['Yassa', 'Suya', 'Domoda', 'Cubeb', 'Salt']],
  ['sorted and filtered', 'heat=1,3&sort=name', ['Domoda', 'Suya', 'Yassa']],
  ['all three at once', 'heat=1,3&origin=The+Gambia,Nigeria&allergens=mustard', ['Suya', 'Domoda']],
])('%s', async (_name, query, names) => {
  expect(await listOf(query)).toMatchObject({ status: 200, names });
});

test('a filtered list has its own count and pages', async () => {
  const { data } = await shop.call('listProductsByCategory', {
    path: { categoryName: name },
    query: { heat: '1', size: 1, page: 1 },
  });
  expect(data.products).toMatchObject({ totalElements: 2, totalPages: 2, content: [{ name: 'Domoda' }] });
});

test('a category lists all its filter options, whatever the filter', async () => {
  const facets = {
    heatLevels: [1, 2, 3],
    origins: ['Casamance, Senegal', 'Nigeria', 'The Gambia'],
    allergens: ['mustard', 'peanut'],
    forms: ['blend', 'paste', 'whole'],
    onSale: true,
  };
  expect((await listOf('')).facets).toEqual(facets);
  expect((await listOf('heat=0&origin=Atlantis')).facets).toEqual(facets);
});

const countsOf = async (query: Record<string, unknown>) =>
  (
    await shop.call('listProductsByCategory', {
      path: { categoryName: name },
      query: { counts: true, size: 1, ...query },
    })
  ).data.counts;

test('each filter value says how many products it would leave, with the other filters as they are', async () => {
  expect(await countsOf({})).toEqual({
    products: 5,
    heatLevels: [2, 1, 1],
    origins: [1, 1, 2],
    allergens: [4, 3],
    forms: [2, 1, 1],
    onSale: 1,
    inStock: 4,
  });
  expect(await countsOf({ heat: '1', allergens: 'mustard' })).toEqual({
    products: 1,
    heatLevels: [1, 1, 1],
    origins: [0, 0, 1],
    allergens: [1, 0],
    forms: [0, 1, 0],
    onSale: 0,
    inStock: 1,
  });
  const { data } = await shop.call('listProductsByCategory', { path: { categoryName: name } });
  expect(data).not.toHaveProperty('counts');
});

test('a device counts the same', async () => {
  const { data } = await shop.call('listProductsByCategory', { path: { categoryName: name }, query: { counts: true } });
  const groups = data.products.content.map((product) => ({ ...product, products: 1 }));
  if (!data.facets) throw new Error('no facets');
  expect(countFilters(groups, data.facets, filterOf({ heat: [1], allergens: ['Peanut'], inStock: true }))).toEqual(
    await countsOf({ heat: '1', allergens: 'Peanut', inStock: true }),
  );
});

test('a list of what is in stock has a product as soon as it is back', async () => {
  const { id: categoryId, name: categoryName } = await shop.category();
  const { id } = await shop.stock({ categoryId, quantity: 0 });
  const found = async () =>
    (await shop.call('listProductsByCategory', { path: { categoryName }, query: { inStock: true } })).data.products
      .totalElements;
  expect(await found()).toBe(0);
  await moveStock(shop.db, id, 30);
  expect(await found()).toBe(1);
});

test('a category without optional fields has no facets', async () => {
  const empty = await shop.category();
  const { data } = await shop.call('listProductsByCategory', { path: { categoryName: empty.name } });
  expect(data.facets).toEqual({ heatLevels: [], origins: [], allergens: [] });
});

test('a category offers On sale and a form while a product has them', async () => {
  const { id: categoryId, name: categoryName } = await shop.category();
  const { id } = await shop.stock({ categoryId });
  const facets = async () => (await shop.call('listProductsByCategory', { path: { categoryName } })).data.facets;
  const set = async (facts: Partial<typeof products.$inferInsert>) => {
    await shop.db.update(products).set(facts).where(eq(products.id, id));
    await shop.untilTold();
  };
  const none = { heatLevels: [], origins: [], allergens: [] };
  await set({ compareAtCents: 900 });
  expect(await facets()).toEqual({ ...none, onSale: true });
  await set({ compareAtCents: 800, form: 'leaf' });
  expect(await facets()).toEqual({ ...none, forms: ['leaf'], onSale: true });
  await set({ compareAtCents: null, form: 'paste' });
  expect(await facets()).toEqual({ ...none, forms: ['paste'] });
  await set({ archivedAt: new Date() });
  expect(await facets()).toEqual(none);
});

test('the list of all products is filtered the same way', async () => {
  const { body } = await read(shop.app, `/public/products?heat=5,3&allergens=peanut&origin=${elsewhere}`);
  expect(JSON.parse(body).data.products).toMatchObject({ totalElements: 1, content: [{ allergens: ['celery'] }] });
});

test.each([
  'heat=6',
  'heat=-1',
  'heat=1.5',
  'heat=hot',
  'heat=',
  'heat=0,1,2,3,4,5,0',
  'origin=',
  'origin=a,,b',
  'origin=%00',
  `origin=${'a'.repeat(81)}`,
  'form=powder',
  'form=',
  'onSale=maybe',
  'inStock=maybe',
  'sort=price',
  `allergens=${'a'.repeat(41)}`,
  `allergens=${Array.from({ length: 21 }, (_, index) => `a${index}`).join()}`,
])('?%s is rejected', async (query) => {
  const { status, body } = await read(shop.app, `/public/products/category/${name}?${query}`);
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request' });
});

test('the same filter in another order or spelling gets the same cached response', async () => {
  await shop.untilTold(); // changes of earlier tests; if they arrived later, they would drop the cache here
  const first = await listOf('heat=1,2&allergens=peanut,fish');
  const queries = await countQueries(shop.pool, async () => {
    for (const query of [
      'allergens=fish,Peanut&heat=2,1',
      'heat=2&heat=1&allergens=peanut,fish',
      'page=0&heat=1,2,2&allergens=fish,peanut',
    ])
      expect((await listOf(query)).etag).toBe(first.etag);
  });
  expect(queries).toBe(0);
});

test('a filtered list takes two queries', async () => {
  expect(await countQueries(shop.pool, () => listOf('heat=3&origin=Nigeria'))).toBeLessThanOrEqual(2);
});

test('the list includes its category, even when nothing passes the filter', async () => {
  const { id, name: categoryName } = await shop.category({ title: 'Oils & vinegars' });
  const { data } = await shop.call('listProductsByCategory', { path: { categoryName }, query: { heat: '5' } });
  expect(data.category).toEqual({ id, name: categoryName, title: 'Oils & vinegars' });
});
