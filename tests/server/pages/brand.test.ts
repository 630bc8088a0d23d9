/**
 * The owner gives the shop another name, logo, colors, address, and texts. No word of the initial shop is left in what the
 * server sends to customers: pages, manifest, icons, emails, and the test payment page.
 */
import sharp from 'sharp';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { categories } from '../../../src/server/db/schema/tables';
import { accessCookie } from '../../../src/server/http/contract/access';
import { defaultTexts } from '../../../src/shared/brandTexts';
import { blanksIn } from '../../../src/shared/pagesStaff';
import { startingTexts } from '../../../src/shared/pageStartingTexts';
import { defaultSettings } from '../../../src/shared/settings';
import { builtApp } from '../../support/builtApp';
import { buy, openOrder } from '../../support/buying';
import { runDueJobs } from '../../support/mails';
import { wordsOf } from '../../support/mailWords';
import { all, metaOf, productPage, reader } from '../../support/pages';
import { fileForm, namesIn, plain } from '../../support/pictures';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** Words of the initial shop. */
const initial = /.{0,40}(?:savory|seasoning|spice|gambia|flavor your world|hello@example|010-0142).{0,20}/i;
const own = {
  shopName: 'Kerr & Daughters Tools',
  contactEmail: 'kerr@tools.example',
  contactPhone: '+220 555 0100',
  bannerTitle: 'Tools for life',
  bannerText: 'Sharpened in Serekunda.',
  aboutText: 'We sharpen **everything** that cuts.\n\n- Knives\n- [Axes](/products/axes)\n\n<script>alert(1)</script>',
  palette: 'green',
  storeAddress: '12 Kairaba Avenue\nSerekunda',
};

let shop: TestShop;
let webFolder: string;
let get: ReturnType<typeof reader>;
let owner: Person;
let product: { id: string };
/** Every public page of the shop as it was. */
const before = new Map<string, string>();
const urls = () => ['/', '/products/axes', productPage(product.id), ...ownPages, ...others];
const ownPages = startingTexts.map(({ slug }) => `/pages/${slug}`);
const others = ['/search?q=axe', '/contact', '/thankyoupage', '/login', '/register', '/forgot-password', '/nowhere'];
const privateUrls = ['/cart', '/checkout', '/customer/orders', '/dashboard'];

beforeAll(async () => {
  webFolder = await builtApp();
  shop = await openOwnShop({ webFolder });
  get = reader(shop.app);
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  await shop.db.update(categories).set({ title: 'Saws' });
  const category = await shop.category({ name: 'axes', title: 'Axes' });
  product = await shop.stock({ categoryId: category.id, name: 'Felling axe' });
  for (const { slug, title, markdown } of startingTexts) {
    const filled = blanksIn(markdown).reduce((text, blank) => text.replaceAll(blank, 'filled'), markdown);
    await shop.call('createPage', { as: owner, body: { slug, title, markdown: filled, isPublished: true } });
  }
  for (const url of [...urls(), ...privateUrls]) before.set(url, (await page(url)).body);
  const file = await plain(300, 150, '#005038').png().toBuffer();
  await shop.call('setLogo', { as: owner, ...fileForm(file) });
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, ...own } });
});
afterAll(() => shop.close());

/** A private page needs a cookie, or a visitor would be sent to the login. */
const page = (url: string) => get(url, privateUrls.includes(url) ? { cookie: `${accessCookie}=some` } : {});
/** Without styles, and without the names of files and classes. */
const wordsIn = (html: string) =>
  html.replaceAll(/<style[^>]*>[^]*?<\/style>/g, '').replaceAll(/(?:href|src|srcSet|class|className)="[^"]*"/gi, '');

test('before, each page is that of the initial shop, with no word about its own look', () => {
  for (const text of [defaultTexts.bannerText, ...defaultTexts.aboutText.split('\n\n')])
    expect(before.get('/')).toContain(`>${text}</p>`);
  for (const [url, html] of before) expect(html, url).not.toMatch(/data-palette|aboutHtml|bannerTitle|"logo"/);
});

test('each page has the new name, logo, and colors at once, and no word of the initial shop', async () => {
  for (const url of urls()) {
    const { body, headers } = await page(url);
    expect(all(body, /<title>([^<]*)<\/title>/g)[0], url).toContain('Kerr &amp; Daughters Tools');
    expect(metaOf(body)['og:site_name'] ?? own.shopName.replace('&', '&amp;'), url).toBe('Kerr &amp; Daughters Tools');
    expect(body, url).toMatch(/<img src="\/pictures\/[0-9a-f]{32}-96\.webp" width="192" height="96"/);
    expect(body, url).toContain('data-palette="green"');
    const [style = ''] = all(body, /<style>(html\{--c-colors-wonjo-50:[^<]*)<\/style>/g);
    expect(headers['content-security-policy'], url).toContain(await hashOf(style));
    expect(wordsIn(body).match(initial)?.[0], url).toBeUndefined();
  }
});

test('a private page, which the browser renders, starts with the new name and colors', async () => {
  for (const url of privateUrls) {
    const { body, headers } = await page(url);
    expect(body, url).toContain('<title>Kerr &amp; Daughters Tools</title>');
    const [style = ''] = all(body, /<style>(html\{--c-colors-wonjo-50:[^<]*)<\/style>/g);
    expect(headers['content-security-policy'], url).toContain(await hashOf(style));
    expect(wordsIn(body).match(initial)?.[0], url).toBeUndefined();
  }
});

test('the home page shows the owner’s banner and About Us, whose HTML stays text', async () => {
  const { body } = await get('/');
  expect(body).toContain('Tools for life');
  expect(body).toContain('Sharpened in Serekunda.');
  expect(body).toContain('<strong>everything</strong>');
  expect(body).toContain('<a href="/products/axes">Axes</a>');
  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(body).not.toContain('<script>alert(1)');
  expect(metaOf(body)['description']).toBe(
    'We sharpen everything that cuts. * Knives * Axes &lt;script&gt;alert(1)&lt;/script&gt;',
  );
});

test('the banner shows the shop’s name while its title is the initial one, and no sentence if there is none', async () => {
  const fields = { ...own, bannerTitle: defaultSettings.bannerTitle, bannerText: '' };
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, ...fields } });
  const { body } = await get('/');
  const [title = ''] = all(body, /<h1[^>]*>(.*?)<\/h1>/g);
  expect(title.replaceAll(/<!-- -->|<[^>]*>/g, '')).toBe('Kerr &amp; Daughters Tools');
  expect(body).not.toContain('Sharpened');
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, ...own } });
});

test('the installed app stays the same app, under the new name and with the logo', async () => {
  const built = JSON.parse(await readFile(path.join(webFolder, 'manifest.webmanifest'), 'utf8')) as Manifest;
  const { body, headers } = await get('/manifest.webmanifest');
  expect(headers['content-type']).toMatch(/^application\/manifest\+json/);
  const manifest = JSON.parse(body) as Manifest;
  const { id, start_url, scope, shortcuts } = built;
  expect(manifest).toMatchObject({ id, start_url, scope, shortcuts });
  expect(manifest).toMatchObject({ name: own.shopName, theme_color: '#21673A' });
  expect(manifest.icons.map(({ sizes, purpose }) => `${purpose} ${sizes}`)).toEqual([
    'any 192x192',
    'any 512x512',
    'maskable 432x432',
  ]);
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await shop.app.inject({ url: src });
    const { width, height, format } = await sharp(icon.rawPayload).metadata();
    expect([`${width}x${height}`, `image/${format}`, icon.headers['content-type']]).toEqual([sizes, type, type]);
  }
  expect(body.match(initial)?.[0]).toBeUndefined();
});
type Manifest = {
  id: string;
  start_url: string;
  scope: string;
  shortcuts: object[];
  icons: { src: string; sizes: string; type: string; purpose: string }[];
};

test('the icons keep their addresses and show the logo', async () => {
  for (const size of [180, 192, 512]) {
    const { bytes, headers } = await get(`/app-icon-${size}.png`);
    expect(headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-cache' });
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const middle = (info.width * (info.height / 2) + info.width / 2) * info.channels;
    expect([...data.subarray(middle, middle + 3)]).toEqual([0, 0x50, 0x38]);
  }
  const { body } = await get('/favicon.svg');
  expect(body).toContain('aria-label="Kerr &amp; Daughters Tools"');
  expect(body).toMatch(/<image width="32" height="32" href="data:image\/png;base64,/);
  expect(body.match(initial)?.[0]).toBeUndefined();
});

test('receipts by email, other emails, and the payment page have no word of the initial shop', async () => {
  const order = await openOrder(shop, { name: 'Felling axe' });
  const paymentPage = async () => (await fetch(`${shop.sandbox.url}/c/pay/${order.sessionId}`)).text();
  await expect.poll(paymentPage).toContain('Pay Kerr &#38; Daughters Tools');
  expect((await paymentPage()).match(initial)?.[0]).toBeUndefined();
  await buy(shop, order);
  await shop.call('createContactMessage', { body: { email: 'ana@example.com', reason: 'Hello' } });
  await runDueJobs(shop);
  const folder = path.join(shop.dataDir, 'mails');
  const names = await namesIn(folder);
  expect(names.length).toBeGreaterThanOrEqual(3); // the receipt, and one to each side of the message
  for (const name of names) {
    const source = await readFile(path.join(folder, name), 'utf8');
    const text = wordsOf(source.replaceAll(/\r\n[A-Za-z0-9+/=]{60,76}(?=\r\n)/g, ''));
    expect(text).toContain('From: "Kerr & Daughters Tools" <');
    expect(text).toContain('12 Kairaba Avenue');
    expect(text.match(initial)?.[0]).toBeUndefined();
  }
});

test('another process serves it soon, too', async () => {
  const second = await shop.openProcess();
  const there = reader(second.app);
  await there('/');
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, ...own, shopName: 'Kerr' } });
  await expect.poll(async () => (await there('/')).body).toMatch(/<title>Kerr<\/title>/);
  await expect.poll(async () => (await there('/manifest.webmanifest')).body).toContain('"name":"Kerr"');
  await second.close();
});

test('with the initial settings and no logo every page is the initial one again, and every file the same to the byte', async () => {
  await shop.call('removeLogo', { as: owner });
  await shop.call('updateSettings', { as: owner, body: defaultSettings });
  for (const url of before.keys()) {
    const { body } = await page(url);
    expect(body, url).toContain('Savory, Seasoning &amp; Spices');
    expect(body, url).not.toMatch(/Kerr|Serekunda|data-palette|aboutHtml|"logo"/);
  }
  for (const name of [
    'manifest.webmanifest',
    'favicon.svg',
    'app-icon-180.png',
    'app-icon-192.png',
    'app-icon-512.png',
  ])
    expect((await get(`/${name}`)).bytes.equals(await readFile(path.join(webFolder, name))), name).toBe(true);
});

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${Buffer.from(digest).toString('base64')}'`;
}
