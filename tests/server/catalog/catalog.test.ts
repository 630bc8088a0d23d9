import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pictures, products } from '../../../src/server/db/schema/tables';
import { read } from '../../support/catalog';
import { openShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const productOf = async (id: string) => (await shop.call('getProduct', { path: { id } })).data.product;
const list = async (categoryName: string, query: { page?: number; size?: number } = {}) =>
  (await shop.call('listProductsByCategory', { path: { categoryName }, query })).data.products;

test('a list is split into pages of ten, in the order in which the products were created', async () => {
  const category = await shop.category();
  const made: string[] = [];
  for (let second = 0; second < 12; second++) {
    const createdAt = new Date(2026, 0, 1, 0, 0, second);
    made.push((await shop.stock({ categoryId: category.id, createdAt })).id);
  }
  const first = await list(category.name);
  expect(first.content.map(({ id }) => id)).toEqual(made.slice(0, 10));
  expect(first).toMatchObject({ pageable: { pageNumber: 0, totalPages: 2 }, totalPages: 2, totalElements: 12 });
  const last = await list(category.name, { page: 1 });
  expect(last.content.map(({ id }) => id)).toEqual(made.slice(10));
  expect(last.pageable).toEqual({ pageNumber: 1, totalPages: 2 });
});

test('products created at the same moment keep one order, so that no page repeats or skips one', async () => {
  const category = await shop.category();
  const createdAt = new Date(2026, 0, 1);
  const made = await Promise.all([1, 2, 3, 4, 5].map(() => shop.stock({ categoryId: category.id, createdAt })));
  const pages = [];
  for (const page of [0, 1, 2, 3, 4]) pages.push(await list(category.name, { size: 1, page }));
  expect(pages.flatMap(({ content }) => content.map(({ id }) => id))).toEqual(made.map(({ id }) => id).sort());
});

test('a page past the end is empty and still has the total count', async () => {
  const category = await shop.category();
  await shop.stock({ categoryId: category.id });
  const past = await list(category.name, { page: 7, size: 100 });
  expect(past).toEqual({ content: [], pageable: { pageNumber: 7, totalPages: 1 }, totalPages: 1, totalElements: 1 });
});

test('an empty category has no pages', async () => {
  const category = await shop.category();
  const empty = await list(category.name);
  expect(empty).toEqual({ content: [], pageable: { pageNumber: 0, totalPages: 0 }, totalPages: 0, totalElements: 0 });
});

test.each([
  'page=-1',
  'page=1.5',
  'page=ten',
  'page=',
  'size=0',
  'size=101',
  'size=1e9',
  'page=0&page=1',
  'sort=price',
])('a list rejects ?%s', async (query) => {
  const { status, body } = await read(shop.app, `/public/products?${query}`);
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request' });
});

test.each(['nothing-here', 'Savory', '%00', '..%2F..', "x'--", '%25'])(
  'an unknown category has no products: %s',
  async (name) => {
    const { status, headers, body } = await read(shop.app, `/public/products/category/${name}`);
    expect(status).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ code: 'category_not_found' });
    expect(headers['cache-control']).toBe('no-store');
  },
);

test('a product shows dollars, its category and its picture', async () => {
  const category = await shop.category({ title: 'Spices & more' });
  const hash = randomUUID().slice(0, 8);
  const size = { width: 1200, height: 1200, widths: [160, 320, 640, 1280], placeholder: '#b98a5a' };
  await shop.db.insert(pictures).values({ hash, ...size, createdAt: new Date() });
  const picture = { pictureHash: hash, pictureAlt: 'Corns in a bowl' };
  const { id } = await shop.stock({ categoryId: category.id, priceCents: 435, quantity: 7, ...picture });
  expect(await productOf(id)).toEqual({
    id,
    name: 'Black pepper',
    description: 'Whole berries.',
    price: 4.35,
    availability: true,
    quantity: 7,
    imageUrl: `/pictures/${hash}-640.webp`,
    productCategory: { id: category.id, name: category.name, title: 'Spices & more' },
    version: 1,
    picture: { base: `/pictures/${hash}`, widths: size.widths, placeholder: '#b98a5a', alt: 'Corns in a bowl' },
    unitSize: null,
    origin: null,
    heatLevel: null,
    allergens: [],
    otherNames: [],
    taxable: true,
    archived: false,
    createdAt: expect.any(String),
  });
});

test.each([
  { availability: true, quantity: 1, isAvailable: true },
  { availability: true, quantity: 0, isAvailable: false },
  { availability: false, quantity: 5, isAvailable: false },
])(
  'flag $availability and $quantity in stock: available is $isAvailable',
  async ({ availability, quantity, isAvailable }) => {
    const { id } = await shop.stock({ availability, quantity });
    const product = await productOf(id);
    expect(product).toMatchObject({ availability: isAvailable, quantity, imageUrl: null, picture: null });
  },
);

test('an archived product leaves the lists, but its link still works', async () => {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id });
  await list(category.name);
  await shop.db.update(products).set({ archivedAt: new Date() }).where(eq(products.id, id));
  await expect.poll(() => productOf(id)).toMatchObject({ archived: true });
  await expect.poll(() => list(category.name)).toMatchObject({ content: [], totalElements: 0 });
});

test('an unknown product is 404, a malformed id is 400', async () => {
  const missing = await read(shop.app, `/public/products/${randomUUID()}`);
  expect(missing.status).toBe(404);
  expect(JSON.parse(missing.body)).toMatchObject({ code: 'product_not_found', message: 'Product not found' });
  expect((await read(shop.app, '/public/products/42')).status).toBe(400);
});

test('every catalog response has a strong ETag and must be revalidated', async () => {
  const category = await shop.category();
  const { id } = await shop.stock({ categoryId: category.id });
  const urls = [
    '/public/categories',
    '/public/products',
    `/public/products/category/${category.name}`,
    `/public/products/${id}`,
  ];
  for (const url of urls) {
    const { status, headers, etag } = await read(shop.app, url);
    expect(status).toBe(200);
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  }
});

test.each([
  ['the tag', (etag: string) => etag, 304],
  ['a list with it', (etag: string) => `"another", ${etag}`, 304],
  ['the tag marked weak by a proxy', (etag: string) => `W/${etag}`, 304],
  ['anything', () => '*', 304],
  ['another tag', () => '"another"', 200],
  ['the tag without its quotes', (etag: string) => etag.slice(1, -1), 200],
])('If-None-Match with %s', async (_name, sent, status) => {
  const { id } = await shop.stock();
  const { etag, body } = await read(shop.app, `/public/products/${id}`);
  const again = await read(shop.app, `/public/products/${id}`, sent(etag));
  expect(again).toMatchObject({ status, etag, body: status === 304 ? '' : body });
  expect(again.headers['cache-control']).toBe('no-cache');
});
