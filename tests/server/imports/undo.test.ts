/** Undo of an import. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAliased } from '../../../src/server/catalog/aliases';
import { importCalls } from '../../support/imports';
import { jpeg } from '../../support/pictures';
import { startPhotoServer, type PhotoServer } from '../../support/photoServer';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
let calls: ReturnType<typeof importCalls>;
let server: PhotoServer;
beforeAll(async () => {
  server = await startPhotoServer();
  shop = await openOwnShop({ web: server.web });
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  calls = importCalls(shop, staff);
});
afterAll(async () => {
  await shop.close();
  await server.close();
});

const productOf = async (id: string) =>
  (await shop.call('getProductForStaff', { as: staff, path: { id } })).data.product;
/** The catalog without what counts changes. */
const catalog = async () => (await calls.exported()).replaceAll(/"\d+","(true|false)"\n/g, '"$1"\n');

test('Undo leaves the catalog as it was before the import', async () => {
  const { name: category } = await shop.category();
  const [one, two] = [await shop.stock({ quantity: 5, slug: 'known-pepper' }), await shop.stock({ quantity: 8 })];
  const before = await catalog();
  const csv = [
    'id,name,description,price,availability,quantity,quantityWas,category,tags,sizeGroup,taxable',
    `${one.id},Renamed,New text,9.75,no,7,5,${category},"hot, new",sizes,no`,
    `${two.id},Other,New text,9.75,yes,3,8,${category},,sizes,yes`,
    `,Brand new,Text,4.35,yes,12,,${category},,sizes,yes`,
  ].join('\n');
  const done = await calls.imported(csv);
  expect(done).toMatchObject({ state: 'done', rows: { new: 1, changed: 2 } });
  expect(done.undoableUntil).not.toBeNull();
  expect(await catalog()).not.toBe(before);
  expect((await calls.undo(done.id)).status).toBe(202);
  expect(await calls.readImport(done.id)).toMatchObject({ state: 'undone', kept: [], undoableUntil: null });
  expect(await catalog()).toBe(before);
  const { data } = await shop.call('listStockMovements', { as: staff, path: { id: one.id } });
  expect(data.movements.content.map(({ shelf }) => shelf)).toEqual([-2, 2, 5]);
});

test('a field that someone changed since the import stays, and is named', async () => {
  const { id, name } = await shop.stock({ priceCents: 450, quantity: 3 });
  const done = await calls.imported(`id,price,supplier,quantity,quantityWas\n${id},5,Banjul Mill,9,3\n`);
  await calls.imported(`id,price\n${id},6.25\n`);
  await shop.call('adjustStock', { as: staff, path: { id }, body: { change: -8, reason: 'Sold' } });
  await calls.undo(done.id);
  expect(await productOf(id)).toMatchObject({ price: 6.25, quantity: 1 });
  expect(await productOf(id)).not.toHaveProperty('supplier');
  expect((await calls.readImport(done.id)).kept).toEqual([
    { line: 2, name, column: 'price', message: 'Someone changed this since the import, so it stays' },
    { line: 2, name, column: 'quantity', message: 'Fewer units are left than the import added, so the stock stays' },
  ]);
});

const loadPhotos = async () => {
  await shop.jobs.fetchPhotos();
  await shop.jobs.makePictures();
};
const photoIds = async (id: string) => (await productOf(id)).photos.map((photo) => photo.id);

test('Undo removes the photos that the import added, unless someone arranged them since', async () => {
  const [one, two] = [await shop.stock(), await shop.stock()];
  const links = await Promise.all(
    [31, 32, 33].map(async (side) => server.photo(`/undo-${side}.jpg`, await jpeg(side, side))),
  );
  const [old, front, back] = links;
  await calls.imported(`id,photos\n${one.id},${old}\n`);
  await loadPhotos();
  const before = await photoIds(one.id);
  const csv = `id,photos\n${one.id},${old} ${front} ${back}\n${two.id},${front} ${back}\n`;
  const done = await calls.imported(csv);
  await loadPhotos();
  expect([(await photoIds(one.id)).length, (await photoIds(two.id)).length]).toEqual([3, 2]);
  const arranged = (await photoIds(two.id)).toReversed();
  const body = { photos: arranged.map((id) => ({ id })) };
  await shop.call('arrangePhotos', { as: staff, path: { id: two.id }, body });
  await calls.undo(done.id);
  expect(await photoIds(one.id)).toEqual(before);
  expect(await photoIds(two.id)).toEqual(arranged);
  expect((await calls.readImport(done.id)).kept).toEqual([
    { line: 3, name: two.name, column: 'photos', message: 'Someone changed this since the import, so it stays' },
  ]);
  await calls.imported(csv);
  await loadPhotos();
  expect([await photoIds(one.id), await photoIds(two.id)].map(({ length }) => length)).toEqual([3, 2]);
});

test('Undo also removes photos whose sizes are not made yet', async () => {
  const { id } = await shop.stock();
  const link = server.photo('/undo-41.jpg', await jpeg(41, 41));
  const done = await calls.imported(`id,photos\n${id},${link}\n`);
  await shop.jobs.fetchPhotos();
  await calls.undo(done.id);
  await shop.jobs.makePictures();
  expect(await productOf(id)).toMatchObject({ picture: null, photos: [] });
});

test('a file can be imported again after Undo', async () => {
  const { name: category } = await shop.category();
  const csv = `name,description,price,quantity,category,sku\nTwice,Good,4.35,12,${category},TW-1\n`;
  const first = await calls.imported(csv);
  await calls.undo(first.id);
  const second = await calls.imported(csv);
  expect(second).toMatchObject({ state: 'done', rows: { new: 1 } });
  const [product] = await calls.productsOf(second.id);
  expect(product).toMatchObject({ quantity: 12, archivedAt: null });
});

test('an import can be undone once, and only within 24 hours', async () => {
  const { id: productId } = await shop.stock();
  const early = await calls.imported(`id,price\n${productId},5\n`);
  const late = await calls.imported(`id,price\n${productId},6\n`);
  await calls.undo(early.id);
  expect((await calls.undo(early.id)).body).toMatchObject({ code: 'import_not_undoable' });
  shop.clock.advance(24 * 3_600_000);
  staff = await shop.again(staff);
  calls = importCalls(shop, staff);
  expect((await calls.undo(late.id)).body).toMatchObject({ code: 'import_not_undoable' });
  expect(await productOf(productId)).toMatchObject({ price: 6 });
});

test('Undo is an entry in the audit log', async () => {
  const { name: category } = await shop.category();
  const { id: productId } = await shop.stock();
  const csv = `id,name,description,price,quantity,category\n${productId},Old,Good,4.35,,${category}\n,New,Good,4.35,2,${category}\n`;
  const { id } = await calls.imported(csv.replace('4.35,,', '4.35,0,'), undefined);
  await calls.undo(id);
  const { data } = await shop.call('listAudit', { as: staff, query: { kind: 'import', action: 'import.undone' } });
  expect(data.entries.content[0]).toMatchObject({ thing: 'Import' });
});

test('Undo of another file keeps what an entry of a former shop became', async () => {
  const { name: category } = await shop.category();
  const csv = `Handle,Title,Type,Variant SKU,Variant Price,Variant Inventory Qty\nlinked,Linked,${category},LK-1,4.50,10\n`;
  await calls.imported(csv);
  const { id } = await calls.imported('sku,price\nLK-1,5.00\n');
  await calls.undo(id);
  const { rows } = await shop.pool.query(`select source, units from product_sources where key = 'linked'`);
  expect(rows).toEqual([{ source: 'shopify', units: 10 }]);
});

test('Undo of an import that created a product keeps its entries of other sources', async () => {
  const { name: category } = await shop.category();
  const { id } = await calls.imported(
    `name,description,price,quantity,category,sku\nBoth,Good,4.35,3,${category},BO-1\n`,
  );
  await calls.imported(`Handle,Title,Type,Variant SKU,Variant Price\nboth,Both,${category},BO-1,4.35\n`);
  const sourcesOf = async () => {
    const { rows } = await shop.pool.query(`select source, key from product_sources where key in ('both', 'sku bo-1')`);
    return rows;
  };
  expect(await sourcesOf()).toHaveLength(2);
  await calls.undo(id);
  expect(await sourcesOf()).toEqual([{ source: 'shopify', key: 'both' }]);
});

describe('addresses', () => {
  const at = async (slug: string) => (await shop.call('getProductBySlug', { path: { slug } })).data?.product?.id;
  const setSlug = (id: string, slug: string) => calls.imported(`id,slug\n${id},${slug}\n`);

  test('Undo gives a product its address back, and forgets the one that the import made', async () => {
    const { id } = await shop.stock();
    await setSlug(id, 'first-pepper');
    await setSlug(id, 'second-pepper');
    const done = await setSlug(id, 'imported-pepper');
    await calls.undo(done.id);
    expect(await productOf(id)).toMatchObject({ slug: 'second-pepper' });
    expect(await Promise.all(['first-pepper', 'second-pepper', 'imported-pepper'].map(at))).toEqual([
      id,
      id,
      undefined,
    ]);
    const other = await shop.stock();
    await setSlug(other.id, 'imported-pepper');
    expect(await at('imported-pepper')).toBe(other.id);
  });

  test('a former address that the import made the present one is a former one again after Undo', async () => {
    const { id } = await shop.stock();
    await setSlug(id, 'old-cubeb');
    await setSlug(id, 'new-cubeb');
    const done = await setSlug(id, 'old-cubeb');
    await calls.undo(done.id);
    expect(await productOf(id)).toMatchObject({ slug: 'new-cubeb' });
    expect(await at('old-cubeb')).toBe(id);
  });

  test('Undo takes back old addresses of a former shop, and those of deleted products lead there again', async () => {
    const { name: category } = await shop.category();
    const [known, gone] = [
      await shop.stock({ quantity: 5, slug: 'known-pepper' }),
      await shop.stock({ slug: 'gone-pepper' }),
    ];
    await calls.imported(`id,price,oldAddress\n${known.id},5,/products/kept\n${gone.id},5,/product/moved\n`);
    await shop.call('archiveProduct', { as: staff, path: { id: gone.id } });
    const csv = [
      'id,name,description,price,quantity,quantityWas,category,oldAddress',
      `${known.id},Known,Good,6,5,5,${category},/products/added`,
      `,Newcomer,Good,4.35,3,,${category},/product/moved`,
      `,Second newcomer,Good,4.35,3,,${category},/product/newcomer`,
    ].join('\n');
    const done = await calls.imported(csv);
    expect(done).toMatchObject({ state: 'done', rows: { new: 2, changed: 1, wrong: 0 } });
    const addresses = ['/products/kept', '/products/added', '/product/moved', '/product/newcomer'];
    const leadTo = () => Promise.all(addresses.map((path) => findAliased(shop.db, path)));
    expect((await leadTo()).slice(2)).toEqual(['/p/newcomer', '/p/second-newcomer']);
    await calls.undo(done.id);
    expect(await leadTo()).toEqual(['/p/known-pepper', undefined, '/p/gone-pepper', undefined]);
  });

  test('an old address that a later import has too stays', async () => {
    const { id } = await shop.stock();
    const row = (price: number) => calls.imported(`id,price,oldAddress\n${id},${price},/products/twice\n`);
    const early = await row(5);
    await row(6);
    await calls.undo(early.id);
    expect(await findAliased(shop.db, '/products/twice')).toBeDefined();
  });

  test('a product that Undo deleted leaves its address to others, and gets one when it is restored', async () => {
    const { name: category } = await shop.category();
    const csv = `name,description,price,quantity,category,slug\nAwara,Good,4.35,12,${category},awara-pepper\n`;
    const first = await calls.imported(csv);
    const [made] = await calls.productsOf(first.id);
    await calls.undo(first.id);
    expect(await at('awara-pepper')).toBeUndefined();
    const second = await calls.imported(csv);
    expect(second).toMatchObject({ rows: { new: 1, wrong: 0 } });
    const [again] = await calls.productsOf(second.id);
    expect(again).toMatchObject({ slug: 'awara-pepper' });
    await shop.call('restoreProduct', { as: staff, path: { id: made?.id ?? '' } });
    expect(await productOf(made?.id ?? '')).toMatchObject({ slug: 'awara' });
  });
});
