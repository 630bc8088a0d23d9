/** Photos from links while the disk, the picture store, or the database fails. Rule: docs/rules/catalog.md, Photos from links */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transact } from '../../../src/server/db/core/transact';
import { pictureUploads } from '../../../src/server/db/schema/tables';
import { Problem } from '../../../src/server/http/core/problems';
import { makePictures } from '../../../src/server/pictures/job';
import { createPhotoFetcher } from '../../../src/server/pictures/photoFetchJob';
import { countPhotoFetches, listPhotoProblems, queuePhotos } from '../../../src/server/pictures/photoFetches';
import { jpeg, namesIn, picturesOf } from '../../support/pictures';
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
/** A link to a new photo, named in the file's line. */
async function photo(alt: string, line: number) {
  made += 1;
  return { url: server.photo(`/photo-${made}.jpg`, await jpeg(16 + made, 12)), alt, line };
}
async function queue(productId: string, photos: Awaited<ReturnType<typeof photo>>[]) {
  const importId = randomUUID();
  const asked = { importId, byUserId: staff.userId, now: shop.clock.now() };
  const queued = await transact(shop.db, (tx) => queuePhotos(tx, [{ productId, photos }], asked));
  return { importId, queued };
}
/** The job with another database, picture store, or web. */
const fetchWith = (parts: Partial<Pick<TestShop, 'db' | 'pictureStore'> & { web: undefined }>) => {
  const { db, clock, pictureStore } = shop;
  const logger = pino({ level: 'silent' });
  return createPhotoFetcher({ db, clock, pictureStore, web: server.web, logger, ...parts })();
};
const countsOf = (importId: string) => countPhotoFetches(shop.db, importId);
const reasonsOf = async (importId: string) =>
  (await listPhotoProblems(shop.db, importId)).map(({ message }) => message);
const run = async () => {
  await shop.jobs.fetchPhotos();
  await shop.jobs.makePictures();
};
const photosOf = async (id: string) => (await pics.forStaff(id)).photos.map(({ alt, state }) => [alt, state]);

test('a photo whose file is lost, or has no space for its sizes, is loaded again by the next import', async () => {
  const { id } = await shop.stock();
  const [lost, large] = [await photo('lost', 2), await photo('large', 3)];
  const { importId } = await queue(id, [lost]);
  await shop.jobs.fetchPhotos();
  for (const name of await namesIn(pics.uploads)) await shop.pictureStore.remove('uploads', name);
  await shop.jobs.makePictures();
  expect(await reasonsOf(importId)).toEqual(["The photo at line 2 couldn't be loaded: the file is damaged."]);
  const second = await queue(id, [lost, large]);
  expect(second.queued).toBe(2);
  await shop.jobs.fetchPhotos();
  await shop.db.update(pictureUploads).set({ attempts: 4 }).where(eq(pictureUploads.state, 'processing'));
  const isFull = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
  await makePictures({ ...shop, pictureStore: { ...shop.pictureStore, write: isFull } });
  expect(await reasonsOf(second.importId)).toEqual(
    [2, 3].map((line) => `The photo at line ${line} couldn't be loaded: something went wrong.`),
  );
  expect((await queue(id, [lost, large])).queued).toBe(2);
  await run();
  expect(await photosOf(id)).toEqual([
    ['lost', 'ready'],
    ['large', 'ready'],
  ]);
});

test('a photo whose commit is answered too late keeps its file', async () => {
  const { id } = await shop.stock();
  const { importId } = await queue(id, [await photo('front', 2)]);
  const lostAnswers: typeof shop.db = new Proxy(shop.db, {
    get(db, name) {
      if (name !== 'transaction') return Reflect.get(db, name) as unknown;
      return async (...how: Parameters<typeof db.transaction>) => {
        await db.transaction(...how);
        throw new Error('Connection terminated unexpectedly');
      };
    },
  });
  await fetchWith({ db: lostAnswers });
  await shop.jobs.makePictures();
  expect(await countsOf(importId)).toEqual({ waiting: 0, done: 1, failed: 0 });
  expect(await photosOf(id)).toEqual([['front', 'ready']]);
});

test.each([
  ['cannot be reached', () => new Problem(503, 'unavailable', '')],
  ['is full', () => Object.assign(new Error('full'), { code: 'ENOSPC' })],
])('while the picture store %s, photos are not loaded over and over', async (_, problem) => {
  const products = await Promise.all(Array.from({ length: 4 }, () => shop.stock()));
  const queued = [];
  for (const { id } of products) queued.push(await queue(id, [await photo('front', 2), await photo('back', 2)]));
  await fetchWith({ pictureStore: { ...shop.pictureStore, write: () => Promise.reject(problem()) } });
  expect(server.asked.length).toBeLessThanOrEqual(2);
  shop.clock.advance(61_000);
  await run();
  await run();
  staff = await shop.again(staff);
  for (const { importId } of queued) expect(await countsOf(importId)).toEqual({ waiting: 0, done: 2, failed: 0 });
  for (const { id } of products)
    expect(await photosOf(id)).toEqual([
      ['front', 'ready'],
      ['back', 'ready'],
    ]);
});

test('a shop that no test hands another web asks no server of a private network', async () => {
  const { id } = await shop.stock();
  const links = [
    server.at('/inner.jpg', '127.0.0.1'),
    'https://[::ffff:127.0.0.1]/inner.jpg',
    'https://10.0.0.1/a.jpg',
  ];
  const { importId } = await queue(
    id,
    links.map((url, at) => ({ url, alt: 'front', line: at + 2 })),
  );
  await fetchWith({ web: undefined });
  expect(await reasonsOf(importId)).toEqual(
    [2, 3, 4].map((line) => `The photo at line ${line} couldn't be loaded: the link leads to a private network.`),
  );
  expect(server.asked).toEqual([]);
});

test('which servers photos may come from is no setting: the environment is not read where that is decided', () => {
  const files = readdirSync('src/server', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const textOf = (file: string) => readFileSync(path.join('src/server', file), 'utf8');
  const deciding = files.filter((file) => /\bWeb\b|\bisPublicAddress\b/.test(textOf(file)));
  expect(deciding.map((file) => path.basename(file)).toSorted()).toEqual([
    'jobs.ts',
    'photoDownload.ts',
    'photoFetchJob.ts',
    'publicAddresses.ts',
    'shop.ts',
  ]);
  expect(deciding.filter((file) => /process\.env|\benv\b/.test(textOf(file)))).toEqual([]);
  expect(textOf('main.ts')).toContain('startShop(config, root, logger, earlyStart)'); // hands over no web
});
