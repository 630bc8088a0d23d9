/** The device lists the same cards as the server, over the same random catalog. Rule: docs/rules/catalog.md, Cards */
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import { formLabels, type FormName, type ProductSort, sortLabels } from '../../../src/shared/catalog';
import type { QueryOf } from '../../../src/shared/contract';
import { bestsellers, categoryProducts, filterCounts, firstProducts } from '../../../src/web/catalog/core/onDevice';
import { syncCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { openSearch } from '../../../src/web/search/onDevice';
import { createRandom } from '../../chaos/random';
import { logSeed, seed } from '../../support/random';
import { openOwnShop, type TestShop } from '../../support/shop';
import { emptyCatalog, openTab, type Tab } from '../openTab';

const productCount = 90;
const words = ['Pepper', 'Rub', 'Clove', 'Sumac', 'Ginger'];
const forms = Object.keys(formLabels) as FormName[];
const sorts = Object.keys(sortLabels) as ProductSort[];
const { below } = createRandom(seed);
const chance = (percent: number) => below(100) < percent;
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
const maybe = <Value>(value: Value): Value | undefined => (chance(40) ? value : undefined);

let shop: TestShop;
let tab: Tab;
let categoryName: string;
beforeAll(async () => {
  await emptyCatalog();
  shop = await openOwnShop();
  const [one, other] = [await shop.category(), await shop.category()];
  categoryName = one.name;
  const groups = Array.from({ length: 25 }, () => uuid());
  const ranks = Array.from({ length: productCount }, (_, before) => before + 1);
  for (const rank of ranks) {
    await shop.stock({
      categoryId: (chance(80) ? one : other).id,
      name: `${oneOf(words)} ${oneOf(words)} ${below(9)}`,
      sizeGroup: chance(70) ? oneOf(groups) : null,
      priceCents: 100 * (1 + below(6)), // many are equal
      quantity: oneOf([0, 5, 40]),
      netGrams: oneOf([null, 60, 110, 450]),
      heatLevel: oneOf([null, 0, 2, 5]),
      form: oneOf([null, ...forms.slice(0, 3)]),
      allergens: oneOf([[], ['Peanut'], ['milk', 'peanut']]),
      compareAtCents: oneOf([null, 5000]),
      bestsellerRank: chance(30) ? rank : null,
      archivedAt: chance(10) ? new Date() : null,
      createdAt: new Date(2026, 0, 1, 0, 0, below(60)),
    });
  }
  tab = openTab(shop, '/contact');
  await syncCatalog(journal);
});
beforeEach(() => onTestFailed(logSeed));
afterAll(async () => {
  tab.close();
  await shop.close();
  await emptyCatalog();
});

/** From the seed, so that a failure repeats. */
function uuid(): string {
  const digits = Array.from({ length: 32 }, () => below(16).toString(16)).join('');
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  );
}

const grouped = { sizes: 'grouped' } as const;

function randomFilter() {
  return {
    heat: maybe([oneOf([0, 2, 5])]),
    form: maybe([oneOf(forms.slice(0, 3))]),
    allergens: maybe(['peanut']),
    onSale: maybe(true as const),
    inStock: maybe(true as const),
  };
}
const asQuery = ({ heat, form, allergens, ...others }: ReturnType<typeof randomFilter>) =>
  defined({ ...others, heat: heat?.join(), form: form?.join(), allergens: allergens?.join() });

test('the lists of a category have the same cards, sizes, pages, and facets', async () => {
  for (let round = 0; round < 60; round += 1) {
    const [filter, sort, page, size] = [randomFilter(), oneOf(sorts), below(3), oneOf([3, 10])];
    const query = { ...asQuery(filter), sort, page, size, ...grouped };
    const { products, facets } = (await shop.call('listProductsByCategory', { path: { categoryName }, query })).data;
    const found = (await categoryProducts(categoryName, page, size, { ...defined(filter), sort }))?.data;
    expect(withoutBytes({ products: found?.products, facets: found?.facets }), JSON.stringify(query)).toEqual({
      products,
      facets,
    });
  }
});

test('the filters count the same cards', async () => {
  for (let round = 0; round < 30; round += 1) {
    const filter = randomFilter();
    const query = { ...asQuery(filter), size: 1, counts: true, ...grouped };
    const { counts } = (await shop.call('listProductsByCategory', { path: { categoryName }, query })).data;
    expect((await filterCounts(categoryName, defined(filter)))?.data, JSON.stringify(query)).toEqual(counts);
  }
});

test('home and bestsellers have the same cards', async () => {
  const listed = async (query: QueryOf<'listProducts'>) =>
    (await shop.call('listProducts', { query: { ...query, ...grouped } })).data.products.content;
  expect(withoutBytes((await firstProducts(5))?.data)).toEqual(await listed({ size: 5 }));
  const popular = { sort: 'bestsellers', inStock: true, size: 5 } as const;
  expect(withoutBytes((await bestsellers(5))?.data)).toEqual(await listed(popular));
});

test('a search finds the same cards in the same order', async () => {
  const find = await openSearch();
  for (const q of ['pepper', 'rub clove', 'gin', 'sumac 3', 'peper', 'no peanut', 'rub no milk']) {
    for (const page of [0, 1]) {
      const { products } = (await shop.call('searchProducts', { query: { q, page, size: 10, ...grouped } })).data;
      expect(withoutBytes(find?.(q, page, 10)), q).toEqual(products);
    }
  }
});

const defined = (filter: object) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as Record<string, never>;

/** What only the feed has doesn't count. */
const withoutBytes = <Data>(data: Data): Data =>
  JSON.parse(JSON.stringify(data, (name, value: unknown) => (name === 'keptBytes' ? undefined : value))) as Data;
