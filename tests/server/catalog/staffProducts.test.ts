/** Staff's product list and bulk actions; staff's categories. */
import { randomUUID } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLog, products } from '../../../src/server/db/schema/tables';
import { rowsOf } from '../../support/backOffice';
import { buy, openOrder, placeOrder } from '../../support/buying';
import { multipart } from '../../support/multipart';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openOwnShop(); // counts all its suppliers and tags
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const list = async (query: Record<string, unknown> = {}) =>
  (await shop.call('listProductsForStaff', { as: staff, query: { size: 100, ...query } })).data.products;
const namesOf = async (query: Record<string, unknown>) => (await list(query)).content.map(({ name }) => name);
const forStaff = async (id: string) =>
  (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product;
const change = (ids: string[], to: string) =>
  shop.call('changeProducts', { as: staff, body: { ids, change: to }, key: randomUUID() });
const archive = (id: string) => shop.call('archiveProduct', { as: staff, path: { id } });
const auditOf = (id: string) =>
  shop.db
    .select({ action: auditLog.action, by: auditLog.actorId, before: auditLog.before, after: auditLog.after })
    .from(auditLog)
    .where(eq(auditLog.targetId, id))
    .orderBy(asc(auditLog.id));

describe('the list', () => {
  let category: string;
  beforeAll(async () => {
    const { id, name } = await shop.category({ name: 'listed' });
    category = name;
    const products = [
      { name: 'Anise', priceCents: 300, quantity: 40, unitCostCents: 120 },
      { name: 'basil', priceCents: 200, quantity: 0, otherNames: ['Tulsi'] },
      { name: 'Clove 100%_pure', priceCents: 900, quantity: 7, availability: false, unitCostCents: 500 },
      { name: 'Dill', priceCents: 100, quantity: 3 },
    ];
    for (const product of products) await shop.stock({ categoryId: id, ...product });
    const gone = await shop.stock({ categoryId: id, name: 'Epazote' });
    await archive(gone.id);
  });

  test('shows the fields that only staff see, and archived products only on request', async () => {
    const { content, totalElements, totalPages } = await list({ category });
    expect({ totalElements, totalPages }).toEqual({ totalElements: 4, totalPages: 1 });
    expect(content[0]).toMatchObject({ name: 'Anise', unitCost: 1.2, availability: true, availabilityFlag: true });
    expect(content[1]).toMatchObject({ name: 'basil', unitCost: null, availability: false, availabilityFlag: true });
    expect(await namesOf({ category, archived: 'yes' })).toEqual(['Epazote']);
    expect(await namesOf({ category, archived: 'all' })).toHaveLength(5);
  });

  test.each([
    ['createdAt', ['Anise', 'basil', 'Clove 100%_pure', 'Dill']],
    ['name', ['Anise', 'basil', 'Clove 100%_pure', 'Dill']],
    ['price', ['Dill', 'basil', 'Anise', 'Clove 100%_pure']],
    ['quantity', ['basil', 'Dill', 'Clove 100%_pure', 'Anise']],
    ['availability', ['basil', 'Clove 100%_pure', 'Anise', 'Dill']],
    ['category', ['Anise', 'basil', 'Clove 100%_pure', 'Dill']],
  ])('is sorted by %s, both ways', async (sort, names) => {
    expect(await namesOf({ category, sort })).toEqual(names);
    const backwards = await namesOf({ category, sort, direction: 'desc' });
    expect(backwards).toEqual(names.toReversed());
  });

  test.each([
    ['available', { availability: 'available' }, ['Anise', 'Dill']],
    ['not available', { availability: 'notAvailable' }, ['basil', 'Clove 100%_pure']],
    ['low in stock', { lowStock: true }, ['basil', 'Clove 100%_pure', 'Dill']],
    ['named so, in any case', { q: 'ANI' }, ['Anise']],
    ['otherwise named so', { q: 'tulsi' }, ['basil']],
    ['named with a percent sign', { q: '0%' }, ['Clove 100%_pure']],
    ['named with an underscore', { q: '_' }, ['Clove 100%_pure']],
    ['named with what nothing is', { q: '\\' }, []],
    ['of a category that is not there', { category: 'nowhere' }, []],
  ])('is filtered by %s', async (_, query, names) => {
    expect(await namesOf({ category, ...query })).toEqual(names);
    expect((await list({ category, ...query })).totalElements).toBe(names.length);
  });

  test('has pages with the right total', async () => {
    const page = await list({ category, sort: 'price', page: 1, size: 3 });
    expect(page).toMatchObject({ totalElements: 4, totalPages: 2, pageable: { pageNumber: 1, totalPages: 2 } });
    expect(page.content.map(({ name }) => name)).toEqual(['Clove 100%_pure']);
  });

  test("uses the settings' threshold for low stock", async () => {
    const { data } = await shop.call('listProductsForStaff', { as: staff });
    const { status, data: set } = await shop.call('getSettings', { as: await shop.signIn({ role: 'ROLE_OWNER' }) });
    if (status === 200) expect(data.lowStockThreshold).toBe(set.settings.lowStockThreshold);
  });

  test.each([
    { sort: 'unitCostCents' },
    { sort: ['name', 'price'] },
    { archived: 'maybe' },
    { size: 101 },
    { q: 'x'.repeat(101) },
  ])('rejects %j', async (query) => {
    expect(await shop.call('listProductsForStaff', { as: staff, query })).toMatchObject({ status: 400 });
  });
});

describe('filters by supplier and by tag', () => {
  const filters = async (query: Record<string, unknown> = {}) =>
    (await shop.call('listProductFilters', { as: staff, query })).data;
  const sumac = { name: 'Sumac', supplier: "O'Neil & Söhne, 100%_\\", tags: ['holiday', "it's; drop"] };
  let sumacId: string;
  let zaatarId: string;
  beforeAll(async () => {
    sumacId = (await shop.stock(sumac)).id;
    zaatarId = (await shop.stock({ name: 'Zaatar', supplier: sumac.supplier, tags: ['holiday'] })).id;
    await shop.stock({ name: 'Fennel', supplier: 'Acme' });
  });

  test.each([
    ['a supplier', { supplier: sumac.supplier }, ['Sumac', 'Zaatar']],
    ['a tag', { tag: 'holiday' }, ['Sumac', 'Zaatar']],
    ['a tag like SQL', { tag: "it's; drop" }, ['Sumac']],
    ['both', { supplier: sumac.supplier, tag: "it's; drop" }, ['Sumac']],
    ['a supplier and a text', { supplier: sumac.supplier, q: 'zaa' }, ['Zaatar']],
    ['the start of a supplier', { supplier: 'Acm' }, []],
    ['a pattern', { supplier: '%' }, []],
    ['a tag in another case', { tag: 'Holiday' }, []],
    ['a list of tags', { tag: 'holiday,{holiday}' }, []],
  ])('show the products of %s, also in the file', async (_, query, names) => {
    expect(await namesOf({ ...query, sort: 'name' })).toEqual(names);
    expect((await list(query)).totalElements).toBe(names.length);
    const file = await shop.app.inject({
      url: '/api/admin/products/export',
      query: { ...query, sort: 'name' },
      headers: { authorization: `Bearer ${staff.token}` },
    });
    expect(rowsOf(file.body).map((row) => row['name'])).toEqual(names);
  });

  test.each([
    { supplier: '' },
    { tag: '' },
    { supplier: 'x'.repeat(81) },
    { tag: 'x'.repeat(31) },
    { tag: ['a', 'b'] },
  ])('refuse %j', async (query) => {
    expect(await shop.call('listProductsForStaff', { as: staff, query })).toMatchObject({ status: 400 });
  });

  test('have the values that exist with the number of products, and follow every change', async () => {
    expect(await filters()).toEqual({
      suppliers: [
        { value: sumac.supplier, products: 2 },
        { value: 'Acme', products: 1 },
      ],
      tags: [
        { value: 'holiday', products: 2 },
        { value: "it's; drop", products: 1 },
      ],
    });
    await shop.db
      .update(products)
      .set({ supplier: 'Acme', tags: ['winter', 'winter'] })
      .where(eq(products.id, sumacId));
    await archive(zaatarId);
    expect(await filters()).toEqual({
      suppliers: [{ value: 'Acme', products: 2 }],
      tags: [{ value: 'winter', products: 1 }],
    });
    const deleted = { suppliers: [{ value: sumac.supplier, products: 1 }], tags: [{ value: 'holiday', products: 1 }] };
    expect(await filters({ archived: 'yes' })).toEqual(deleted);
    expect((await filters({ archived: 'all' })).suppliers).toHaveLength(2);
    expect((await list({ tag: 'holiday' })).totalElements).toBe(0);
    expect((await list({ tag: 'holiday', archived: 'all' })).totalElements).toBe(1);
  });
});

describe('deleting', () => {
  test('keeps the product for old links, and Undo restores it', async () => {
    const { id } = await shop.stock({ slug: randomUUID() });
    expect((await archive(id)).data.product.archivedAt).not.toBeNull();
    expect((await shop.call('getProduct', { path: { id } })).data.product).toMatchObject({ archived: true });
    const restored = await shop.call('restoreProduct', { as: staff, path: { id } });
    expect(restored.data.product).toMatchObject({ archivedAt: null, version: 3 });
    expect(await auditOf(id)).toMatchObject([
      { action: 'product.archived', by: staff.userId, before: { archivedAt: null } },
      { action: 'product.restored', by: staff.userId, after: { archivedAt: null } },
    ]);
  });

  test('twice has the effect of once', async () => {
    const { id } = await shop.stock();
    const first = await archive(id);
    expect((await archive(id)).data).toEqual(first.data);
    expect(await auditOf(id)).toHaveLength(1);
  });

  test('several at a time: they are archived, restored and switched together, and unchanged ones are not listed', async () => {
    const ids = [await shop.stock(), await shop.stock(), await shop.stock()].map(({ id }) => id);
    await archive(ids[0] ?? '');
    const archived = await change(ids, 'archive');
    expect(archived).toMatchObject({ status: 200, message: '2 products deleted' });
    expect(archived.data.changedIds.sort()).toEqual(ids.slice(1).sort());
    expect((await change(archived.data.changedIds, 'restore')).message).toBe('2 products restored');
    expect(await Promise.all(ids.map(forStaff))).toMatchObject([
      { archivedAt: expect.any(String) },
      { archivedAt: null },
      { archivedAt: null },
    ]);
    expect((await change(ids.slice(1), 'makeNotAvailable')).data.changedIds).toHaveLength(2);
    expect((await change(ids, 'makeAvailable')).data.changedIds.sort()).toEqual(ids.slice(1).sort());
  });

  test('applies to all of them or to none', async () => {
    const { id } = await shop.stock();
    expect(await change([id, randomUUID()], 'archive')).toMatchObject({ status: 404, code: 'product_not_found' });
    expect(await forStaff(id)).toMatchObject({ archivedAt: null });
    const many = Array.from({ length: 101 }, () => randomUUID());
    expect(await change(many, 'archive')).toMatchObject({ status: 400 });
    expect(await change([], 'archive')).toMatchObject({ status: 400 });
  });

  test('or hiding a product, or deleting its category, blocks three carts, while an open payment stays valid', async () => {
    const order = await openOrder(shop, { quantity: 10 });
    const [item] = (await shop.call('getOrder', { as: order.as, path: { orderId: order.orderId } })).data.orderResponse
      .orderItems;
    const { id: productId, categoryId } = await shop.stock({ quantity: 10 });
    const other = await shop.stock({ quantity: 10 });
    const buyers = await Promise.all([1, 2, 3].map(() => shop.signIn()));
    for (const as of buyers) {
      const path = { userId: as.userId };
      await shop.call('addCartItem', { as, path, body: { productId, quantity: 1 } });
      await shop.call('addCartItem', { as, path, body: { productId: other.id, quantity: 1 } });
    }
    const open = buyers[0] as Person;
    const placed = await placeOrder(shop, open);
    expect(placed.status).toBe(201);
    expect(await shop.call('deleteCategory', { as: staff, path: { id: categoryId } })).toMatchObject({
      status: 409,
      code: 'category_in_use',
      message: 'This category has 1 product. Move or delete them first.',
    });
    await archive(productId);
    await change([other.id], 'makeNotAvailable');
    for (const as of buyers.slice(1)) expect((await placeOrder(shop, as)).status).toBe(409);
    const [, waiting] = buyers as [Person, Person, Person];
    const path = { userId: waiting.userId };
    const cart = (await shop.call('getCart', { as: waiting, path })).data.cartResponse;
    for (const { id: cartItemId } of cart.cartItems)
      await shop.call('removeCartItem', { as: waiting, path: { ...path, cartItemId } });
    expect((await shop.call('getCart', { as: waiting, path })).data.cartResponse.cartItems).toEqual([]);

    const sessionId = /cs_test_\w+/.exec(placed.data.paymentUrl)?.[0] ?? '';
    await buy(shop, { sessionId });
    const query = { session_id: sessionId };
    expect((await shop.call('checkPaymentStatus', { as: open, query })).data.payment).toMatchObject({
      orderStatus: 'PAID',
    });
    expect(item).toMatchObject({ productName: 'Black pepper' });
    expect(await shop.call('deleteCategory', { as: staff, path: { id: categoryId } })).toMatchObject({
      message: 'This category has 1 product (1 deleted). Move them first.',
    });
  });
});

describe('categories', () => {
  test('are listed with their number of products, searched and sorted', async () => {
    const [many, few, none] = [
      await shop.category({ name: 'zz-many' }),
      await shop.category({ name: 'zz-few' }),
      await shop.category({ name: 'zz-none' }),
    ];
    await shop.stock({ categoryId: many.id });
    await shop.stock({ categoryId: many.id });
    const gone = await shop.stock({ categoryId: few.id });
    await archive(gone.id);
    const query = { q: 'ZZ-', sort: 'products', direction: 'desc', size: 2 };
    const { categories } = (await shop.call('listCategoriesForStaff', { as: staff, query })).data;
    expect(categories).toMatchObject({ totalElements: 3, totalPages: 2 });
    expect(categories.content[0]).toMatchObject({ name: 'zz-many', products: 2, archivedProducts: 0 });
    const all = (await shop.call('listCategoriesForStaff', { as: staff, query: { q: 'zz-', sort: 'name' } })).data;
    expect(all.categories.content.map(({ name }) => name)).toEqual(['zz-few', 'zz-many', 'zz-none']);
    expect(all.categories.content[0]).toMatchObject({ products: 0, archivedProducts: 1 });
    expect(await shop.call('deleteCategory', { as: staff, path: { id: none.id } })).toMatchObject({ status: 200 });
    expect(await shop.call('deleteCategory', { as: staff, path: { id: none.id } })).toMatchObject({ status: 404 });
    expect((await shop.call('getCatalogChanges')).data.changes.categories.map(({ id }) => id)).not.toContain(none.id);
    expect(await auditOf(none.id)).toMatchObject([{ action: 'category.deleted', before: { name: 'zz-none' } }]);
  });

  test('and products by category are sorted as displayed: by title', async () => {
    const titled = [
      await shop.category({ name: 'yy-first', title: 'Yams' }),
      await shop.category({ name: 'yy-second', title: 'Almonds' }),
      await shop.category({ name: 'yy-third', title: 'nuts' }),
    ];
    for (const { id, name } of titled) await shop.stock({ categoryId: id, name: `Sorted ${name}` });
    const { data } = await shop.call('listCategoriesForStaff', { as: staff, query: { q: 'yy-', sort: 'name' } });
    expect(data.categories.content.map(({ title }) => title)).toEqual(['Almonds', 'nuts', 'Yams']);
    const sorted = ['Sorted yy-second', 'Sorted yy-third', 'Sorted yy-first'];
    expect(await namesOf({ q: 'Sorted yy-', sort: 'category' })).toEqual(sorted);
  });

  test('never get a new product while being deleted', async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const { id } = await shop.category();
      const fields = { name: 'x', description: 'x', price: '1', availability: 'true', quantity: '1', category: id };
      const answers = await Promise.all([
        shop.call('createProduct', { as: staff, path: { categoryId: id }, ...multipart(fields) }),
        shop.call('deleteCategory', { as: staff, path: { id } }),
      ]);
      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual(answers.map(({ status }) => status));
    }
  });
});
