/** The job that loads photos from links after an import. Rule: docs/rules/catalog.md, Photos from links */
import { randomUUID } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transact } from '../../../src/server/db/core/transact';
import { auditLog, photoFetches, pictureUploads, products } from '../../../src/server/db/schema/tables';
import type { Web } from '../../../src/server/pictures/photoDownload';
import { createPhotoFetcher } from '../../../src/server/pictures/photoFetchJob';
import {
  countPhotoFetches,
  dropWaitingPhotos,
  listPhotoProblems,
  queuePhotos,
} from '../../../src/server/pictures/photoFetches';
import { jpeg, namesIn, noise, picturesOf, plain } from '../../support/pictures';
import { startPhotoServer, type PhotoServer } from '../../support/photoServer';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
let server: PhotoServer;
let pics: ReturnType<typeof picturesOf>;
beforeAll(async () => {
  server = await startPhotoServer();
  shop = await openOwnShop({ web: server.web });
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  pics = picturesOf(shop, () => staff);
});
beforeEach(async () => {
  server.asked.splice(0);
  staff = await shop.again(staff); // the clock moves
});
afterAll(async () => {
  await shop.close();
  await server.close();
});

let made = 0;
/** A new photo, unlike any other, at a new address. */
async function photo(): Promise<string> {
  made += 1;
  return server.photo(`/photo-${made}.jpg`, await jpeg(16 + made, 12));
}
type Link = { url: string; alt?: string; line?: number };
async function queue(productId: string, photos: Link[]) {
  const importId = randomUUID();
  const asked = { importId, byUserId: staff.userId, now: shop.clock.now() };
  const queued = await transact(shop.db, (tx) => queuePhotos(tx, [{ productId, photos }], asked));
  return { importId, queued };
}
/** The job of another process. */
const another = (web: Web) => {
  const { db, clock, pictureStore } = shop;
  return createPhotoFetcher({ db, clock, pictureStore, web, logger: pino({ level: 'silent' }) });
};
const countsOf = (importId: string) => countPhotoFetches(shop.db, importId);
const reasonsOf = async (importId: string) =>
  (await listPhotoProblems(shop.db, importId)).map(({ message }) => message);
const run = async () => {
  await shop.jobs.fetchPhotos();
  await shop.jobs.makePictures();
};
/** The texts of a product's photos, in their order. */
const altsOf = async (id: string) => (await pics.forStaff(id)).photos.map(({ alt }) => alt);
const linked = async (...alts: string[]) => Promise.all(alts.map(async (alt) => ({ url: await photo(), alt })));

test('the photos of a file are loaded in its order, and the first is the picture', async () => {
  const { id } = await shop.stock();
  const { importId } = await queue(id, await linked('front', 'back', 'open'));
  await shop.jobs.fetchPhotos();
  expect(await countsOf(importId)).toEqual({ waiting: 3, done: 0, failed: 0 }); // their sizes are not made yet
  await shop.jobs.makePictures();
  expect(await countsOf(importId)).toEqual({ waiting: 0, done: 3, failed: 0 });
  expect(await altsOf(id)).toEqual(['front', 'back', 'open']);
  const { product } = (await shop.call('getProduct', { path: { id } })).data;
  expect(product).toMatchObject({
    picture: { alt: 'front' },
    photos: [{ alt: 'front' }, { alt: 'back' }, { alt: 'open' }],
  });
  expect(await namesIn(pics.uploads)).toEqual([]);
  const entries = await shop.db
    .select({ action: auditLog.action, by: auditLog.actorId })
    .from(auditLog)
    .where(eq(auditLog.targetId, id));
  expect(entries.filter(({ action }) => action === 'product.photo_added')).toEqual(
    Array.from({ length: 3 }, () => ({ action: 'product.photo_added', by: staff.userId })),
  );
});

test('the same file again loads nothing, and a new photo in it gets its place', async () => {
  const { id } = await shop.stock();
  const [front, back, open] = await linked('front', 'back', 'open');
  const two = [front, open].flatMap((link) => link ?? []);
  await queue(id, two);
  await run();
  const before = await pics.forStaff(id);
  server.asked.splice(0);
  expect((await queue(id, two)).queued).toBe(0);
  await run();
  expect([server.asked, (await pics.forStaff(id)).version]).toEqual([[], before.version]);
  expect(
    (
      await queue(
        id,
        [front, back, open].flatMap((link) => link ?? []),
      )
    ).queued,
  ).toBe(1);
  await run();
  expect(server.asked).toHaveLength(1);
  expect(await altsOf(id)).toEqual(['front', 'back', 'open']);
});

test('a photo that is loaded late gets its place before the others', async () => {
  const { id } = await shop.stock();
  const [late, second, third] = await linked('late', 'second', 'third');
  const path = new URL(late?.url ?? '').pathname;
  server.status(path, 503);
  const { importId } = await queue(
    id,
    [late, second, third].flatMap((link) => link ?? []),
  );
  await run();
  expect(await altsOf(id)).toEqual(['second', 'third']);
  expect(await countsOf(importId)).toEqual({ waiting: 1, done: 2, failed: 0 });
  server.photo(path, await jpeg(9, 9));
  await run();
  expect(await altsOf(id)).toEqual(['second', 'third']); // not tried again within a minute
  shop.clock.advance(61_000);
  await shop.jobs.fetchPhotos();
  expect(await altsOf(id)).toEqual(['late', 'second', 'third']);
  await shop.jobs.makePictures();
  expect(await altsOf(id)).toEqual(['late', 'second', 'third']);
});

test('photos that staff added stay before those of a file', async () => {
  const { id } = await shop.stock();
  await pics.upload(id, await jpeg(7, 7));
  await shop.jobs.makePictures();
  await queue(id, await linked('front', 'back'));
  await run();
  expect(await altsOf(id)).toEqual([null, 'front', 'back']);
});

test('a photo that cannot be loaded is named with its line and the reason', async () => {
  const { id } = await shop.stock();
  const damaged = (await noise(60)).subarray(0, 3000);
  const links = [
    server.status('/gone.jpg', 404),
    server.photo('/page.jpg', Buffer.from('<!doctype html>')),
    server.photo('/drawing.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    server.photo('/huge.png', await plain(16_400, 1).png().toBuffer()),
    server.photo('/half.jpg', damaged),
    'https://10.0.0.1/a.jpg',
    server.at('/').replace('https', 'http'),
  ];
  const { importId } = await queue(
    id,
    links.map((url, at) => ({ url, line: 12 + at })),
  );
  await run();
  const because = (line: number, reason: string) => `The photo at line ${line} couldn't be loaded: ${reason}.`;
  expect(await reasonsOf(importId)).toEqual([
    because(12, 'the server said 404'),
    because(13, "the file isn't a JPG, PNG, WebP, AVIF, or GIF photo"),
    because(14, "the file isn't a JPG, PNG, WebP, AVIF, or GIF photo"),
    because(15, 'it has more than 40 megapixels, or a side of more than 16,383 pixels'),
    because(16, 'the file is damaged'),
    because(17, 'the link leads to a private network'),
    because(18, "the link doesn't start with https://"),
  ]);
  expect(await countsOf(importId)).toEqual({ waiting: 0, done: 0, failed: 7 });
});

test('a photo that was damaged is loaded again by the next import, in its place', async () => {
  const { id } = await shop.stock();
  const [front, back] = await linked('front', 'back');
  const url = server.photo('/damaged.jpg', (await noise(61)).subarray(0, 3000));
  const twin = server.photo('/damaged-twin.jpg', (await noise(61)).subarray(0, 3000));
  const all = [front, { url, alt: 'middle' }, { url: twin }, back].flatMap((link) => link ?? []);
  const { importId } = await queue(id, all);
  await run();
  expect(await countsOf(importId)).toEqual({ waiting: 0, done: 2, failed: 2 }); // one file under two links
  expect(await altsOf(id)).toEqual(['front', 'middle', 'back']);
  server.photo('/damaged.jpg', await jpeg(61, 61));
  server.photo('/damaged-twin.jpg', await jpeg(61, 61));
  expect((await queue(id, all)).queued).toBe(2);
  await run();
  const { photos } = await pics.forStaff(id);
  expect(photos.map(({ alt, state }) => [alt, state])).toEqual([
    ['front', 'ready'],
    ['middle', 'ready'],
    ['back', 'ready'],
  ]);
  expect((await queue(id, all)).queued).toBe(0);
});

test('what may pass is tried five times within three hours, and then given up', async () => {
  const { id } = await shop.stock();
  const { importId } = await queue(id, [{ url: server.status('/busy.jpg', 500), line: 2 }]);
  for (const minutes of [0, 2, 6, 31, 121]) {
    shop.clock.advance(minutes * 60_000);
    expect((await countsOf(importId)).waiting).toBe(1);
    await shop.jobs.fetchPhotos();
  }
  expect(server.asked).toHaveLength(5);
  expect(await reasonsOf(importId)).toEqual(["The photo at line 2 couldn't be loaded: the server said 500."]);
  const again = await queue(id, [{ url: server.at('/busy.jpg') }]);
  expect(again.queued).toBe(1);
  await transact(shop.db, (tx) => dropWaitingPhotos(tx, again.importId));
});

test('a process that dies loses no photo, and none is added twice', async () => {
  const { id } = await shop.stock();
  const [link] = await linked('front');
  const { importId } = await queue(id, link ? [link] : []);
  let reach = (): void => undefined;
  const isReached = new Promise<void>((resolve) => (reach = resolve));
  const hanging = another({
    ...server.web,
    resolve: () => {
      reach();
      return new Promise(() => undefined);
    },
  });
  void hanging(); // claims the photo and never ends, as if its process had died
  await isReached;
  await run();
  expect(await countsOf(importId)).toEqual({ waiting: 1, done: 0, failed: 0 });
  shop.clock.advance(121_000);
  await Promise.all([run(), another(server.web)()]);
  await run();
  expect(await countsOf(importId)).toEqual({ waiting: 0, done: 1, failed: 0 });
  staff = await shop.again(staff);
  expect(await altsOf(id)).toEqual(['front']);
  expect(server.asked).toHaveLength(1);
});

test('undo drops what waits, and also a photo that is being loaded', async () => {
  const { id } = await shop.stock();
  let importId = '';
  const file = await jpeg(33, 33);
  const url = server.serve('/undone.jpg', (_, response) => {
    void transact(shop.db, (tx) => dropWaitingPhotos(tx, importId)).then(() => response.end(file));
  });
  ({ importId } = await queue(id, [{ url }]));
  await run();
  expect(await countsOf(importId)).toEqual({ waiting: 0, done: 0, failed: 0 });
  expect(await altsOf(id)).toEqual([]);
  expect(await namesIn(pics.uploads)).toEqual([]);
});

test('a product with ten photos gets no more, and the same photo under two links is added once', async () => {
  const { id } = await shop.stock();
  const links = await linked(...Array.from({ length: 9 }, (_, at) => `photo ${at}`));
  const twice = server.photo('/twice.jpg', await jpeg(16 + made, 12));
  await queue(id, [...links, { url: twice }]);
  await run();
  expect(await altsOf(id)).toHaveLength(9);
  const tenth = await jpeg(71, 71);
  const slow = server.serve('/tenth.jpg', (_, response) => setTimeout(() => response.end(tenth), 100));
  const { importId } = await queue(id, [
    { url: slow, alt: 'tenth', line: 2 },
    { url: await photo(), alt: 'eleventh', line: 3 },
  ]);
  await run();
  const alts = await altsOf(id);
  expect([alts.length, alts.includes('tenth')]).toEqual([10, true]); // the file's order decides
  expect(await reasonsOf(importId)).toEqual([
    "The photo at line 3 couldn't be loaded: the product has 10 photos already.",
  ]);
});

test('many waiting uploads hold the job back until their sizes are made', async () => {
  const wanted = await Promise.all(
    Array.from({ length: 24 }, async () => ({ productId: (await shop.stock()).id, photos: [{ url: await photo() }] })),
  );
  const importId = randomUUID();
  await transact(shop.db, (tx) => queuePhotos(tx, wanted, { importId, byUserId: staff.userId, now: shop.clock.now() }));
  await shop.jobs.fetchPhotos();
  const rows = await shop.db
    .select({ productId: photoFetches.productId, state: photoFetches.state })
    .from(photoFetches)
    .where(eq(photoFetches.importId, importId))
    .orderBy(asc(photoFetches.nextTryAt));
  const loaded = rows.filter(({ state }) => state === 'done').map(({ productId }) => productId);
  expect(loaded.length).toBeGreaterThanOrEqual(20);
  expect(loaded.length).toBeLessThan(24);
  expect(loaded.toSorted()).toEqual(
    wanted
      .slice(0, loaded.length)
      .map(({ productId }) => productId)
      .toSorted(),
  );
  await shop.jobs.makePictures();
  await run();
  expect(await countsOf(importId)).toEqual({ waiting: 0, done: 24, failed: 0 });
  expect(await shop.db.$count(pictureUploads, eq(pictureUploads.state, 'processing'))).toBe(0);
  expect(await shop.db.$count(products, eq(products.id, loaded[0] ?? ''))).toBe(1);
});
