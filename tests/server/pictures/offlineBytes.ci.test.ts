/** The picture sizes in the change feed, which let a device show them before it downloads. */
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copySeedPictures, seedDemoCatalog } from '../../../src/server/db/seed/demoCatalog';
import { pictures } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import { jpeg, picturesOf } from '../../support/pictures';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
let pics: ReturnType<typeof picturesOf>;
beforeAll(async () => {
  shop = await openOwnShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  pics = picturesOf(shop, () => staff);
});
afterAll(() => shop.close());

const feed = async () => (await shop.call('getCatalogChanges')).data.changes.products;
const inFeed = async (id: string) => (await feed()).find((product) => product.id === id)?.picture ?? undefined;

/** @returns the bytes of the two files served in the width that devices store */
async function served(base: string) {
  const sizeOf = async (type: string) => (await shop.app.inject(`${base}-320.${type}`)).rawPayload.length;
  return { avif: await sizeOf('avif'), webp: await sizeOf('webp') };
}

async function pictured(color?: string) {
  const { id } = await shop.stock();
  await pics.upload(id, await jpeg(640, 480, color));
  await shop.jobs.makePictures();
  return { id, base: (await pics.forStaff(id)).picture?.base ?? '' };
}

test('the change feed has the sizes of the two files of which a device stores one', async () => {
  const { id, base } = await pictured();
  const bytes = await served(base);
  expect(bytes.avif).toBeGreaterThan(100);
  expect((await inFeed(id))?.keptBytes).toEqual(bytes);
});

test('a list and a product, which show a picture, do not', async () => {
  const { id } = await pictured('#306020');
  const { data } = await shop.call('getProduct', { path: { id } });
  expect(data.product.picture).not.toHaveProperty('keptBytes');
  const listed = (await shop.call('listProducts', { query: { size: 100 } })).data.products.content;
  expect(listed.filter(({ picture }) => picture && 'keptBytes' in picture)).toEqual([]);
});

test('an already processed picture is not processed again, and gets its size too', async () => {
  const { id, base } = await pictured('#102030');
  await shop.call('removePicture', { as: staff, path: { id } });
  await shop.db.delete(pictures).where(eq(pictures.hash, path.basename(base)));
  const second = await pictured('#102030');
  expect(second.base).toBe(base);
  expect((await inFeed(second.id))?.keptBytes).toEqual(await served(base));
});

test('the demo catalog has the size of each picture’s files', async () => {
  const demo = await openOwnShop();
  await copySeedPictures('src/server/db/seed/pictures', path.join(demo.dataDir, 'pictures'));
  await transact(demo.db, (tx) => seedDemoCatalog(tx, { now: demo.clock.now() }));
  const { products } = (await demo.call('getCatalogChanges')).data.changes;
  expect(products.length).toBeGreaterThan(30);
  for (const { name, picture } of products) {
    const sizeOf = async (type: string) => (await demo.app.inject(`${picture?.base}-320.${type}`)).rawPayload.length;
    expect(picture?.keptBytes, name).toEqual({ avif: await sizeOf('avif'), webp: await sizeOf('webp') });
  }
  await demo.close();
});
