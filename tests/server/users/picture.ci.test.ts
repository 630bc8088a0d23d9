/**
 * A user's own picture: what is accepted, how it is processed, who sees it, and its deletion. Rule:
 * docs/rules/accounts.md, Picture
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from '../../../src/server/http/core/problems';
import { renderAvatar } from '../../../src/server/pictures/avatars';
import { pictureMessages } from '../../../src/shared/pictureUploads';
import { fileForm, jpeg, namesIn, noise, plain } from '../../support/pictures';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let kept: string;
beforeAll(async () => {
  shop = await openOwnShop();
  kept = path.join(shop.dataDir, 'portraits');
});
afterAll(() => shop.close());

const pathOf = ({ userId }: Person) => ({ userId });
const send = (as: Person, file: Buffer, name?: string) =>
  shop.call('setOwnPicture', { as, path: pathOf(as), ...fileForm(file, name) });
const remove = (as: Person) => shop.call('removeOwnPicture', { as, path: pathOf(as) });
const read = async (as: Person) => (await shop.call('getUser', { as, path: pathOf(as) })).data.user;
const get = (url: string | null | undefined) => shop.app.inject(url ?? '/nothing');

/** Red, green and blue from left to right, each as wide as high. */
const stripes = async () => {
  const stripe = (color: string, left: number) => ({
    input: { create: { width: 300, height: 300, channels: 3 as const, background: color } },
    left,
    top: 0,
  });
  return plain(900, 300)
    .composite([stripe('#ff0000', 0), stripe('#00ff00', 300), stripe('#0000ff', 600)])
    .jpeg()
    .withMetadata({ exif: { IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '13/1 27/1 0/1' } } })
    .toBuffer();
};

test('a user’s picture is the center square of what was sent, 160 px as AVIF and WebP, without metadata', async () => {
  const ana = await shop.signIn();
  expect(await read(ana)).toMatchObject({ imageUrl: null, picture: null });
  const answer = await send(ana, await stripes());
  expect(answer).toMatchObject({ status: 200, message: 'Photo saved' });
  const { picture, imageUrl } = answer.data.user;
  expect(picture).toEqual({ base: expect.stringMatching(/^\/portraits\/[0-9a-f]{32}$/), widths: [160] });
  expect(imageUrl).toBe(`${picture?.base}-160.webp`);
  expect(await read(ana)).toMatchObject({ picture, imageUrl });
  for (const [type, format] of [
    ['avif', 'heif'],
    ['webp', 'webp'],
  ]) {
    const { statusCode, headers, rawPayload } = await get(`${picture?.base}-160.${type}`);
    expect([statusCode, headers]).toMatchObject([
      200,
      { 'content-type': `image/${type}`, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    ]);
    const { exif, icc, xmp, ...made } = await sharp(rawPayload).metadata();
    expect(made).toMatchObject({ width: 160, height: 160, format });
    expect([exif, icc, xmp]).toEqual([undefined, undefined, undefined]);
    const { channels } = await sharp(rawPayload).stats();
    const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean);
    expect([red < 30, green > 200, blue < 30]).toEqual([true, true, true]);
  }
});

test('a small and a rotated picture become an upright square as well', async () => {
  const ana = await shop.signIn();
  const sideways = await plain(60, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const { imageUrl } = (await send(ana, sideways)).data.user;
  const { width, height, orientation } = await sharp((await get(imageUrl)).rawPayload).metadata();
  expect([width, height, orientation]).toEqual([160, 160, undefined]);
});

test('a new picture replaces the former one, whose files are gone', async () => {
  const ana = await shop.signIn();
  const before = (await send(ana, await jpeg())).data.user.imageUrl;
  const after = (await send(ana, await jpeg())).data.user.imageUrl;
  expect(after).not.toBe(before); // the name reveals nothing about it
  await expect.poll(async () => (await get(before)).statusCode).toBe(404);
  expect((await get(after)).statusCode).toBe(200);
});

test('a removed picture is gone with its files, and removing it again is no error', async () => {
  const ana = await shop.signIn();
  const { imageUrl } = (await send(ana, await jpeg())).data.user;
  const removed = await remove(ana);
  expect(removed).toMatchObject({ status: 200, message: 'Photo removed' });
  expect(removed.data.user).toMatchObject({ imageUrl: null, picture: null });
  await expect.poll(async () => (await get(imageUrl)).statusCode).toBe(404);
  expect((await remove(ana)).status).toBe(200);
});

test('staff see the picture of a user, and the audit log records a change, but not the picture', async () => {
  const [ana, owner] = [await shop.signIn(), await shop.signIn({ role: 'ROLE_OWNER' })];
  const { picture } = (await send(ana, await jpeg())).data.user;
  const { user } = (await shop.call('getUserForStaff', { as: owner, path: { id: ana.userId } })).data;
  expect(user).toMatchObject({ picture });
  await remove(ana);
  const { rows } = await shop.pool.query(
    'select action, before, after from audit_log where target_id = $1 order by id',
    [ana.userId],
  );
  expect(rows).toEqual([
    { action: 'user.picture_changed', before: null, after: null },
    { action: 'user.picture_removed', before: null, after: null },
  ]);
});

test('nobody can set or remove another user’s picture', async () => {
  const [ana, mallory] = [await shop.signIn(), await shop.signIn({ role: 'ROLE_ADMIN' })];
  const { imageUrl } = (await send(ana, await jpeg())).data.user;
  const foreign = { as: mallory, path: pathOf(ana) };
  expect((await shop.call('setOwnPicture', { ...foreign, ...fileForm(await jpeg()) })).status).toBe(404);
  expect((await shop.call('removeOwnPicture', foreign)).status).toBe(404);
  expect(await read(ana)).toMatchObject({ imageUrl });
});

describe('a file', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const hugePng = async () => {
    const png = await plain(1, 1).png().toBuffer();
    png.writeUInt32BE(30_000, 16);
    png.writeUInt32BE(30_000, 20);
    return png;
  };
  test.each([
    ['that is an SVG', () => Buffer.from(svg), 400, 'not_a_picture'],
    ['that is a page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 400, 'not_a_picture'],
    ['that is empty', () => Buffer.alloc(0), 400, 'not_a_picture'],
    ['that is damaged', async () => (await noise(300)).subarray(0, 20_000), 400, 'not_a_picture'],
    ['of 900 megapixels in some bytes', hugePng, 413, 'picture_too_large'],
    ['of more than 10 MB', () => Buffer.alloc(10 * 1024 * 1024 + 1, 255), 413, 'payload_too_large'],
  ] as const)('%s is rejected with a sentence, and the picture stays', async (_, file, status, code) => {
    const ana = await shop.signIn();
    const { imageUrl } = (await send(ana, await jpeg())).data.user;
    const before = await namesIn(kept);
    const answer = await send(ana, await file());
    expect(answer).toMatchObject({ status, code, errors: [{ field: 'file', message: answer.message }] });
    expect(await namesIn(kept)).toEqual(before);
    expect(await read(ana)).toMatchObject({ imageUrl });
  });

  test('with a damaged picture says so', async () => {
    const ana = await shop.signIn();
    expect((await send(ana, (await noise(300)).subarray(0, 20_000))).message).toBe(pictureMessages.damaged);
  });
});

test('several pictures sent in parallel by one user leave one, and no other file', async () => {
  const ana = await shop.signIn();
  const before = await namesIn(kept);
  const answers = await Promise.all(
    ['#102030', '#405060', '#708090'].map(async (color) => send(ana, await jpeg(40, 40, color))),
  );
  for (const { status } of answers) expect([200, 503]).toContain(status);
  const { picture } = await read(ana);
  const made = async () => (await namesIn(kept)).filter((name) => !before.includes(name));
  await expect.poll(made).toHaveLength(2);
  for (const name of await made()) expect(`/portraits/${name}`).toContain(picture?.base);
});

test('a user who sends many pictures in parallel gets a 429, and others are served meanwhile', async () => {
  const file = await jpeg(4000, 4000); // takes longer to process than to check
  const draw = (account: string, network: string) =>
    renderAvatar(file, { account, network }).then(
      () => 200,
      (rejection: Problem) => rejection.status,
    );
  const many = Promise.all(Array.from({ length: 12 }, () => draw('mallory', '203.0.113.1')));
  expect(await draw('ana', '198.51.100.1')).toBe(200);
  const statuses = await many;
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
});

test('a picture whose response was lost is created once', async () => {
  const ana = await shop.signIn();
  const key = '5b0c7d9e-3f58-4a2b-9147-2e6d1a8b0c94';
  const again = { as: ana, path: pathOf(ana), key, ...fileForm(await jpeg()) };
  const [first, second] = [await shop.call('setOwnPicture', again), await shop.call('setOwnPicture', again)];
  expect(second.data).toEqual(first.data);
});

test('files that no account names are swept after a day, and others are not', async () => {
  const ana = await shop.signIn();
  const { imageUrl } = (await send(ana, await jpeg())).data.user;
  const orphan = `${'b'.repeat(32)}-160.webp`;
  await writeFile(path.join(kept, orphan), 'of a process that died');
  await shop.jobs.sweepPictures();
  expect(await namesIn(kept)).toContain(orphan); // it may be in progress
  shop.clock.advance(25 * 3_600_000);
  await shop.jobs.sweepPictures();
  expect(await namesIn(kept)).not.toContain(orphan);
  expect((await get(imageUrl)).statusCode).toBe(200);
});

test('nothing has a URL below /portraits except users’ pictures', async () => {
  const ana = await shop.signIn();
  const { picture } = (await send(ana, await jpeg())).data.user;
  const name = picture?.base.slice('/portraits/'.length) ?? '';
  await writeFile(path.join(kept, 'notes.txt'), 'private');
  const urls = `/portraits /portraits/ /portraits/notes.txt /portraits/${name} /portraits/${name}-160.png
    /portraits/${name}-320.webp /portraits/..%2fportraits%2f${name}-160.webp /portraits/${'c'.repeat(32)}-160.webp
    /portraits/${name.toUpperCase().replaceAll(/\d/g, 'A')}-160.webp /pictures/${name}-160.webp`;
  for (const url of urls.trim().split(/\s+/)) expect([url, (await get(url)).statusCode]).toEqual([url, 404]);
});
