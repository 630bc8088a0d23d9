import { eq } from 'drizzle-orm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import catalog from '../../../src/server/db/seed/catalog.json' with { type: 'json' };
import { seedDemoCatalog } from '../../../src/server/db/seed/demoCatalog';
import { products } from '../../../src/server/db/schema/tables';
import { wordsOf } from '../../../src/shared/search';
import { createProductIndex } from '../../../src/web/search/productIndex';
import { transact } from '../../../src/server/db/core/transact';
import { placedOrder, putInCart } from '../../support/buying';
import { isNightly } from '../../support/nightly';
import { openOwnShop, type TestShop } from '../../support/shop';
import { makeTypos } from '../../support/typos';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
  await transact(shop.db, (tx) => seedDemoCatalog(tx, { now: shop.clock.now() }));
});
afterAll(() => shop.close());

const find = (q: string, paging: { page?: number; size?: number } = {}) =>
  shop.call('searchProducts', { query: { q, ...paging } });
const namesOf = async (q: string) => {
  const { data } = await find(q);
  return data.products.content.map(({ name }) => name);
};

describe('search results', () => {
  test.each([
    ['domoda', 'Domoda Peanut Base'],
    ['DOMODA', 'Domoda Peanut Base'],
    ['dömödà', 'Domoda Peanut Base'],
    ['peanut base', 'Domoda Peanut Base'],
    ['base peanut', 'Domoda Peanut Base'],
    ['domoda pea', 'Domoda Peanut Base'],
    ['dom', 'Domoda Peanut Base'],
    ['domdoa', 'Domoda Peanut Base'],
    ['domoda penaut', 'Domoda Peanut Base'],
    ['djar', 'Grains of Selim (Djar)'],
    ['dajr', 'Grains of Selim (Djar)'],
    ['kani', 'Scotch Bonnet (Kani) Flakes'],
    ['kain', 'Scotch Bonnet (Kani) Flakes'],
    ['Xylopia aethiopica', 'Grains of Selim (Djar)'],
    ['bissap', 'Hibiscus Flowers (Wonjo)'],
    ['dawadawa', 'Netetu Fermented Locust Beans'],
    ['melegueta', 'Grains of Paradise'],
    ['whole-nutmeg!', 'Whole Nutmeg'],
  ])('for %s start with %s', async (q, name) => {
    expect((await namesOf(q))[0]).toBe(name);
  });

  test('include products with the word in the text', async () => {
    expect(await namesOf('roasted')).toContain('Domoda Peanut Base');
  });

  test('list names with the word before names that begin with it, and both before texts with it', async () => {
    const { data } = await find('pepper', { size: 100 });
    const names = data.products.content.map(({ name }) => name);
    const places = ['Cubeb Pepper', 'Peppersoup Blend', 'Benachin One-Pot Seasoning'].map((name) =>
      names.indexOf(name),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  test('list the product with exactly that name before longer names', async () => {
    const { id } = await shop.stock({ name: 'Blend' });
    const { data } = await find('blend');
    expect(data.products.content[0]?.id).toBe(id);
  });

  test('include products with some of the words when none has all of them', async () => {
    expect(await namesOf('domoda motorcycle')).toContain('Domoda Peanut Base');
  });

  test('are empty for an unrelated query', async () => {
    const { data, message } = await find('motorcycle');
    expect(message).toBe('Products found');
    expect(data.products).toEqual({
      content: [],
      pageable: { pageNumber: 0, totalPages: 0 },
      totalPages: 0,
      totalElements: 0,
    });
  });

  test('have pages, also past the last', async () => {
    const all = await find('seeds', { size: 100 });
    const { totalElements } = all.data.products;
    expect(totalElements).toBeGreaterThanOrEqual(3);
    const pages = await Promise.all([0, 1, 2].map((page) => find('seeds', { page, size: 1 })));
    expect(pages.map(({ data }) => data.products.content[0]?.id)).toEqual(
      all.data.products.content.slice(0, 3).map(({ id }) => id),
    );
    const after = await find('seeds', { page: 1000, size: 100 });
    expect(after.data.products).toMatchObject({ content: [], totalElements });
  });
});

describe('the order', () => {
  test('puts every name with pepper before the product that only has it elsewhere', async () => {
    const { data } = await find('pepper', { size: 100 });
    const names = data.products.content.map(({ name }) => name);
    const last = names.indexOf('Grains of Paradise');
    expect(last).toBeGreaterThan(0);
    for (const name of ['Black Peppercorns', 'White Peppercorns', 'Cubeb Pepper', 'Ground Cayenne Pepper'])
      expect(names.slice(0, last)).toContain(name);
  });

  test('of a short word ignores other words of a description', async () => {
    for (const q of ['gift', 'jolof']) expect(await namesOf(q), q).toEqual([]);
    const { name } = await shop.stock({ name: 'Jollof Mix' });
    expect((await namesOf('jolof'))[0]).toBe(name);
  });

  test('puts names with a word first for each word of a name, the same as on a device', async () => {
    const { data } = await shop.call('listProducts', { query: { size: 100 } });
    const onDevice = await createProductIndex(data.products.content);
    for (const word of new Set(data.products.content.flatMap(({ name }) => wordsOf(name)))) {
      const all = (await find(word, { size: 100 })).data.products.content;
      const isNamed = all.map(({ name }) => wordsOf(name).some((each) => each.startsWith(word)));
      expect(isNamed.lastIndexOf(true), word).toBe(isNamed.filter(Boolean).length - 1);
      const named = (ids: { id: string }[]) => ids.slice(0, isNamed.filter(Boolean).length).map(({ id }) => id);
      expect(named(onDevice(word)), word).toEqual(named(all));
    }
  });

  test.each([
    ['no peanut', ['peanuts']],
    ['without peanuts', ['peanuts']],
    ['peanut-free', ['peanuts']],
    ['nut free', ['peanuts']],
    ['powder free of fish', ['fish']],
    ['no shellfish', ['crustacean shellfish']],
    ['crustacean free', ['crustacean shellfish']],
  ])('of %s leaves out products with it', async (q, left) => {
    const all = catalog.products.flatMap(({ allergens }) => allergens);
    expect(all).toEqual(expect.arrayContaining(left)); // the demo catalog has them
    const { content } = (await find(q, { size: 100 })).data.products;
    expect(content.length).toBeGreaterThan(0);
    expect(content.flatMap(({ allergens }) => allergens).filter((each) => left.includes(each))).toEqual([]);
  });
});

describe('a name in another language', () => {
  test('is found as written, and as people without these letters type it', async () => {
    const { id } = await shop.stock({ name: 'Hawaiʻi Sea Salt' });
    for (const q of ['Hawaiʻi Sea Salt', 'hawaiʻi', 'hawaii', "Hawai'i", 'Hawai‘i', 'hawaii salt'])
      expect((await find(q)).data.products.content[0]?.id, q).toBe(id);
  });

  test('is found as written, whatever the letters', { timeout: 900_000 }, async () => {
    const letter = fc.integer({ min: 0x80, max: 0xffff }).map((code) => String.fromCodePoint(code));
    const likely = fc.integer({ min: 0x2b0, max: 0x2ff }).map((code) => String.fromCodePoint(code));
    const isLetter = (each: string) => /^[\p{L}\p{N}]$/u.test(each);
    const word = fc.string({ unit: fc.oneof(letter, likely).filter(isLetter), minLength: 3, maxLength: 9 });
    const name = fc.tuple(word, word).map(([one, other]) => `Salt ${one} ${other}`);
    await fc.assert(
      fc.asyncProperty(name, async (text) => {
        const { id } = await shop.stock({ name: text });
        const { status, data } = await find(text, { size: 100 });
        expect(status).toBe(200);
        expect(data.products.content.slice(0, 3).map((each) => each.id)).toContain(id);
      }),
      { numRuns: isNightly ? 4000 : 300, seed: Number(process.env['TEST_SEED'] ?? 1) },
    );
  });
});

describe('a change in the catalog', () => {
  let asking = 0;
  /** By pages of another size each time, so that no response is cached. */
  const count = async (q: string) => (await find(q, { size: 10 + asking++ })).data.products.totalElements;

  test('shows in the results: a new name, another name, an archived product', async () => {
    const { id } = await shop.stock({ name: 'Zanzibar quill' });
    expect(await count('zanzibar')).toBe(1);
    await shop.db
      .update(products)
      .set({ name: 'Pemba quill', otherNames: ['Karafuu'] })
      .where(eq(products.id, id));
    expect([await count('zanzibar'), await count('pemba'), await count('karafuu')]).toEqual([0, 1, 1]);
    await shop.db.update(products).set({ archivedAt: shop.clock.now() }).where(eq(products.id, id));
    expect(await count('pemba')).toBe(0);
    await shop.db.update(products).set({ archivedAt: null }).where(eq(products.id, id));
    expect(await count('pemba')).toBe(1);
  });
});

describe('hostile text', () => {
  test("with the database's special characters finds only itself", async () => {
    const cocoa = await shop.stock({ name: '100% Cocoa_Mix [raw] \\ (a|b)* $^ {1}' });
    const idsOf = async (q: string) => (await find(q)).data.products.content.map(({ id }) => id);
    for (const q of ['%', '_', '\\', '[', '$^', '(a|b)*', '100%', 'Cocoa_Mix', '[raw]'])
      expect((await idsOf(q))[0], q).toBe(cocoa.id);
    for (const q of ['%', '_', '\\', '[', '$^']) expect(await idsOf(q), q).toEqual([cocoa.id]);
    for (const q of ['%%', '?', '.', '.*', '_%']) expect(await idsOf(q), q).toEqual([]);
  });

  test.each([
    "'",
    "''",
    "a'b",
    '"',
    '`',
    ';',
    '--',
    '/*',
    "'; drop table products; --",
    "' or 1=1 --",
    '\0',
    'pep\0per',
    '\u202e',
    ':*',
    '!',
    '&',
    '|',
    '<->',
    'a & b',
    'a:*',
    "'a':*",
    '!a',
    '(',
    '()',
    'a <-> b',
    'a\\',
    "\\'",
    '${q}',
    '{{q}}',
    '<script>',
    '🌶️',
    '🌶️ pepper',
    '\u{10ffff}',
    '\ud800',
    'é',
    '́',
    'ﬁ',
    '½',
    '№',
    '٣',
    'الفلفل',
    '胡椒',
    'ใบกระวาน',
    '\r\n',
    '\t',
    ' ',
    'a'.repeat(100),
    'a '.repeat(50),
    '%'.repeat(100),
    "'".repeat(100),
    'Ω'.repeat(100),
    '1e400',
    'NaN',
    'null',
    '-1',
    '[object Object]',
  ])('like %j is answered', async (q) => {
    const { status } = await find(q);
    expect(status).toBe(200);
  });

  test('an empty query finds nothing', async () => {
    const { data } = await shop.call('searchProducts');
    expect(data.products.totalElements).toBe(0);
  });

  test('a word without similar words is looked up once', async () => {
    expect((await find('domoda', { size: 9 })).statements).toBe(4); // prefixes, matches, similar words, their products
    expect((await find('ata', { size: 9 })).statements).toBeLessThanOrEqual(3); // too short for a mistake
  });

  test('the same response is not sent again to a client that has it', async () => {
    const first = await find('domoda');
    expect(first.headers['cache-control']).toBe('no-cache');
    const headers = { 'if-none-match': String(first.headers['etag']) };
    const again = await shop.call('searchProducts', { query: { q: 'domoda' }, headers });
    expect([again.status, again.headers['etag'], again.statements]).toEqual([304, first.headers['etag'], 0]);
    expect((await shop.call('searchProducts', { query: { q: 'djar' }, headers })).status).toBe(200);
  });

  test('the number of units is exact right after a sale', async () => {
    const { id, name } = await shop.stock({ name: 'Ubiquitous pepper', quantity: 64 });
    const quantityOf = async () => (await find(name)).data.products.content.find((each) => each.id === id)?.quantity;
    expect(await quantityOf()).toBe(64);
    const customer = await shop.signIn();
    await putInCart(shop, customer, id, 3);
    await placedOrder(shop, customer);
    expect(await quantityOf()).toBe(61);
  });

  test('a query of more than 100 characters is rejected', async () => {
    expect(await find('a'.repeat(101))).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});

describe('of 100 typing mistakes', () => {
  test('at least 95 find the product among the first three', async () => {
    const rows = await shop.db.select().from(products).where(eq(products.availability, true)).orderBy(products.name);
    const demo = rows.filter(({ pictureHash }) => pictureHash !== null);
    const missed: string[] = [];
    for (const { typed, meant, productId } of makeTypos(demo, 100, 1)) {
      const { data } = await find(typed, { size: 3 });
      const names = data.products.content.map(({ name }) => name);
      if (!data.products.content.some(({ id }) => id === productId))
        missed.push(`${typed} (${meant}): ${names.join(', ')}`);
    }
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(5);
  });
});
