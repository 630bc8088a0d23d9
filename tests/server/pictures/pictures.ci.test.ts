/** Pictures that staff upload: what is accepted, how it is processed, and what is rejected. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pictureMessages } from '../../../src/shared/pictureUploads';
import { multipart } from '../../support/catalog';
import { fuzzStrings } from '../../support/hostile';
import { jpeg, namesIn, picturesOf, plain } from '../../support/pictures';
import { noiseBytes } from '../../support/random';
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

test('a picture is processed after the response; until then the product keeps its old one', async () => {
  const { id } = await shop.stock();
  await pics.upload(id, await jpeg());
  await shop.jobs.makePictures();
  const before = await pics.forStaff(id);
  expect(before).toMatchObject({
    pictureUpload: null,
    picture: { widths: [160, 320, 640, 1280], alt: 'Black pepper' },
  });

  const answer = await pics.upload(id, await jpeg(400, 300, '#204080'));
  expect(answer).toMatchObject({ status: 202, message: 'Processing your photo' });
  expect(answer.data.product).toMatchObject({ picture: before.picture, pictureUpload: { state: 'processing' } });
  const feed = await shop.call('getCatalogChanges');
  await shop.jobs.makePictures();
  const after = await pics.forStaff(id);
  expect(after.picture?.base).not.toBe(before.picture?.base);
  expect(after).toMatchObject({ pictureUpload: null, version: before.version + 1 });
  expect(after.picture?.placeholder).toMatch(/^#2[01]4[01][78]/);
  expect((await shop.call('getProduct', { path: { id } })).data.product).toMatchObject({ imageUrl: after.imageUrl });
  const { next } = feed.data.changes;
  const { changes } = (await shop.call('getCatalogChanges', { query: { since: next } })).data;
  expect(changes.products).toMatchObject([{ id, imageUrl: after.imageUrl }]);
  expect(await namesIn(pics.uploads)).toEqual([]);
});

test('each size exists as AVIF and WebP, upright, without metadata, and never enlarged', async () => {
  const { id } = await shop.stock();
  const sideways = await plain(600, 400)
    .jpeg()
    .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '13/1 27/1 0/1' } } })
    .toBuffer();
  expect((await sharp(sideways).metadata()).exif).toBeDefined();
  await pics.upload(id, sideways);
  await shop.jobs.makePictures();
  const base = (await pics.forStaff(id)).picture?.base ?? '';
  for (const [width, type] of [160, 320, 640, 1280].flatMap(
    (each) =>
      [
        [each, 'avif'],
        [each, 'webp'],
      ] as const,
  )) {
    const { statusCode, headers, rawPayload } = await shop.app.inject(`${base}-${width}.${type}`);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': `image/${type}`,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const { exif, icc, xmp, orientation, ...made } = await sharp(rawPayload).metadata();
    expect(made).toMatchObject({ width: Math.min(width, 400), format: type === 'avif' ? 'heif' : 'webp' });
    expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect(made.height).toBe(Math.round((made.width * 3) / 2));
  }
});

test('a form’s picture is accepted like any other, and a form opened before it was ready is not stale', async () => {
  const category = await shop.category();
  const form = {
    name: 'Kani',
    description: 'Hot',
    price: '4.35',
    availability: 'true',
    quantity: '5',
    category: category.id,
  };
  const file = new Blob([new Uint8Array(await jpeg(200, 200))]);
  const created = await multipart({ ...form, file });
  const { status, data } = await shop.call('createProduct', {
    as: staff,
    path: { categoryId: category.id },
    body: created.payload,
    headers: created.headers,
  });
  expect(status).toBe(201);
  await shop.jobs.makePictures();
  const { id, version } = data.product;
  expect(await pics.forStaff(id)).toMatchObject({ version: version + 1, pictureUpload: null });
  const saved = await multipart({ ...form, description: 'Very hot', version: String(version), quantityWas: '5' });
  expect(
    await shop.call('updateProduct', { as: staff, path: { id }, body: saved.payload, headers: saved.headers }),
  ).toMatchObject({ status: 200 });
});

test('two pictures sent one after the other: the later one is shown, and only its job remains', async () => {
  const { id } = await shop.stock();
  await pics.upload(id, await jpeg(40, 40, '#000000'));
  await pics.upload(id, await jpeg(40, 40, '#ffffff'));
  await shop.jobs.makePictures();
  expect(await pics.forStaff(id)).toMatchObject({ picture: { placeholder: '#ffffff' }, version: 2 });
});

test('a removed picture is gone immediately, even one still being processed', async () => {
  const { id } = await shop.stock();
  await pics.upload(id, await jpeg());
  await shop.jobs.makePictures();
  await pics.upload(id, await jpeg(50, 50));
  const removed = await shop.call('removePicture', { as: staff, path: { id } });
  expect(removed.data.product).toMatchObject({ picture: null, imageUrl: null, pictureUpload: null });
  await shop.jobs.makePictures();
  expect(await pics.forStaff(id)).toMatchObject({ picture: null });
});

/** A PNG that claims to be huge: 30,000 by 30,000 pixels in a few bytes. */
async function hugePng(): Promise<Buffer> {
  const png = await plain(1, 1).png().toBuffer();
  png.writeUInt32BE(30_000, 16);
  png.writeUInt32BE(30_000, 20);
  return png;
}
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

type Refused = [name: string, file: () => Promise<Buffer> | Buffer, status: number, code: string];
const refused: Refused[] = [
  ['an SVG', () => Buffer.from(svg), 400, 'not_a_picture'],
  ['an SVG with a declaration', () => Buffer.from(`<?xml version="1.0"?>${svg}`), 400, 'not_a_picture'],
  ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 400, 'not_a_picture'],
  ['a PDF', () => Buffer.from('%PDF-1.7\n%'), 400, 'not_a_picture'],
  ['an archive', () => Buffer.from('PK\x03\x04 much'), 400, 'not_a_picture'],
  ['a program', () => Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), 400, 'not_a_picture'],
  ['a TIFF', () => plain(4, 4).tiff().toBuffer(), 400, 'not_a_picture'],
  ['an empty file', () => Buffer.alloc(0), 400, 'not_a_picture'],
  ['noise', () => noiseBytes(5000), 400, 'not_a_picture'],
  ['the beginning of a PNG and nothing else', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 400, 'not_a_picture'],
  ['a GIF that goes on as a script', () => Buffer.from('GIF89a=1;alert(1)'), 400, 'not_a_picture'],
  ['a PNG of 900 megapixels in some bytes', hugePng, 413, 'picture_too_large'],
  ['a picture wider than any WebP', () => plain(20_000, 1).png().toBuffer(), 413, 'picture_too_large'],
  ['a file of more than 10 MB', () => Buffer.alloc(10 * 1024 * 1024 + 1, 255), 413, 'payload_too_large'],
];
const cutOff = async () =>
  (
    await sharp(noiseBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
      .jpeg()
      .toBuffer()
  ).subarray(0, 20_000);
const polyglot = async () => Buffer.concat([await jpeg(64, 64), Buffer.from('<script>alert(1)</script>PK\x03\x04')]);
const animated = () =>
  sharp({ create: { width: 20, height: 60, channels: 3, background: '#123456', pageHeight: 20 } as never })
    .gif()
    .toBuffer();

describe('hostile files', () => {
  const longestMs = 10_000; // some ten times what the largest takes: a hang takes longer
  /** Wall-clock time, or processor time where that is less: other programs' time does not count. */
  const makingMs = async () => {
    const began = performance.now();
    const before = process.cpuUsage();
    await shop.jobs.makePictures();
    const { user, system } = process.cpuUsage(before);
    return Math.min(performance.now() - began, (user + system) / 1000);
  };
  beforeEach(() => pics.deleteOldUploads());

  test.each(refused)('%s is rejected with a sentence, and nothing is stored', async (_, file, status, code) => {
    const { id } = await shop.stock();
    const body = await file();
    const began = performance.now();
    const answer = await pics.upload(id, body);
    expect(performance.now() - began).toBeLessThan(longestMs);
    expect(answer).toMatchObject({ status, code, errors: [{ field: 'file', message: answer.message }] });
    expect(await namesIn(pics.uploads)).toEqual([]);
    expect(await pics.forStaff(id)).toMatchObject({ pictureUpload: null, version: 1 });
  });

  test('a damaged picture is detected when it is processed, and the product says so', async () => {
    const { id } = await shop.stock();
    expect((await pics.upload(id, await cutOff())).status).toBe(202);
    expect(await makingMs()).toBeLessThan(longestMs);
    const failed = await pics.forStaff(id);
    expect(failed).toMatchObject({
      picture: null,
      pictureUpload: { state: 'failed', message: pictureMessages.damaged },
    });
    expect(await namesIn(pics.uploads)).toEqual([]);
    await pics.upload(id, await jpeg(30, 30));
    expect(await pics.forStaff(id)).toMatchObject({ pictureUpload: { state: 'processing' } });
  });

  test('polyglot and animated files leave one still picture', async () => {
    for (const file of [await polyglot(), await animated()]) {
      const { id } = await shop.stock();
      await pics.upload(id, file);
      expect(await makingMs()).toBeLessThan(longestMs);
      const { picture } = await pics.forStaff(id);
      const made = await readFile(path.join(pics.shown, `${picture?.base.split('/').pop()}-160.webp`));
      expect(made.includes('script')).toBe(false);
      expect((await sharp(made).metadata()).pages ?? 1).toBe(1);
    }
  });

  test('40 megapixels are processed with little memory', async () => {
    const { id } = await shop.stock();
    await pics.upload(id, await plain(7000, 5700).png({ compressionLevel: 1 }).toBuffer());
    const before = process.memoryUsage().rss;
    let most = before;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    const took = await makingMs();
    clearInterval(watch);
    expect(took).toBeLessThan(longestMs);
    expect(await pics.forStaff(id)).toMatchObject({ pictureUpload: null });
    expect((most - before) / 1024 / 1024).toBeLessThan(150);
  });

  test('a file name writes nothing outside the folder', async () => {
    const { id } = await shop.stock();
    const before = (await readdir(shop.dataDir)).sort();
    const names = [
      '../../../evil.webp',
      '..\\..\\evil.webp',
      '/etc/evil',
      'a\0.png',
      'CON.png',
      '.htaccess',
      'x.php.jpg',
    ];
    const file = await jpeg(20, 20);
    for (const name of [...names, ...fuzzStrings.file_names.slice(0, 8)]) {
      const [kept] = (await pics.upload(id, file, name)).status === 202 ? await pics.waitingOf(id) : [undefined];
      if (kept) expect(await namesIn(pics.uploads)).toContain(kept);
    }
    expect((await namesIn(pics.uploads)).filter((name) => !/^[0-9a-f-]{36}$/.test(name))).toEqual([]);
    expect((await readdir(shop.dataDir)).filter((name) => name !== 'uploads').sort()).toEqual(
      before.filter((name) => name !== 'uploads'),
    );
  });
});

const boundary = 'a-boundary';
const part = (name: string, text: string, file?: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ''}\r\n\r\n${text}\r\n`;
const bodies: [string, string][] = [
  ['10,000 parts', part('x', '1').repeat(10_000)],
  ['10,000 files', part('file', '1', 'a.png').repeat(10_000)],
  ['no end', part('file', 'x'.repeat(1000), 'a.png').slice(0, 500)],
  ['no part at all', `--${boundary}`],
  ['a huge field name', part('n'.repeat(5_000), '1') + `--${boundary}--\r\n`],
  ['a huge field', part('name', 'x'.repeat(100_000)) + `--${boundary}--\r\n`],
  ['two files', part('file', 'a', 'a.png') + part('file', 'b', 'b.png') + `--${boundary}--\r\n`],
  ['the file under another name', part('picture', 'a', 'a.png') + `--${boundary}--\r\n`],
  ['its end before its beginning', `--${boundary}--\r\n` + part('file', 'a', 'a.png')],
  [
    'a file before its own headers',
    `--${boundary}\r\n\r\na\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n--${boundary}--\r\n`,
  ],
  ['a text where the file should be', part('file', 'a') + `--${boundary}--\r\n`],
  ['__proto__ as a field', part('__proto__', '{"a":1}') + `--${boundary}--\r\n`],
];
test.each(bodies)('a form with %s is rejected, and the next one is served', async (_, body) => {
  await pics.deleteOldUploads();
  const { id } = await shop.stock();
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const answer = await shop.call('uploadPicture', { as: staff, path: { id }, headers, body });
  expect([400, 413]).toContain(answer.status);
  expect(answer.message).not.toBe('');
  expect((await namesIn(pics.uploads)).length).toBe(0);
  expect((await shop.call('getProduct', { path: { id } })).status).toBe(200);
});
