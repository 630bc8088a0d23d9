/** Readable addresses of products: made from the name, unique, and still leading to the product after a change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slugOf } from '../../../src/shared/slugs';
import { multipart } from '../../support/catalog';
import { csvCalls } from '../../support/productCsv';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
let category: { id: string; name: string };
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  category = await shop.category();
});
afterAll(() => shop.close());

const form = { description: 'Hot', price: '4.35', availability: 'true', quantity: '12' };
const create = async (name: string, fields: Record<string, string> = {}) => {
  const { payload, headers } = await multipart({ ...form, name, category: category.id, ...fields });
  return shop.call('createProduct', { as: staff, path: { categoryId: category.id }, body: payload, headers });
};
const update = async (id: string, fields: Record<string, string>) => {
  const { payload, headers } = await multipart({ ...form, name: 'Other name', category: category.id, ...fields });
  return shop.call('updateProduct', { as: staff, path: { id }, body: payload, headers });
};
const at = async (slug: string) => (await shop.call('getProductBySlug', { path: { slug } })).data?.product;

test.each([
  ['Domoda Peanut Base', 'domoda-peanut-base'],
  ['Café’s Herbs & Spices (hot!)', 'cafes-herbs-and-spices-hot'],
  ['  --  ', ''],
  ['x'.repeat(100), 'x'.repeat(72)],
])('the address of %s is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test('a new product gets an address from its name, and the next one of that name another', async () => {
  const [first, second] = [await create('Twin Pepper'), await create('Twin Pepper')];
  expect([first, second].map(({ data }) => data.product.slug)).toEqual(['twin-pepper', 'twin-pepper-2']);
  expect(await at('twin-pepper-2')).toMatchObject({ id: second.data.product.id });
  expect(await at('TWIN-pepper')).toMatchObject({ id: first.data.product.id });
  expect((await create('???')).data.product.slug).toMatch(/^product(?:-\d+)?$/);
});

test('another name keeps the address; sent empty, it is made from the name', async () => {
  const { id } = (await create('Old Name Pepper')).data.product;
  expect((await update(id, {})).data.product.slug).toBe('old-name-pepper');
  expect((await update(id, { name: 'New Name Pepper', slug: '' })).data.product.slug).toBe('new-name-pepper');
  expect(await at('old-name-pepper')).toMatchObject({ id, slug: 'new-name-pepper' });
  expect((await update(id, { slug: 'old-name-pepper' })).data.product.slug).toBe('old-name-pepper'); // its own
});

test('no product takes the present or a former address of another', async () => {
  const { id } = (await create('Moved Pepper', { slug: 'first-home' })).data.product;
  await update(id, { slug: 'second-home' });
  for (const slug of ['first-home', 'second-home']) {
    expect(await create('Intruder', { slug })).toMatchObject({
      status: 409,
      code: 'slug_taken',
      errors: [{ field: 'slug', message: 'Another product has or had this address' }],
    });
  }
});

test.each(['Upper-Case', 'two--hyphens', '-first', 'slash/inside', 'a b'])(
  'the address %s is rejected',
  async (slug) => {
    expect(await create('Wrong address', { slug })).toMatchObject({ status: 400, errors: [{ field: 'slug' }] });
  },
);

test('a file names the row whose address another product has', async () => {
  await create('In the way', { slug: 'in-the-way' });
  const row = (slug: string) => `Filed,Hot,4.35,true,12,${category.name},${slug}`;
  const file = ['name,description,price,availability,quantity,category,slug', row('in-the-way'), row('of-its-own')];
  const { data } = await csvCalls(shop, staff).importCsv(file.join('\n'), false);
  expect(data.productImport.rows.map(({ errors }) => errors.map(({ field }) => field))).toEqual([['slug'], []]);
});

test('products of one name, made at the same moment, get different addresses', async () => {
  const made = await Promise.all(['Same Moment', 'Same Moment', 'Same Moment'].map((name) => create(name)));
  const slugs = new Set(made.map(({ data }) => data.product.slug));
  expect(slugs).toEqual(new Set(['same-moment', 'same-moment-2', 'same-moment-3']));
});

test('a row with an address has it, although a new product before it has that name', async () => {
  const row = (name: string, slug: string) => `${name},Hot,4.35,true,12,${category.name},${slug}`;
  const file = [
    'name,description,price,availability,quantity,category,slug',
    row('Fish Sauce', ''),
    row('Other', 'fish-sauce'),
  ];
  const { data } = await csvCalls(shop, staff).importCsv(file.join('\n'), true);
  expect(data.productImport).toMatchObject({ created: 2, refused: 0 });
  expect(await at('fish-sauce')).toMatchObject({ name: 'Other' });
  expect(await at('fish-sauce-2')).toMatchObject({ name: 'Fish Sauce' });
});

test('a blank address in a file changes nothing', async () => {
  const { id } = (await create('Blank Cell', { slug: 'chosen-by-hand' })).data.product;
  const { data } = await csvCalls(shop, staff).importCsv(`id,slug\n${id},`, false);
  expect(data.productImport).toMatchObject({ unchanged: 1, changed: 0 });
});
