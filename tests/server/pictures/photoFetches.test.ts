/** The queue of photos that an import loads from the web. Rule: docs/rules/catalog.md, Photos from links */
import { randomUUID } from 'node:crypto';
import { and, asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transact } from '../../../src/server/db/core/transact';
import { photoFetches } from '../../../src/server/db/schema/tables';
import {
  countPhotoFetches,
  dropWaitingPhotos,
  findKnownPhotos,
  listPhotoProblems,
  queuePhotos,
  type WantedPhotos,
} from '../../../src/server/pictures/photoFetches';
import { photoLinkProblem } from '../../../src/shared/photoLinks';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const queue = (importId: string, ...wanted: WantedPhotos[]) =>
  transact(shop.db, (tx) => queuePhotos(tx, wanted, { importId, byUserId: staff.userId, now: shop.clock.now() }));
const rowsOf = (importId: string) =>
  shop.db
    .select()
    .from(photoFetches)
    .where(eq(photoFetches.importId, importId))
    .orderBy(asc(photoFetches.line), asc(photoFetches.position));
const end = (importId: string, url: string, outcome: Partial<typeof photoFetches.$inferInsert>) =>
  shop.db
    .update(photoFetches)
    .set(outcome)
    .where(and(eq(photoFetches.importId, importId), eq(photoFetches.url, url)));
const link = (name: string) => `https://photos.example/${name}.jpg`;

test('a product gets the first ten photos of a file, with their descriptions', async () => {
  const { id: productId } = await shop.stock();
  const importId = randomUUID();
  const photos = Array.from({ length: 12 }, (_, at) => ({
    url: link(`photo-${at}`),
    alt: ` ${'x'.repeat(200)}`,
    line: 2,
  }));
  expect(await queue(importId, { productId, photos })).toBe(10);
  const rows = await rowsOf(importId);
  expect(rows.map(({ position, url }) => [position, url])).toEqual(photos.slice(0, 10).map(({ url }, at) => [at, url]));
  expect(rows[0]).toMatchObject({ state: 'waiting', alt: 'x'.repeat(125), line: 2 });
});

test('photos that are known are not queued again by the next import, and failed ones are', async () => {
  const { id: productId } = await shop.stock();
  const [first, again] = [randomUUID(), randomUUID()];
  const photos = ['waits', 'done', 'failed'].map((name) => ({ url: link(name) }));
  await queue(first, { productId, photos });
  await end(first, link('done'), { state: 'done' });
  await end(first, link('failed'), { state: 'failed', problem: 'the server said 404' });
  expect(await findKnownPhotos(shop.db, [productId, randomUUID()])).toEqual(
    new Map([[productId, new Set([link('waits'), link('done')])]]),
  );
  expect(await queue(again, { productId, photos })).toBe(1);
  expect(await rowsOf(again)).toMatchObject([{ url: link('failed'), position: 2 }]);
});

test('an import counts its photos and names the failed ones by their line', async () => {
  const { id: productId } = await shop.stock();
  const importId = randomUUID();
  const photos = ['a', 'b', 'c'].map((name, at) => ({ url: link(name), line: 12 + at }));
  await queue(importId, { productId, photos });
  expect(await countPhotoFetches(shop.db, importId)).toEqual({ waiting: 3, done: 0, failed: 0 });
  await end(importId, link('a'), { state: 'failed', problem: 'the server said 404' });
  await end(importId, link('b'), { state: 'done' });
  expect(await countPhotoFetches(shop.db, importId)).toEqual({ waiting: 1, done: 1, failed: 1 });
  const message = "The photo at line 12 couldn't be loaded: the server said 404.";
  expect(await listPhotoProblems(shop.db, importId)).toEqual([{ productId, line: 12, url: link('a'), message }]);
  expect(await countPhotoFetches(shop.db, randomUUID())).toEqual({ waiting: 0, done: 0, failed: 0 });
});

test('undo drops the photos that wait, and a later import queues them again', async () => {
  const { id: productId } = await shop.stock();
  const importId = randomUUID();
  const photos = [{ url: link('one') }, { url: link('two') }];
  await queue(importId, { productId, photos });
  await end(importId, link('one'), { state: 'done' });
  expect(await transact(shop.db, (tx) => dropWaitingPhotos(tx, importId))).toBe(1);
  expect(await countPhotoFetches(shop.db, importId)).toEqual({ waiting: 0, done: 1, failed: 0 });
  expect(await queue(randomUUID(), { productId, photos })).toBe(1);
});

test.each([
  ['https://cdn.example/a b.jpg', 'Enter a link that starts with https://'],
  ['http://cdn.example/a.jpg', 'Enter a link that starts with https://'],
  ['https://user:secret@cdn.example/a.jpg', 'Enter a link that starts with https://'],
  ['photo.jpg', 'Enter a link that starts with https://'],
  [`https://cdn.example/${'x'.repeat(2000)}`, 'Use a link of 2,000 characters or fewer'],
  ['https://cdn.example/files/1/piment%C3%A9.jpg?v=1@2', undefined],
  ['https://cdn.example', undefined],
])('the link %s is checked before anything is loaded', (link, problem) => {
  expect(photoLinkProblem(link)).toBe(problem);
});
