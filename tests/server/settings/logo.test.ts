/** The owner's logo: its files, what emails and the test payment page show of it, and what becomes of a former one. */
import { readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { defaultSettings } from '../../../src/shared/settings';
import { openOrder } from '../../support/buying';
import { runDueJobs } from '../../support/mails';
import { wordsOf } from '../../support/mailWords';
import { fileForm, jpeg, namesIn, plain } from '../../support/pictures';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterEach(async () => {
  await shop.call('removeLogo', { as: owner });
  await save({});
});
afterAll(() => shop.close());

const setLogo = (file: Buffer) => shop.call('setLogo', { as: owner, ...fileForm(file) });
const save = (fields: object) => shop.call('updateSettings', { as: owner, body: { ...defaultSettings, ...fields } });
const readShop = async () => (await shop.call('getShop')).data.shop;
const folder = () => path.join(shop.dataDir, 'pictures');
const hashOf = (src = '') => path.basename(src).slice(0, 32);
/** A round logo on nothing, twice as wide as high. */
const wide = () =>
  sharp({ create: { width: 800, height: 400, channels: 4, background: { r: 0, g: 80, b: 60, alpha: 0 } } })
    .composite([{ input: { create: { width: 400, height: 400, channels: 4, background: '#005038' } } }])
    .png()
    .toBuffer();

test('a logo is shown in its own shape, and every icon is square', async () => {
  const { data } = await setLogo(await wide());
  expect(data.logo).toEqual({
    src: expect.stringMatching(/^\/pictures\/[0-9a-f]{32}-96\.webp$/),
    width: 192,
    height: 96,
  });
  expect((await readShop()).logo).toEqual(data.logo);
  const hash = hashOf(data.logo?.src);
  const sizes: Record<string, string> = {};
  for (const name of (await namesIn(folder())).filter((each) => each.startsWith(hash))) {
    const { width, height, format } = await sharp(path.join(folder(), name)).metadata();
    sizes[name.slice(33)] = `${format} ${width}x${height}`;
  }
  expect(sizes).toEqual({
    '96.png': 'png 192x96',
    '96.webp': 'webp 192x96',
    '180.png': 'png 180x180',
    '192.png': 'png 192x192',
    '512.png': 'png 512x512',
    '432.png': 'png 432x432',
  });
});

test('the icons of an iPhone and of Android have no clear parts, and Android’s circle cuts nothing off', async () => {
  const { data } = await setLogo(await jpeg(300, 300, '#005038'));
  const hash = hashOf(data.logo?.src);
  for (const size of [180, 432]) {
    const { data: pixels, info } = await sharp(path.join(folder(), `${hash}-${size}.png`))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(3);
    expect([...pixels.subarray(0, 3)]).toEqual([255, 255, 255]);
    if (size !== 432) continue;
    const isWhite = (x: number, y: number) => pixels[(y * size + x) * info.channels] === 255;
    for (let x = 0; x < size; x += 1)
      for (let y = 0; y < size; y += 1)
        if (Math.hypot(x - size / 2, y - size / 2) > size * 0.4) expect(isWhite(x, y)).toBe(true);
  }
});

test('the same logo again changes nothing, and removing it brings back the shop without one', async () => {
  const file = await jpeg(100, 100, '#123456');
  await setLogo(file);
  await setLogo(file);
  expect((await shop.call('removeLogo', { as: owner })).data.logo).toBeNull();
  await shop.call('removeLogo', { as: owner });
  expect(await readShop()).not.toHaveProperty('logo');
  const { data } = await shop.call('listAudit', { as: owner, query: { size: 2 } });
  expect(data.entries.content.map(({ action }) => action)).toEqual(['setting.logo_removed', 'setting.logo_changed']);
});

test('saving the settings keeps the logo, and a logo keeps the settings', async () => {
  await save({ shopName: 'Kerr' });
  const { data } = await setLogo(await jpeg(100, 100, '#654321'));
  expect(data.settings.shopName).toBe('Kerr');
  expect((await save({ shopName: 'Kerr Tools' })).data.logo).toEqual(data.logo);
});

test('the sweep keeps the logo’s files, and removes those of a former one after a day', async () => {
  const former = hashOf((await setLogo(await jpeg(100, 100, '#111111'))).data.logo?.src);
  const now = hashOf((await setLogo(await jpeg(100, 100, '#222222'))).data.logo?.src);
  const of = async (hash: string) => (await namesIn(folder())).filter((name) => name.startsWith(hash));
  await shop.jobs.sweepPictures();
  expect([(await of(former)).length, (await of(now)).length]).toEqual([6, 6]);
  const longAgo = new Date(shop.clock.now().getTime() - 25 * 3_600_000);
  for (const name of await namesIn(folder())) await utimes(path.join(folder(), name), longAgo, longAgo);
  await shop.jobs.sweepPictures();
  expect([(await of(former)).length, (await of(now)).length]).toEqual([0, 6]);
});

test('an email has the logo in itself, the store address in its foot, and the shop’s color', async () => {
  await setLogo(await plain(200, 100, '#005038').png().toBuffer());
  await save({ shopName: 'Kerr Tools', storeAddress: '12 Kairaba Avenue\r\nSerekunda', palette: 'green' });
  const sent = await mailTo('ana@example.com');
  expect(sent).toMatch(/Content-Type: image\/png; name=logo\.png/);
  expect(sent).toMatch(/Content-Id: <logo>/i);
  const words = wordsOf(sent);
  expect(words).toContain('<img src="cid:logo" alt="Kerr Tools" width="96" height="48"');
  expect(words).toContain('Kerr Tools<br>12 Kairaba Avenue<br>Serekunda<br>hello@example.com');
  expect(words).toContain('Kerr Tools\r\n12 Kairaba Avenue\r\nSerekunda\r\nhello@example.com');
});

test('without a logo and an address an email is as before', async () => {
  const sent = await mailTo('awa@example.com');
  expect(sent).not.toMatch(/image\/png|cid:/);
  expect(wordsOf(sent)).toContain('Savory, Seasoning & Spices\r\nhello@example.com · (555) 010-0142\r\n');
});

test('the test payment page shows the shop’s name and logo soon after they change', async () => {
  const { sessionId } = await openOrder(shop);
  const read = async () => (await fetch(`${shop.sandbox.url}/c/pay/${sessionId}`)).text();
  expect(await read()).not.toContain('<img');
  await setLogo(await plain(200, 100, '#005038').png().toBuffer());
  await save({ shopName: 'Kerr & Sons' });
  await expect.poll(read).toContain('<h1>Pay Kerr &#38; Sons</h1>');
  const [, picture = '', width] =
    /<img src="data:image\/png;base64,([^"]+)" alt="" width="(\d+)"/.exec(await read()) ?? [];
  const png = await readFile(path.join(folder(), `${hashOf((await readShop()).logo?.src)}-96.png`));
  expect([Buffer.from(picture, 'base64').equals(png), width]).toEqual([true, '96']);
});

/** @returns the source of a mail that the shop wrote to this address */
async function mailTo(email: string): Promise<string> {
  await shop.call('createContactMessage', { body: { email, reason: 'Hello' } });
  await runDueJobs(shop);
  const mails = path.join(shop.dataDir, 'mails');
  for (const name of await namesIn(mails)) {
    const source = await readFile(path.join(mails, name), 'utf8');
    if (source.includes(`To: ${email}`)) return source;
  }
  throw new Error(`no mail to ${email}`);
}
