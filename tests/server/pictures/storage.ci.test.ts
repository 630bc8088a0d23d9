/** Interrupted uploads, killed processes, full disks: nothing half finished is ever shown. */
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pictures, pictureUploads, products } from '../../../src/server/db/schema/tables';
import { fileForm, jpeg, namesIn, noise, picturesOf } from '../../support/pictures';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { watchReading } from '../../support/sockets';

let shop: TestShop;
let staff: Person;
let pics: ReturnType<typeof picturesOf>;
beforeAll(async () => {
  shop = await openOwnShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  pics = picturesOf(shop, () => staff);
});
afterAll(() => shop.close());

/** Half of an upload over its own connection. @returns a function that ends it */
async function halfAnUpload(id: string, { app, url }: Pick<TestShop, 'app' | 'url'> = shop) {
  const { body: payload, headers } = fileForm(await noise());
  const { hostname, port } = new URL(url);
  const untilRead = watchReading(app.server);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)));
  const head = [
    `PUT /api/admin/products/${id}/picture HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `authorization: Bearer ${staff.token}`,
    `content-type: ${headers['content-type']}`,
    `content-length: ${payload.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(payload.subarray(0, payload.length / 2));
  await untilRead(socket, payload.length / 2);
  return { socket, rest: payload.subarray(payload.length / 2), ended };
}
test('an interrupted upload leaves nothing, and the old picture stays', async () => {
  const { id } = await shop.stock();
  await pics.upload(id, await jpeg());
  await shop.jobs.makePictures();
  const before = await pics.forStaff(id);
  const { socket, ended } = await halfAnUpload(id);
  socket.destroy();
  await ended;
  expect(await pics.forStaff(id)).toEqual(before);
  expect(await pics.waitingOf(id)).toEqual([]);
});

test('a file whose row was never written is swept, and a waiting one is not', async () => {
  const { id } = await shop.stock();
  await mkdir(pics.uploads, { recursive: true });
  await mkdir(pics.shown, { recursive: true });
  const orphan = `${'a'.repeat(32)}-160.webp`;
  await writeFile(path.join(pics.uploads, '5b0c7d9e-3f58-4a2b-9147-2e6d1a8b0c94'), 'half');
  await writeFile(path.join(pics.shown, orphan), 'half');
  await writeFile(path.join(pics.shown, '.5b0c7d9e.part'), 'half');
  await writeFile(path.join(pics.shown, 'ae1b6fafa5c7aee1-160.webp'), 'of the demo catalog');
  await pics.upload(id, await jpeg());
  const [waiting] = await pics.waitingOf(id);
  await shop.jobs.sweepPictures();
  expect(await namesIn(pics.shown)).toContain(orphan); // it may be in progress
  shop.clock.advance(25 * 3_600_000);
  staff = await shop.again(staff);
  await shop.jobs.sweepPictures();
  expect(await namesIn(pics.uploads)).toEqual([waiting]);
  const left = await namesIn(pics.shown);
  expect(left).toContain('ae1b6fafa5c7aee1-160.webp');
  expect(left.filter((name) => name === orphan || name.endsWith('.part'))).toEqual([]);
  await shop.jobs.makePictures();
  const [{ hash } = { hash: '' }] = await shop.db
    .select({ hash: pictures.hash })
    .from(pictures)
    .innerJoin(products, eq(products.pictureHash, pictures.hash))
    .where(eq(products.id, id));
  shop.clock.advance(25 * 3_600_000);
  staff = await shop.again(staff);
  await shop.jobs.sweepPictures();
  expect((await namesIn(pics.shown)).filter((name) => name.startsWith(hash))).toHaveLength(8);
});

test('a job that died is resumed, and no product points to a missing file', async () => {
  const { id } = await shop.stock();
  await pics.upload(id, await jpeg(33, 33));
  await shop.db
    .update(pictureUploads)
    .set({ claimedAt: shop.clock.now(), attempts: 1 })
    .where(eq(pictureUploads.productId, id));
  await shop.jobs.makePictures(); // its process may still be at it
  expect(await pics.forStaff(id)).toMatchObject({ picture: null, pictureUpload: { state: 'processing' } });
  shop.clock.advance(3 * 60_000);
  await shop.jobs.makePictures();
  const { picture } = await pics.forStaff(id);
  expect((await shop.app.inject(`${picture?.base}-1280.avif`)).statusCode).toBe(200);
});

test('an upload whose file is lost says so', async () => {
  const { id } = await shop.stock();
  await pics.upload(id, await jpeg());
  for (const name of await namesIn(pics.uploads)) await rm(path.join(pics.uploads, name));
  await shop.jobs.makePictures();
  expect(await pics.forStaff(id)).toMatchObject({ pictureUpload: { state: 'failed' } });
});

/** No file of this process can grow beyond that meanwhile, as on a nearly full disk. */
async function withRoomFor(bytes: number, work: () => Promise<void>): Promise<void> {
  const limit = (most: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${most}:unlimited`]);
  limit(String(bytes));
  try {
    await work();
  } finally {
    limit('unlimited');
  }
}

test('when there is no space for an upload the response says so, and nothing is left of it', async () => {
  await pics.deleteOldUploads();
  const { id } = await shop.stock();
  const file = await noise();
  await withRoomFor(100_000, async () => {
    expect(await pics.upload(id, file)).toMatchObject({ status: 507, code: 'storage_full' });
  });
  expect(await namesIn(pics.uploads)).toEqual([]);
  expect(await pics.forStaff(id)).toMatchObject({ pictureUpload: null, version: 1 });
  expect((await pics.upload(id, file)).status).toBe(202);
});

test('when there is no space for the sizes of a picture they are created as soon as there is', async () => {
  await pics.deleteOldUploads();
  const { id } = await shop.stock();
  const before = await namesIn(pics.shown);
  await pics.upload(id, await noise(100));
  await withRoomFor(500, shop.jobs.makePictures);
  expect(await namesIn(pics.shown)).toEqual(before);
  expect(await pics.forStaff(id)).toMatchObject({ picture: null, pictureUpload: { state: 'processing' } });
  shop.clock.advance(3 * 60_000);
  await shop.jobs.makePictures();
  expect(await pics.forStaff(id)).toMatchObject({ pictureUpload: null, version: 2 });
});

test('a closing shop finishes the upload in flight, or leaves nothing of it', async () => {
  const other = await shop.openProcess();
  await other.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = other.app.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const [{ id: finished }, { id: never }] = [await shop.stock(), await shop.stock()];
  const first = await halfAnUpload(finished, { ...other, url });
  const second = await halfAnUpload(never, { ...other, url });
  const closing = other.close();
  first.socket.write(first.rest);
  expect(await first.ended).toContain('HTTP/1.1 202');
  second.socket.destroy();
  await closing;
  expect(await pics.forStaff(finished)).toMatchObject({ pictureUpload: { state: 'processing' } });
  expect(await pics.forStaff(never)).toMatchObject({ pictureUpload: null });
});
