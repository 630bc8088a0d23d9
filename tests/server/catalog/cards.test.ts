/** Lists with one card per group of sizes. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findCardIds } from '../../../src/server/catalog/cards';
import { transact } from '../../../src/server/db/core/transact';
import { products } from '../../../src/server/db/schema/tables';
import type { ProductSort } from '../../../src/shared/catalog';
import type { QueryOf, Schema } from '../../../src/shared/contract';
import { cardsOf, countFilters, facetsOf, filterOf, passesFilter } from '../../../src/shared/productLists';
import { countQueries, moveStock, read } from '../../support/catalog';
import { seededRandom } from '../../support/random';
import { type NewProduct, openOwnShop, type TestShop } from '../../support/shop';

/** As in a URL. */
type Query = Omit<QueryOf<'listProductsByCategory'>, 'heat' | 'form' | 'allergens'> & {
  heat?: string;
  form?: string;
  allergens?: string;
};

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

const grouped = { sizes: 'grouped' } as const;
const categoryList = async (categoryName: string, query: Query = {}) =>
  (await shop.call('listProductsByCategory', { path: { categoryName }, query })).data;
const cardsOfCategory = async (name: string, query: Query = {}) => {
  const { content } = (await categoryList(name, { ...grouped, ...query })).products;
  return content.map(({ id }) => id);
};
const change = (id: string, values: Partial<typeof products.$inferInsert>) =>
  transact(shop.db, (tx) => tx.update(products).set(values).where(eq(products.id, id)));

/** A category with a rub in two sizes and a product without sizes. */
async function stockSizes(differing: { small?: NewProduct; large?: NewProduct } = {}) {
  const { id: categoryId, name } = await shop.category();
  const sizeGroup = randomUUID();
  const made = (second: number) => ({ categoryId, createdAt: new Date(2026, 0, 1, 0, 0, second) });
  const rub = { sizeGroup, name: 'Rub' };
  const large = await shop.stock({ ...made(1), ...rub, netGrams: 450, priceCents: 2650, ...differing.large });
  const alone = await shop.stock({ ...made(2), priceCents: 1000 });
  const small = await shop.stock({ ...made(3), ...rub, netGrams: 110, priceCents: 795, ...differing.small });
  return { name, sizeGroup, large: large.id, alone: alone.id, small: small.id };
}

test('a grouped list shows the cheapest size with all sizes of its group, and counts cards', async () => {
  const { name, large, alone, small } = await stockSizes();
  const { products: page } = await categoryList(name, { ...grouped, size: 1 });
  expect(page).toMatchObject({
    content: [{ id: small, price: 7.95, sizes: [{ id: small }, { id: large, price: 26.5, netGrams: 450 }] }],
    totalElements: 2,
    totalPages: 2,
  });
  const second = (await categoryList(name, { ...grouped, size: 1, page: 1 })).products.content;
  expect(second).toMatchObject([{ id: alone }]);
  expect(second[0]).not.toHaveProperty('sizes');
});

test('a grouped list costs four statements, however many cards it has', async () => {
  const { name } = await stockSizes();
  await shop.untilTold();
  for (const size of [1, 50])
    expect(await countQueries(shop.pool, () => categoryList(name, { ...grouped, size }))).toBe(4);
});

test('without it, a list shows every size as before', async () => {
  const { name, large, alone, small } = await stockSizes();
  const { products: page } = await categoryList(name);
  expect(page.content.map(({ id }) => id)).toEqual([large, alone, small]);
  expect(page.content.flatMap(({ sizes = [] }) => sizes)).toEqual([]);
});

test('a larger size is shown while the cheapest is sold out, and the cheapest if all are', async () => {
  const { name, large, alone, small } = await stockSizes();
  await moveStock(shop.db, small, -10);
  expect(await cardsOfCategory(name)).toEqual([large, alone]);
  await moveStock(shop.db, large, -10);
  await shop.untilTold();
  expect(await cardsOfCategory(name)).toEqual([small, alone]);
  await moveStock(shop.db, large, 3);
  await shop.untilTold();
  expect(await cardsOfCategory(name)).toEqual([large, alone]);
});

test('a filter finds a card when one of its sizes matches, and shows the cheapest of those', async () => {
  const { name, large, small, alone } = await stockSizes({ large: { compareAtCents: 3000, form: 'whole' } });
  expect(await cardsOfCategory(name, { onSale: true })).toEqual([large]);
  expect(await cardsOfCategory(name, { form: 'whole' })).toEqual([large]);
  await moveStock(shop.db, large, -10);
  expect(await cardsOfCategory(name, { inStock: true })).toEqual([alone, small]);
  const { counts } = await categoryList(name, { ...grouped, counts: true });
  expect(counts).toMatchObject({ products: 2, inStock: 2, onSale: 1, forms: [1] });
});

test.each([
  ['featured', 'the place of its oldest size', ['small', 'alone']],
  ['newest', 'the reverse place', ['alone', 'small']],
  ['price_asc', 'the place of the price that is shown', ['small', 'alone']],
  ['price_desc', 'the reverse place', ['alone', 'small']],
  ['bestsellers', 'the best rank of its sizes', ['small', 'alone']],
] satisfies [ProductSort, string, string[]][])('a card in the order %s has %s', async (sort, _place, order) => {
  const made = await stockSizes({ large: { bestsellerRank: 7 } });
  const names = new Map([
    [made.small, 'small'],
    [made.alone, 'alone'],
  ]);
  const ids = await cardsOfCategory(made.name, { sort });
  expect(ids.map((id) => names.get(id))).toEqual(order);
});

test('a group stands in each category of its sizes, shown by the size of that category', async () => {
  const { name, sizeGroup, small } = await stockSizes();
  const { id: categoryId, name: other } = await shop.category();
  const huge = await shop.stock({ categoryId, sizeGroup, priceCents: 9900 });
  const cheap = await shop.stock({ sizeGroup, priceCents: 100 });
  expect(await cardsOfCategory(other)).toEqual([huge.id]);
  expect((await cardsOfCategory(name))[0]).toBe(small);
  const { content } = (await shop.call('listProducts', { query: { ...grouped, size: 100 } })).data.products;
  const shown = content.filter((each) => each.sizeGroup === sizeGroup);
  expect(shown).toMatchObject([{ id: cheap.id }]);
  expect(shown[0]?.sizes).toHaveLength(4);
});

test('a search returns one card for all sizes that it finds', async () => {
  const { id: categoryId } = await shop.category();
  const sizeGroup = randomUUID();
  const stock = async (product: NewProduct) => (await shop.stock({ categoryId, ...product })).id;
  const large = await stock({ sizeGroup, name: 'Zorbagrass', priceCents: 2650 });
  const small = await stock({ sizeGroup, name: 'Zorbagrass, small', priceCents: 795 });
  const alone = await stock({ name: 'Blend with zorbagrass' });
  await stock({ sizeGroup, name: 'Sample', priceCents: 100 });
  const find = async (q: string) => (await shop.call('searchProducts', { query: { q, ...grouped } })).data.products;
  const found = await find('zorbagrass');
  expect(found).toMatchObject({ totalElements: 2, totalPages: 1 });
  expect(found.content.map(({ id }) => id)).toEqual([small, alone]);
  expect(found.content[0]?.sizes).toHaveLength(3);
  const mistyped = await find('zorbagras');
  expect(mistyped.content.map(({ id }) => id)).toEqual([small, alone]);
  await moveStock(shop.db, small, -10);
  await shop.untilTold();
  expect((await find('zorbagrass')).content[0]?.id).toBe(large);
  const all = (await shop.call('searchProducts', { query: { q: 'zorbagrass' } })).data.products;
  expect(all).toMatchObject({ totalElements: 3 });
});

test('searches without words are grouped, too', async () => {
  const { id: categoryId } = await shop.category();
  const sizeGroup = randomUUID();
  for (const priceCents of [300, 200])
    await shop.stock({ categoryId, sizeGroup, priceCents, name: '¤¤', allergens: ['Peanut'] });
  await shop.stock({ categoryId, name: '¤¤' });
  const totalOf = async (q: string) =>
    (await shop.call('searchProducts', { query: { q, ...grouped } })).data.products.totalElements;
  expect(await totalOf('¤¤')).toBe(2);
  const all = await shop.call('listProducts', { query: { ...grouped, allergens: 'peanut' } });
  expect(await totalOf('no peanuts')).toBe(all.data.products.totalElements);
});

test('an ETag of a list holds until one of the sizes changes', async () => {
  const { name, large } = await stockSizes();
  await shop.untilTold();
  const url = `/public/products/category/${name}?sizes=grouped`;
  const first = await read(shop.app, url);
  expect((await read(shop.app, url, first.etag)).status).toBe(304);
  expect(await countQueries(shop.pool, () => read(shop.app, url))).toBe(0);
  await moveStock(shop.db, large, -1);
  const second = await read(shop.app, url, first.etag);
  expect(second.status).toBe(200);
  await change(large, { priceCents: 2600 });
  await shop.untilTold();
  expect((await read(shop.app, url, second.etag)).status).toBe(200);
});

test('a sold-out size moves its card on other pages, which are read anew', async () => {
  const { name, small, alone, large } = await stockSizes();
  const page = async () => cardsOfCategory(name, { sort: 'price_asc', size: 1, page: 1 });
  expect(await page()).toEqual([alone]);
  await moveStock(shop.db, small, -10);
  expect(await page()).toEqual([large]);
  await change(small, { quantity: 1 }); // as another process does
  await shop.untilTold();
  expect(await page()).toEqual([alone]);
});

test('a sold-out size drops the lists that may show its card and the pages of its group, and no other', async () => {
  const [sold, other] = [await stockSizes(), await stockSizes()];
  await shop.untilTold();
  const pageOf = (id: string) => `/public/products/${id}`;
  const listOf = (name: string) => `/public/products/category/${name}?sizes=grouped`;
  const touched = [listOf(sold.name), `${listOf(sold.name)}&page=7`, '/public/products?sizes=grouped&page=7'];
  touched.push('/public/search?q=nothing&sizes=grouped', pageOf(sold.small), pageOf(sold.large));
  const rest = ['/public/categories', listOf(other.name), pageOf(other.small), '/public/products?page=7'];
  const queriesOf = (url: string) => countQueries(shop.pool, () => read(shop.app, url));
  const sell = () => moveStock(shop.db, sold.small, -10);
  const comeBack = () => change(sold.small, { quantity: 10 }); // as another process does
  for (const move of [sell, comeBack]) {
    for (const url of [...touched, ...rest]) await read(shop.app, url);
    await move();
    await shop.untilTold();
    for (const url of touched) expect(await queriesOf(url), url).toBeGreaterThan(0);
    for (const url of rest) expect(await queriesOf(url), url).toBe(0);
  }
});

/** Compares the stored cards with the products. */
async function expectKept() {
  const { rows } = await shop.pool.query('select id from products');
  const wanted = await shop.pool.query('select * from cards_of_products($1) order by list, product_id', [
    rows.map(({ id }) => String(id)),
  ]);
  const kept = await shop.pool.query('select * from product_cards order by list, product_id');
  expect(kept.rows).toEqual(wanted.rows);
}

test('sizes changed at the same time leave the right card, without a deadlock', async () => {
  const random = seededRandom();
  const { large, small, alone, sizeGroup } = await stockSizes();
  const ids = [large, small, alone];
  const changes = [
    (id: string) => moveStock(shop.db, id, -10).catch(() => moveStock(shop.db, id, 10)),
    (id: string) => change(id, { priceCents: 100 + random.below(5) }),
    (id: string) => change(id, { archivedAt: random.below(2) === 0 ? null : new Date() }),
    (id: string) => change(id, { sizeGroup: random.below(3) === 0 ? null : sizeGroup }),
  ];
  for (let round = 0; round < 15; round++) {
    await Promise.all(Array.from({ length: 8 }, () => random.oneOf(changes)(random.oneOf(ids))));
    await expectKept();
  }
});

test('grouped lists and counts equal a simple model through random changes', async () => {
  const random = seededRandom();
  const categories = [await shop.category(), await shop.category()];
  const groups = [randomUUID(), randomUUID(), randomUUID(), null];
  const pick = <Value>(values: readonly Value[]): Value => values[random.below(values.length)] as Value;
  const facts = () => ({
    categoryId: pick(categories).id,
    sizeGroup: pick(groups),
    priceCents: 100 + random.below(4) * 100,
    heatLevel: pick([null, 1, 2]),
    form: pick([null, 'whole', 'blend'] as const),
    allergens: pick([[], ['Peanut'], ['fish']]),
    compareAtCents: pick([null, 9900]),
    name: pick(['Alpha', 'beta', 'Gamma']),
  });
  const ids: string[] = [];
  for (let made = 0; made < 14; made++)
    ids.push((await shop.stock({ ...facts(), createdAt: new Date(2026, 0, 1 + random.below(9)), quantity: 2 })).id);

  const changes: ((id: string) => Promise<unknown>)[] = [
    (id) => change(id, { priceCents: facts().priceCents }),
    (id) => change(id, { sizeGroup: facts().sizeGroup }),
    (id) => change(id, facts()),
    (id) => change(id, { availability: random.below(2) === 0 }),
    (id) => change(id, { archivedAt: pick([null, null, new Date()]) }),
    (id) => change(id, { bestsellerRank: pick([null, 100 + ids.indexOf(id)]) }), // no two products of the shop have the same
    (id) => moveStock(shop.db, id, -2).catch(() => moveStock(shop.db, id, 2)),
  ];
  for (let round = 0; round < 40; round++) {
    for (let times = random.below(3); times >= 0; times--) await pick(changes)(pick(ids));
    await shop.untilTold();
    await expectKept();
    const query = {
      sort: pick(['featured', 'newest', 'bestsellers', 'price_asc', 'price_desc', 'heat', 'name'] as const),
      ...(random.below(3) === 0 && { heat: pick(['1', '2']) }),
      ...(random.below(3) === 0 && { form: 'whole' as const }),
      ...(random.below(3) === 0 && { allergens: 'peanut' }),
      ...(random.below(3) === 0 && { onSale: true }),
      ...(random.below(3) === 0 && { inStock: true }),
    };
    await expectModel(pick(categories).name, pick([query, { sort: query.sort }]));
  }

  async function expectModel(name: string, { sort, ...filters }: Query & { sort: ProductSort }) {
    const filter = filterOf({
      ...filters,
      heat: filters.heat === undefined ? [] : [Number(filters.heat)],
      form: filters.form ? ['whole'] : [],
      allergens: filters.allergens ? ['peanut'] : [],
      origin: [],
    });
    const every = { size: 100 };
    const sold = (await categoryList(name, every)).products.content;
    const passing = sold.filter((product) => passesFilter(product, filter));
    const inCategory = await categoryList(name, {
      ...every,
      ...filters,
      ...grouped,
      sort,
      counts: random.below(2) === 0,
    });
    expectCards(inCategory.products, cardsOf(passing, sort));
    for (const atMost of [0, 200]) {
      const ids = await findCardIds(shop.db, { filter, sort }, { page: 0, size: 100 }, name, atMost);
      expect(ids).toEqual(inCategory.products.content.map(({ id }) => id));
      expect(await findCardIds(shop.db, { filter, sort }, { page: 1, size: 2 }, name, atMost)).toEqual(ids.slice(2, 4));
    }
    const counted = sold.map((product) => ({ ...product, products: 1, card: product.sizeGroup }));
    if (inCategory.counts) expect(inCategory.counts).toEqual(countFilters(counted, facetsOf(sold), filter));
    const all = (await shop.call('listProducts', { query: every })).data.products.content;
    const found = await shop.call('listProducts', { query: { ...every, ...filters, ...grouped, sort } });
    expectCards(
      found.data.products,
      cardsOf(
        all.filter((product) => passesFilter(product, filter)),
        sort,
      ),
    );
    for (const { sizeGroup, sizes } of found.data.products.content) {
      const group = all.filter((product) => sizeGroup && product.sizeGroup === sizeGroup);
      expect(sizes?.map(({ id }) => id).toSorted() ?? []).toEqual(
        group.length > 1 ? group.map(({ id }) => id).toSorted() : [],
      );
    }
  }
});

function expectCards(page: Schema<'ProductPage'>, cards: readonly Schema<'Product'>[]): void {
  expect(page.content.map(({ id }) => id)).toEqual(cards.map(({ id }) => id));
  expect(page.totalElements).toBe(cards.length);
}
