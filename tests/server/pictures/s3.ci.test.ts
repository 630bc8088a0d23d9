/** Pictures in S3: the same responses as from a folder, shared by all processes, and errors while S3 is down. */
import { readdir } from 'node:fs/promises';
import fastify from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../../../src/server/core/config';
import { answerWithProblems } from '../../../src/server/http/core/problems';
import { serveRemotePictures } from '../../../src/server/pictures/remotePictures';
import { checkPictureStore, openPictureStore } from '../../../src/server/pictures/store';
import { fileForm, jpeg, picturesOf } from '../../support/pictures';
import { startS3, type TestS3 } from '../../support/s3';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let s3: TestS3;
let shop: TestShop;
let staff: Person;
let pics: ReturnType<typeof picturesOf>;
beforeAll(async () => {
  s3 = await startS3();
  shop = await openOwnShop({ s3: s3.config });
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  pics = picturesOf(shop, () => staff);
});
afterEach(() => s3.heal());
afterAll(async () => {
  await shop.close();
  await s3.close();
});

let color = 0x204060;
/** A different one each time, so that none exists already. */
const anotherJpeg = () => jpeg(40, 30, `#${(color += 0x010203).toString(16)}`);

async function showPicture(id: string): Promise<string> {
  await pics.upload(id, await anotherJpeg());
  await shop.jobs.makePictures();
  return (await pics.forStaff(id)).picture?.base ?? '';
}

/** What failed for lack of S3 is done by the job some minutes later. */
async function makeLater(): Promise<void> {
  shop.clock.advance(3 * 60_000);
  staff = await shop.again(staff);
  await shop.jobs.makePictures();
}

async function showAvatar(): Promise<string> {
  const ana = await shop.signIn();
  const { status, data } = await shop.call('setOwnPicture', {
    as: ana,
    path: { userId: ana.userId },
    ...fileForm(await jpeg()),
  });
  expect(status).toBe(200);
  return data.user.picture?.base ?? '';
}

const hash = 'a'.repeat(32);

test('a user’s picture is in the bucket, is served at its URL, and while S3 is down nothing is half done', async () => {
  const base = await showAvatar();
  const answer = await shop.app.inject(`${base}-160.avif`);
  expect([answer.statusCode, answer.headers]).toMatchObject([
    200,
    { 'content-type': 'image/avif', 'cache-control': 'no-store' },
  ]);
  expect(s3.objects.get(`test${base}-160.avif`)).toMatchObject({ bytes: answer.rawPayload, type: 'image/avif' });
  const before = s3.namesIn('portraits');
  s3.fail({ status: 503, code: 'SlowDown' }, Infinity, ['PUT'], /\.webp$/);
  const ana = await shop.signIn();
  const sent = { as: ana, path: { userId: ana.userId }, ...fileForm(await jpeg()) };
  expect(await shop.call('setOwnPicture', sent)).toMatchObject({ status: 503, code: 'unavailable' });
  expect(s3.namesIn('portraits')).toEqual(before);
  s3.heal();
  expect((await shop.call('setOwnPicture', sent)).status).toBe(200);
});

test('an upload waits in the bucket, is processed there, and is served at the usual URL', async () => {
  const { id } = await shop.stock();
  await pics.upload(id, await jpeg());
  expect(s3.namesIn('uploads')).toEqual(await pics.waitingOf(id));
  await shop.jobs.makePictures();
  const { picture } = await pics.forStaff(id);
  expect(s3.namesIn('uploads')).toEqual([]);
  expect(s3.namesIn('pictures')).toHaveLength(8);
  for (const [type, name] of ['avif', 'webp'].flatMap((each) =>
    [160, 1280].map((width) => [each, `${width}.${each}`]),
  )) {
    const answer = await shop.app.inject(`${picture?.base}-${name}`);
    expect([answer.statusCode, answer.headers]).toMatchObject([
      200,
      {
        'content-type': `image/${type}`,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': String(answer.rawPayload.length),
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/^default-src 'none'/),
      },
    ]);
    const key = `test${picture?.base}-${name}`;
    expect(s3.objects.get(key)).toMatchObject({ bytes: answer.rawPayload, type: `image/${type}` });
    const again = await shop.app.inject({
      url: `${picture?.base}-${name}`,
      headers: { 'if-none-match': String(answer.headers['etag']) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const head = await fetch(`${shop.url}${picture?.base}-${name}`, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(answer.headers['content-length']);
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  }
  expect(await readdir(shop.dataDir)).not.toEqual(expect.arrayContaining(['uploads']));
});

test('another process serves what this one processed, and processes what this one received', async () => {
  const other = await shop.openProcess();
  const { id } = await shop.stock();
  const base = await showPicture(id);
  s3.calls.length = 0;
  const answers = await Promise.all([1, 2, 3].map(() => other.app.inject(`${base}-640.webp`)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect((await other.app.inject(`${base}-640.webp`)).statusCode).toBe(200);
  expect(s3.calls.map(({ method }) => method)).toEqual(['GET']); // however many request it
  await other.close();
});

test('nothing in the bucket has a URL except processed pictures', async () => {
  const { id } = await shop.stock();
  await pics.upload(id, await anotherJpeg());
  const [waiting] = await pics.waitingOf(id);
  s3.objects.set('test/pictures/notes.txt', {
    bytes: Buffer.from('private'),
    type: 'text/plain',
    changedAt: new Date(),
  });
  s3.objects.set('other/secret.webp', { bytes: Buffer.from('private'), type: 'image/webp', changedAt: new Date() });
  s3.calls.length = 0;
  const urls = `/pictures/notes.txt /pictures/../uploads/${waiting} /pictures/..%2fuploads%2f${waiting} /pictures/${waiting}
    /pictures/%2e%2e%2f%2e%2e%2fother%2fsecret.webp /pictures/..%2f..%2fother/secret.webp /pictures/ /pictures
    /pictures/${hash}-160.png /pictures/${hash}-160.webp/.. /pictures/${hash}-160.webp%2f..%2fnotes.txt 
    /pictures/${hash}-160.webp? /pictures/${hash.toUpperCase()}-160.webp /pictures/ae1b6fafa5c7aee1-160.webp`;
  for (const url of urls.trim().split(/\s+/)) {
    const answer = await shop.app.inject(url);
    expect([answer.statusCode, answer.json()], url).toMatchObject([404, { code: 'not_found' }]);
  }
  // only the plausible ones were looked for: a logo is a PNG
  expect(s3.calls.map(({ method, key }) => `${method} ${key}`)).toEqual([
    `GET test/pictures/${hash}-160.png`,
    `GET test/pictures/${hash}-160.webp`,
  ]);
  expect((await shop.app.inject(`/pictures/${hash}-160.webp%00`)).statusCode).toBe(400);
  for (const key of ['test/pictures/notes.txt', 'other/secret.webp']) s3.objects.delete(key);
  await shop.jobs.makePictures();
});

test('while S3 is down an upload is rejected, nothing of it is stored, and the next one is accepted', async () => {
  const { id } = await shop.stock();
  const before = s3.namesIn('uploads');
  for (const fault of ['reset', { status: 503, code: 'SlowDown' }, { status: 403, code: 'AccessDenied' }] as const) {
    s3.fail(fault);
    const answer = await pics.upload(id, await anotherJpeg());
    expect(answer).toMatchObject({ status: 503, code: 'unavailable', headers: { 'retry-after': expect.anything() } });
    expect(answer.message).toBe("Photos aren't available right now. Try again in a moment.");
  }
  s3.heal();
  expect(s3.namesIn('uploads')).toEqual(before);
  expect(await pics.forStaff(id)).toMatchObject({ pictureUpload: null, version: 1 });
  expect((await pics.upload(id, await anotherJpeg())).status).toBe(202);
  await shop.jobs.makePictures();
});

test('a failed call is retried once, and no more often', async () => {
  const { id } = await shop.stock();
  s3.fail('reset', 1, ['PUT']);
  expect((await pics.upload(id, await anotherJpeg())).status).toBe(202);
  s3.calls.length = 0;
  s3.fail({ status: 500, code: 'InternalError' });
  expect((await pics.upload(id, await anotherJpeg())).status).toBe(503);
  expect(s3.calls.map(({ method }) => method)).toEqual(['PUT', 'PUT']);
  s3.heal();
  await shop.jobs.makePictures();
});

test('full storage is told apart from unreachable storage', async () => {
  const { id } = await shop.stock();
  s3.fail({ status: 507, code: 'XMinioStorageFull' });
  expect(await pics.upload(id, await anotherJpeg())).toMatchObject({ status: 507, code: 'storage_full' });
  s3.fail({ status: 403, code: 'QuotaExceeded' });
  expect(await pics.upload(id, await anotherJpeg())).toMatchObject({ status: 507, code: 'storage_full' });
});

test('an upload for a product that does not exist leaves nothing in the bucket', async () => {
  const answer = await pics.upload('5b0c7d9e-3f58-4a2b-9147-2e6d1a8b0c94', await anotherJpeg());
  expect(answer).toMatchObject({ status: 404, code: 'product_not_found' });
  expect(s3.namesIn('uploads')).toEqual([]);
});

test('a cached picture is served without S3; another one is 503 meanwhile and there afterwards', async () => {
  const [{ id: one }, { id: other }] = [await shop.stock(), await shop.stock()];
  const [kept, unread] = [await showPicture(one), await showPicture(other)];
  await shop.app.inject(`${kept}-320.webp`);
  s3.fail({ status: 500, code: 'InternalError' });
  expect((await shop.app.inject(`${kept}-320.webp`)).statusCode).toBe(200);
  const missed = await shop.app.inject(`${unread}-320.webp`);
  expect([missed.statusCode, missed.headers['cache-control'], missed.json()]).toMatchObject([
    503,
    'no-store',
    { code: 'unavailable' },
  ]);
  expect(missed.headers['retry-after']).toBeDefined();
  s3.heal();
  expect((await shop.app.inject(`${unread}-320.webp`)).statusCode).toBe(200);
  expect((await shop.app.inject(`/pictures/${hash}-320.webp`)).statusCode).toBe(404);
});

test('only a limited number of requests wait for pictures from a slow S3', async () => {
  const waiting: (() => void)[] = [];
  const read = () => new Promise<undefined>((resolve) => waiting.push(() => resolve(undefined)));
  const app = fastify();
  answerWithProblems(app);
  serveRemotePictures(app, { ...shop.pictureStore, read });
  const ask = async (each: number) => {
    const answer = await app.inject(`/pictures/${String(each).padStart(32, '0')}-320.webp`);
    return answer.statusCode;
  };
  const most = 200;
  const many = Array.from({ length: most + 8 }, (_, each) => ask(each));
  expect(await Promise.all(many.slice(most))).toEqual(Array(8).fill(503));
  expect(waiting).toHaveLength(most);
  for (const answer of waiting) answer();
  expect(await Promise.all(many.slice(0, most))).toEqual(Array(most).fill(404));
  await app.close();
});

test('while S3 is down a waiting picture is never given up, and nothing half processed is shown', async () => {
  const { id } = await shop.stock();
  await pics.upload(id, await anotherJpeg());
  for (let attempt = 1; attempt <= 6; attempt++) {
    s3.fail({ status: 503, code: 'SlowDown' }, Infinity, attempt <= 3 ? ['GET'] : ['PUT']);
    await makeLater();
  }
  expect(await pics.forStaff(id)).toMatchObject({ picture: null, pictureUpload: { state: 'processing' } });
  s3.heal();
  await makeLater();
  const { picture } = await pics.forStaff(id);
  expect((await shop.app.inject(`${picture?.base}-1280.avif`)).statusCode).toBe(200);
});

test('an upload whose object is lost says so', async () => {
  const { id } = await shop.stock();
  await pics.upload(id, await anotherJpeg());
  for (const name of s3.namesIn('uploads')) s3.objects.delete(`test/uploads/${name}`);
  await makeLater();
  expect(await pics.forStaff(id)).toMatchObject({ pictureUpload: { state: 'failed' } });
});

test('objects that no row names are swept from the bucket, on all its pages, and nothing else', async () => {
  const { id } = await shop.stock();
  const base = await showPicture(id);
  await pics.upload(id, await anotherJpeg());
  const waiting = await pics.waitingOf(id);
  const foreign = ['test/pictures/notes.txt', 'test/uploads/report.pdf', `other/pictures/${hash}-160.webp`];
  const orphans = Array.from({ length: 7 }, (_, each) => `test/pictures/${String(each).repeat(32)}-160.webp`);
  orphans.push('test/uploads/5b0c7d9e-3f58-4a2b-9147-2e6d1a8b0c94');
  for (const key of [...foreign, ...orphans])
    s3.objects.set(key, { bytes: Buffer.from('x'), type: 'image/webp', changedAt: new Date() });
  await shop.jobs.sweepPictures();
  expect([...s3.objects.keys()]).toEqual(expect.arrayContaining(orphans)); // they may be in progress
  shop.clock.advance(25 * 3_600_000);
  staff = await shop.again(staff);
  await shop.jobs.sweepPictures();
  const left = [...s3.objects.keys()];
  expect(left.filter((key) => orphans.includes(key))).toEqual([]);
  expect(left).toEqual(expect.arrayContaining(foreign));
  expect(left.filter((key) => key.startsWith(`test${base}-`))).toHaveLength(8);
  expect(s3.namesIn('uploads').toSorted()).toEqual([...waiting, 'report.pdf'].toSorted());
  for (const key of foreign) s3.objects.delete(key);
  await makeLater();
});

test('a start with a wrong bucket, region or key ends with a sentence, and with S3 down it only warns', async () => {
  const check = async (config: Partial<typeof s3.config>) =>
    checkPictureStore(await openPictureStore({ dataDir: shop.dataDir, s3: { ...s3.config, ...config } }));
  expect(await check({})).toBeUndefined();
  const wrong = [
    { bucketUrl: s3.config.bucketUrl.replace('bucket', 'none') },
    { accessKeyId: 'wrong' },
    { region: 'eu' },
  ];
  for (const each of wrong) {
    await expect(check(each)).rejects.toThrow(ConfigError);
    await expect(check(each)).rejects.toThrow(/^S3_URL: the storage rejected the bucket/);
    await expect(check(each)).rejects.toThrow(/^(?!.*(?:the-secret|test-key))/s);
  }
  s3.fail({ status: 503, code: 'SlowDown' });
  expect(await check({})).toContain('503');
  s3.fail('reset');
  expect(await check({})).toBeDefined();
  expect(await check({ bucketUrl: 'http://127.0.0.1:9/bucket' })).toBeDefined();
});

test('no line of the log has a key, a signature or S3’s response', () => {
  expect(shop.logLines.some((line) => line.includes('S3 returned 503'))).toBe(true);
  expect(shop.logLines.filter((line) => /the-secret|test-key|Signature=|AWSAccessKeyId/.test(line))).toEqual([]);
});
