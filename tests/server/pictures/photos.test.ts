/** Several photos of a product: added, ordered, described, and removed by staff. Rule: docs/rules/catalog.md, Photos */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLog, products } from '../../../src/server/db/schema/tables';
import { pictureMessages } from '../../../src/shared/pictureUploads';
import { asFile, form } from '../../support/catalogScenarios';
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

const add = async (id: string, color: string, alt = '') =>
  shop.call('addPhoto', { as: staff, path: { id }, ...(await form({ file: asFile(await jpeg(8, 6, color)), alt })) });
const arrange = (id: string, photos: { id: string; alt?: string | null }[]) =>
  shop.call('arrangePhotos', { as: staff, path: { id }, body: { photos } });
const photosOf = async (id: string) => (await pics.forStaff(id)).photos;
const idsOf = async (id: string) => (await photosOf(id)).map((photo) => ({ id: photo.id }));
const shown = async (id: string) => (await shop.call('getProduct', { path: { id } })).data.product;

/** A product with photos of these colors, all ready. */
async function pictured(...colors: string[]) {
  const { id } = await shop.stock();
  for (const color of colors) expect((await add(id, color)).status).toBe(202);
  await shop.jobs.makePictures();
  return id;
}
const [red, green, blue] = ['#ff0000', '#00ff00', '#0000ff'];

test('added photos follow the others in the order in which they were sent, and the first is the picture', async () => {
  const id = await pictured(red, green, blue);
  const product = await shown(id);
  expect(product.photos).toHaveLength(3);
  expect(product.photos?.[0]).toMatchObject({ base: product.picture?.base, imageUrl: product.imageUrl });
  expect(product.photos?.map(({ placeholder }) => placeholder)).toEqual(['#fe0000', '#00ff01', '#0000fe']);
  expect(product.photos?.map(({ id }) => id)).toEqual((await photosOf(id)).map((photo) => photo.id));
  expect((await shop.app.inject(product.photos?.[2]?.imageUrl ?? '')).statusCode).toBe(200);
});

test('a product with one photo has no list of photos, and lists of products have none either', async () => {
  const one = await pictured(red);
  const two = await pictured(red, green);
  expect(await shown(one)).not.toHaveProperty('photos');
  expect(await shown(one)).toMatchObject({ picture: { alt: 'Black pepper' } });
  const { content } = (await shop.call('listProducts', { query: { size: 100 } })).data.products;
  expect(content.some(({ id }) => id === two)).toBe(true);
  expect(content.filter((product) => 'photos' in product)).toEqual([]);
  const { changes } = (await shop.call('getCatalogChanges')).data;
  expect(changes.products.filter(({ photos }) => photos).map(({ id }) => id)).toContain(two);
  expect(changes.products.find(({ id }) => id === one)).not.toHaveProperty('photos');
});

test('until an added photo is ready, only staff see it', async () => {
  const id = await pictured(red);
  const { data, message } = await add(id, green, ' The jar ');
  expect(message).toBe('Processing your photo');
  expect(data.product.photos).toMatchObject([
    { state: 'ready', alt: null },
    { state: 'processing', alt: 'The jar', imageUrl: null, message: 'Processing your photo' },
  ]);
  expect(data.product.pictureUpload).toBeNull();
  expect(await shown(id)).not.toHaveProperty('photos');
  await shop.jobs.makePictures();
  expect((await shown(id)).photos?.map(({ alt }) => alt)).toEqual(['Black pepper', 'The jar']);
});

test('staff change the order and the descriptions, and the new first photo is the picture', async () => {
  const id = await pictured(red, green, blue);
  const [first, second, third] = await idsOf(id);
  const before = await shown(id);
  const answer = await arrange(
    id,
    [{ id: third?.id ?? '', alt: 'Close up' }, first, second].flatMap((each) => each ?? []),
  );
  expect(answer).toMatchObject({ status: 200, message: 'Photos updated' });
  expect(answer.data.product.photos.map((photo) => photo.id)).toEqual([third?.id, first?.id, second?.id]);
  const after = await shown(id);
  expect(after.version).toBe(before.version + 1);
  expect(after).toMatchObject({ picture: { alt: 'Close up' }, imageUrl: before.photos?.[2]?.imageUrl });
  await arrange(
    id,
    [{ id: third?.id ?? '', alt: '' }, first, second].flatMap((each) => each ?? []),
  );
  expect(await shown(id)).toMatchObject({ picture: { alt: 'Black pepper' } });
  const actions = await shop.db.select({ action: auditLog.action }).from(auditLog).where(eq(auditLog.targetId, id));
  expect(actions.filter(({ action }) => action === 'product.photos_arranged')).toHaveLength(2);
});

test('the same order again changes nothing', async () => {
  const id = await pictured(red, green);
  const { version } = await shown(id);
  expect((await arrange(id, await idsOf(id))).status).toBe(200);
  expect((await shown(id)).version).toBe(version);
});

test('an order made before a colleague added or removed a photo is rejected', async () => {
  const id = await pictured(red, green);
  const old = await idsOf(id);
  await add(id, blue);
  const late = { status: 409, code: 'photos_changed', message: pictureMessages.changed };
  expect(await arrange(id, old)).toMatchObject(late);
  const now = await idsOf(id);
  await shop.call('removePhoto', { as: staff, path: { id, photoId: old[0]?.id ?? '' } });
  expect(await arrange(id, now)).toMatchObject(late);
  expect(await arrange(id, [...(await idsOf(id)), ...(await idsOf(id))])).toMatchObject(late);
});

test('a photo that was ordered while it was processed gets its place, whichever is ready first', async () => {
  const id = await pictured(red);
  const [, second] = (await add(id, green)).data.product.photos;
  const photos = (await add(id, blue, 'Blue')).data.product.photos;
  const wanted = [photos[2], photos[0], second].map((photo) => ({ id: photo?.id ?? '' }));
  await arrange(id, wanted);
  expect((await photosOf(id)).map(({ state }) => state)).toEqual(['processing', 'ready', 'processing']);
  await shop.jobs.makePictures();
  const product = await shown(id);
  expect(product.photos?.map((photo) => ({ id: photo.id }))).toEqual(wanted);
  expect(product).toMatchObject({ picture: { alt: 'Blue' } });
});

test('a removed first photo makes room for the next, and a photo that is not ready can be removed too', async () => {
  const id = await pictured(red, green);
  const [first, second] = await idsOf(id);
  const waiting = (await add(id, blue)).data.product.photos[2];
  const removed = await shop.call('removePhoto', { as: staff, path: { id, photoId: first?.id ?? '' } });
  expect(removed).toMatchObject({ status: 200, message: 'Photo removed' });
  expect(removed.data.product.imageUrl).toContain(second?.id);
  await shop.call('removePhoto', { as: staff, path: { id, photoId: waiting?.id ?? '' } });
  await shop.jobs.makePictures();
  expect(await idsOf(id)).toEqual([second]);
  await shop.call('removePhoto', { as: staff, path: { id, photoId: second?.id ?? '' } });
  expect(await shown(id)).toMatchObject({ picture: null, imageUrl: null });
});

test('the calls that know one picture replace and remove the first photo only', async () => {
  const id = await pictured(red, green);
  const [, second] = await idsOf(id);
  await pics.upload(id, await jpeg(8, 6, blue));
  await shop.jobs.makePictures();
  expect(await shown(id)).toMatchObject({ picture: { placeholder: '#0000fe' } });
  expect((await idsOf(id))[1]).toEqual(second);
  await shop.call('removePicture', { as: staff, path: { id } });
  expect(await idsOf(id)).toEqual([second]);
  expect((await shown(id)).imageUrl).toContain(second?.id);
});

test('the eleventh photo is rejected, whether the others are ready or not', async () => {
  const { id } = await shop.stock();
  for (let n = 0; n < 10; n += 1) expect((await add(id, `#0000${n}0`)).status).toBe(202);
  const eleventh = { status: 409, code: 'too_many_photos', message: pictureMessages.tooMany };
  expect(await add(id, red)).toMatchObject(eleventh);
  await pics.upload(id, await jpeg(8, 6, red)); // a first photo, for which there is no room
  await shop.jobs.makePictures();
  expect((await shown(id)).photos).toHaveLength(10);
  expect(await add(id, green)).toMatchObject(eleventh);
});

test('the same file is a photo once, and a damaged one can be uploaded again or removed', async () => {
  const id = await pictured(red);
  expect(await add(id, red)).toMatchObject({ status: 409, code: 'photo_taken', message: pictureMessages.taken });
  const damaged = asFile((await jpeg(300, 300, green)).subarray(0, 700));
  const addDamaged = async () => shop.call('addPhoto', { as: staff, path: { id }, ...(await form({ file: damaged })) });
  await addDamaged();
  await shop.jobs.makePictures();
  const failed = (await photosOf(id))[1];
  expect(failed).toMatchObject({ state: 'failed', message: pictureMessages.damaged });
  expect((await addDamaged()).data.product.photos[1]).toMatchObject({ id: failed?.id, state: 'processing' });
  await shop.call('removePhoto', { as: staff, path: { id, photoId: failed?.id ?? '' } });
  expect(await photosOf(id)).toHaveLength(1);
});

test('two photos added at the same time both stay', async () => {
  const { id } = await shop.stock();
  const answers = await Promise.all([add(id, red), add(id, green), add(id, blue)]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  await shop.jobs.makePictures();
  expect((await shown(id)).photos).toHaveLength(3);
});

test('a new photo does not make an open product form stale', async () => {
  const id = await pictured(red);
  const [before] = await shop.db.select().from(products).where(eq(products.id, id));
  await add(id, green);
  await shop.jobs.makePictures();
  const [after] = await shop.db.select().from(products).where(eq(products.id, id));
  expect(after).toMatchObject({ version: (before?.version ?? 0) + 1, editedVersion: before?.editedVersion });
});

test('a photo that replaces one removed meanwhile is put before the others, and none is lost', async () => {
  const id = await pictured(red, green);
  const [first, second] = await idsOf(id);
  await pics.upload(id, await jpeg(8, 6, blue));
  await shop.call('removePhoto', { as: staff, path: { id, photoId: first?.id ?? '' } });
  await shop.jobs.makePictures();
  const ids = await idsOf(id);
  expect(ids).toHaveLength(2);
  expect(ids[1]).toEqual(second);
});

test('a photo sent again for the first place keeps its text', async () => {
  const id = await pictured(red, green);
  const ids = await idsOf(id);
  await arrange(
    id,
    ids.map((photo, at) => ({ ...photo, alt: `Photo ${at}` })),
  );
  await pics.upload(id, await jpeg(8, 6, green));
  await shop.jobs.makePictures();
  expect(await photosOf(id)).toMatchObject([{ alt: 'Photo 1' }]);
});

test('a copy of a photo on its way to the first place is not added', async () => {
  const id = await pictured(red);
  await pics.upload(id, await jpeg(8, 6, green));
  expect(await add(id, green)).toMatchObject({ status: 409, code: 'photo_taken' });
});

test('the photos of a new product are shown on all sizes that were created with it', async () => {
  const { id: category } = await shop.category();
  const text = { name: 'Rub', description: 'Bold', price: '7.95', availability: 'true', quantity: '1', category };
  const sizes = [227, 454].map((netGrams) => ({ netGrams, price: '9.00', quantity: 1 }));
  const sent = await form({ ...text, file: asFile(await jpeg(8, 6, red)), sizes: JSON.stringify(sizes) });
  const made = await shop.call('createProduct', { as: staff, path: { categoryId: category }, ...sent });
  const { id } = made.data.product;
  const [bag = '', pound = ''] = ((await pics.forStaff(id)).sizes ?? [])
    .map((size) => size.id)
    .filter((each) => each !== id);
  await add(id, green, 'The jar');
  await add(pound, blue); // it has a photo of its own
  const { id: single } = await shop.stock();
  await shop.call('setSizeOf', { as: staff, path: { id: single }, body: { sizeOf: id } });
  await shop.jobs.makePictures();
  const [own, ofBag] = [await shown(id), await shown(bag)];
  expect(own.photos).toHaveLength(2);
  expect(ofBag.photos?.map((photo) => photo.id)).toEqual(own.photos?.map((photo) => photo.id));
  expect(ofBag.photos?.[1]?.alt).toBe('The jar');
  expect((await photosOf(pound)).map(({ state }) => state)).toEqual(['ready']);
  expect(await photosOf(single)).toEqual([]);
  const entries = await shop.db.select().from(auditLog).where(eq(auditLog.targetId, bag));
  expect(entries.map(({ action }) => action)).toEqual([
    'product.created',
    'product.picture_changed',
    'product.photo_added',
  ]);
});

test('a photo that is added later stays on its product', async () => {
  const id = await pictured(red);
  const { productCategory } = await pics.forStaff(id);
  const text = { name: 'Rub', description: 'Bold', price: '7.95', availability: 'true', quantity: '10' };
  const sizes = JSON.stringify([{ netGrams: 227, price: '9.00', quantity: 1 }]);
  const sent = await form({ ...text, category: productCategory.id, sizes });
  expect((await shop.call('updateProduct', { as: staff, path: { id }, ...sent })).status).toBe(200);
  const bag = (await pics.forStaff(id)).sizes?.find((size) => size.id !== id)?.id ?? '';
  const createdAt = new Date(shop.clock.now().getTime() - 16 * 60_000);
  await shop.db.update(products).set({ createdAt }).where(eq(products.id, bag));
  await add(id, green);
  await shop.jobs.makePictures();
  expect(await photosOf(id)).toHaveLength(2);
  expect(await photosOf(bag)).toHaveLength(1);
});
