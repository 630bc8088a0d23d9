import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pictures } from '../../../src/server/db/schema/tables';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const newName = () => `c-${randomUUID().slice(0, 8)}`;
const create = (body: object) => shop.call('createCategory', { as: staff, body, key: randomUUID() });
const update = (id: string, body: object) =>
  shop.call('updateCategory', { as: staff, path: { id }, body, key: randomUUID() });
const get = (id: string) => shop.call('getCategory', { as: staff, path: { id } });
/** The last page: other tests' categories come first. */
const list = async () => {
  const page = async (page: number) =>
    (await shop.call('listCategories', { query: { page, size: 100 } })).data.categories;
  const first = await page(0);
  return first.totalPages > 1 ? page(first.totalPages - 1) : first;
};

test('a category is created with a name and a description, and optionally a banner', async () => {
  const name = newName();
  const plain = await create({ name, description: ' Blends ' });
  expect(plain).toMatchObject({ status: 201, message: 'Category created' });
  expect(plain.data.category).toEqual({
    id: expect.any(String),
    name,
    title: null,
    description: 'Blends',
    createdAt: expect.any(String),
  });
  const titled = await create({ name: newName(), description: 'Blends', title: 'Savory & Seasoning' });
  expect(titled.data.category).toMatchObject({ title: 'Savory & Seasoning' });
  expect(await get(titled.data.category.id)).toMatchObject({ status: 200, data: titled.data });
});

test('a new category is listed immediately, the newest last', async () => {
  await list();
  const { data } = await create({ name: newName(), description: 'Blends' });
  const { content } = await list();
  expect(content.at(-1)).toEqual({ ...data.category, picture: null });
});

test('a change keeps a banner that was not sent, and removes one that was sent empty', async () => {
  const { data } = await create({ name: newName(), description: 'Blends', title: 'Banner' });
  const name = newName();
  const renamed = await update(data.category.id, { name, description: 'Rubs' });
  expect(renamed).toMatchObject({
    status: 200,
    message: 'Category updated',
    data: { category: { name, description: 'Rubs', title: 'Banner' } },
  });
  const bare = await update(data.category.id, { name, description: 'Rubs', title: '' });
  expect(bare).toMatchObject({ status: 200, data: { category: { title: null } } });
});

test('no two categories have one name, even when both are created at the same moment', async () => {
  const [first, second] = [newName(), newName()];
  const answers = await Promise.all([1, 2, 3].map(() => create({ name: first, description: 'Blends' })));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409, 409]);
  const { data } = await create({ name: second, description: 'Rubs' });
  const message = "There's already a category with this name";
  const taken = { status: 409, code: 'category_name_taken', message, errors: [{ field: 'name', message }] };
  expect(await update(data.category.id, { name: first, description: 'Rubs' })).toMatchObject(taken);
  expect(await update(data.category.id, { name: second, description: 'Same name, still mine' })).toMatchObject({
    status: 200,
  });
});

test('a deleted category is created again under its id, once, even when two ask at the same moment', async () => {
  const form = { name: newName(), description: 'Teas', title: 'Fine teas' };
  const { id } = (await create(form)).data.category;
  const changes = async (since: number) => (await shop.call('getCatalogChanges', { query: { since } })).data.changes;
  const { next } = await changes(0);
  await shop.call('deleteCategory', { as: staff, path: { id }, key: randomUUID() });
  const answers = await Promise.all([1, 2].map(() => create({ ...form, id })));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 404]);
  expect(await get(id)).toMatchObject({ data: { category: { id, ...form } } });
  // notifications wait for the oldest transaction of the database server, which other shops share here
  await expect
    .poll(async () => {
      const { categories, removedCategoryIds } = await changes(next);
      return [categories.map((category) => category.id), removedCategoryIds];
    })
    .toEqual([[id], []]);
  const audit = await shop.call('listAudit', { as: staff, query: { kind: 'category', targetId: id } });
  expect(audit.data.entries.content.map(({ action }) => action)).toEqual([
    'category.restored',
    'category.deleted',
    'category.created',
  ]);
  await shop.call('deleteCategory', { as: staff, path: { id }, key: randomUUID() });
  expect((await changes(next)).removedCategoryIds).toEqual([id]);
});

test('a category that was never deleted is not created under an id that a client chooses', async () => {
  const { id } = (await create({ name: newName(), description: 'Teas' })).data.category;
  const missing = { status: 404, code: 'category_not_found' };
  expect(await create({ name: newName(), description: 'Teas', id })).toMatchObject(missing);
  expect(await create({ name: newName(), description: 'Teas', id: randomUUID() })).toMatchObject(missing);
});

const pattern = 'Use up to 40 lowercase letters, numbers, and hyphens';
test.each([
  [{ name: '' }, 'name', 'Enter a name'],
  [{ name: undefined }, 'name', 'Enter a name'],
  [{ name: 'Spices' }, 'name', pattern],
  [{ name: 'hot spices' }, 'name', pattern],
  [{ name: 'épices' }, 'name', pattern],
  [{ name: 'x'.repeat(41) }, 'name', pattern],
  [{ name: 'spices\n' }, 'name', pattern],
  [{ name: '../admin' }, 'name', pattern],
  [{ name: 7 }, 'name', 'Enter a name'],
  [{ description: ' ' }, 'description', 'Enter a description'],
  [{ description: 'x'.repeat(1001) }, 'description', 'Use 1000 characters or fewer'],
  [{ title: 'x'.repeat(81) }, 'title', expect.any(String)],
  [{ title: 'a\0b' }, 'title', "Remove the character that can't be printed"],
  [{ createdAt: '2026-01-01' }, 'createdAt', "isn't a known field"],
  [{ id: 'spices' }, 'id', expect.any(String)],
])('a category with %j is rejected', async (fields, field, message) => {
  const answer = await create({ name: newName(), description: 'Blends', ...fields });
  expect(answer).toMatchObject({ status: 400, errors: [{ field, message }] });
});

test('an unknown category is 404', async () => {
  const missing = { status: 404, code: 'category_not_found', message: 'Category not found' };
  expect(await get(randomUUID())).toMatchObject(missing);
  expect(await update(randomUUID(), { name: newName(), description: 'Blends' })).toMatchObject(missing);
  expect(await get('spices')).toMatchObject({ status: 400 });
});

test('a listed category shows the picture of its newest product on sale', async () => {
  const { id: categoryId } = await shop.category();
  const pictureOf = async () => (await list()).content.find(({ id }) => id === categoryId)?.picture;
  expect(await pictureOf()).toBeNull();
  const [older, newer] = [randomUUID().slice(0, 8), randomUUID().slice(0, 8)];
  const size = { width: 900, height: 900, widths: [160, 320], placeholder: '#b98a5a', createdAt: new Date() };
  await shop.db.insert(pictures).values([
    { hash: older, ...size },
    { hash: newer, ...size },
  ]);
  await shop.stock({ categoryId, pictureHash: older, pictureAlt: 'Thyme', createdAt: new Date(2026, 0, 1) });
  await shop.stock({ categoryId, pictureHash: newer, name: 'Hibiscus', createdAt: new Date(2026, 0, 2), quantity: 0 });
  await shop.stock({ categoryId, pictureHash: older, availability: false, createdAt: new Date(2026, 0, 3) });
  await shop.stock({ categoryId, createdAt: new Date(2026, 0, 4) });
  await expect
    .poll(pictureOf)
    .toEqual({ base: `/pictures/${newer}`, widths: [160, 320], placeholder: '#b98a5a', alt: 'Hibiscus' });
});
