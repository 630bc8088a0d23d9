import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtApp } from '../../support/builtApp';
import { all, canonicalOf, dataOf, metaOf, nobody, productPage, reader } from '../../support/pages';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let webFolder: string;
let get: ReturnType<typeof reader>;
let pepper: { id: string };
beforeAll(async () => {
  webFolder = await builtApp();
  shop = await openOwnShop({ webFolder });
  get = reader(shop.app);
  const category = await shop.category({ name: 'hot-things' });
  pepper = await shop.stock({ categoryId: category.id });
});
afterAll(() => shop.close());

/** The build's output for a module. */
async function builtPart(module: string): Promise<{ file: string; css?: string[] }> {
  const manifest = await readFile(path.join(webFolder, '.vite/manifest.json'), 'utf8');
  const part = (JSON.parse(manifest) as Record<string, { file: string; css?: string[] }>)[module];
  if (!part) throw new Error(`the build has no ${module}`);
  return part;
}

const wordsOf = (text: string) => text.trim().split(/\s+/);

describe('the page at', () => {
  test.each([
    ['/', 'About Us'],
    ['/products/hot-things', 'Black pepper'],
    ['/products/hot-things/', 'Black pepper'],
    ['/Products/hot-things', 'Black pepper'],
    ['/products/hot%2Dthings?page=nonsense', 'Black pepper'],
  ])('%s has its content', async (url, text) => {
    const { status, body, headers } = await get(url);
    expect(status).toBe(200);
    expect(body).toContain(text);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
    });
    expect(headers).not.toHaveProperty('x-robots-tag');
  });

  const nowhere = `
    /nothing /products/none /products/None! /products/hot-things/x /products/hot-things?page=2
    /products/hot-things?page=999999 /customer/view/product /customer/nothing /no/such/page
    /nothing.html /nothing;x /cart.css /.env /.git/config /products/hot.things /products/hot-things;x
    ${productPage(nobody)} ${productPage('pepper')} ${productPage('a.b')} ${productPage(`${nobody}/x`)}`;
  test.each(wordsOf(nowhere))('%s is a 404 that says so within the shop’s layout', async (url) => {
    const { status, body } = await get(url);
    expect(status).toBe(404);
    expect(body).toContain('404 not found');
    expect(body).toContain('<title>404 not found | Savory, Seasoning &amp; Spices</title>');
    expect(canonicalOf(body)).toEqual([]);
  });

  test('a product no longer sold still exists, but is not indexed', async () => {
    const old = await shop.stock({ name: 'Old salt', archivedAt: shop.clock.now() });
    const { status, body } = await get(productPage(old.id));
    expect(status).toBe(200);
    expect(body).toContain('This product is no longer sold');
    expect(metaOf(body)['robots']).toBe('noindex');
    expect([canonicalOf(body), dataOf(body)]).toEqual([[], []]);
  });

  const forOneUser = `
    /checkout /reset-password?token=x /customer/orders /customer/view/profile /customer/order/success?x=1.2
    /admin/orders/1 /dashboard /view/product/1`;
  test.each(wordsOf(forOneUser))(
    '%s is the app alone, not indexed, under a policy without inline code',
    async (url) => {
      const { status, body, headers } = await get(url);
      expect(status).toBe(200);
      expect(body).toContain('<div id="root"><!--app--></div>');
      expect(body).not.toMatch(/<style|<script(?![^>]* src=)(?! id="shell-data" type="application\/json">)/);
      expect(body).toContain('"name":"Savory, Seasoning & Spices"');
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-robots-tag': 'noindex',
      });
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(headers['content-security-policy']).not.toContain('unsafe');
    },
  );
});

describe('a page is sent', () => {
  test('as brotli, gzip or uncompressed, each with its own ETag, and not at all to clients that have it', async () => {
    await shop.untilTold(); // changes of earlier tests would cause another rendering
    const plain = await get('/');
    const br = await get('/', { 'accept-encoding': 'gzip, deflate, br' });
    const gz = await get('/', { 'accept-encoding': 'gzip, br;q=0' });
    expect(brotliDecompressSync(br.bytes).toString()).toBe(plain.body);
    expect(gunzipSync(gz.bytes).toString()).toBe(plain.body);
    expect(br.headers['content-encoding']).toBe('br');
    expect(gz.headers['content-encoding']).toBe('gzip');
    const tags = [plain, br, gz].map(({ headers }) => String(headers['etag']));
    expect(new Set(tags).size).toBe(3);
    const again = await get('/', { 'accept-encoding': 'br', 'if-none-match': `W/${tags[1]}` });
    expect([again.status, again.body, again.headers['etag']]).toEqual([304, '', tags[1]]);
    expect((await get('/', { 'if-none-match': tags[1] ?? '' })).status).toBe(200);
  });

  test('with its styles inline, its text font preloaded, and its scripts last', async () => {
    const { body } = await get(productPage(pepper.id));
    const head = body.slice(0, body.indexOf('</head>'));
    const { file, css } = await builtPart('catalog/pages/ProductPage.tsx');
    expect(head).toMatch(/<style>[^<]+<\/style><link rel="stylesheet" href="[^"]+" disabled>/);
    expect(head).toContain(`<link rel="stylesheet" href="/${css?.[0]}" disabled>`);
    expect(all(head, /(<link rel="stylesheet"(?![^>]* disabled>))/g)).toEqual([]);
    expect(body).not.toMatch(/<script[^>]*(?: src=|type="module")|rel="modulepreload"/);
    const [start] = all(head, /<script>([^<]+)<\/script>/g);
    expect(start).toMatch(/addEventListener\([`'"]beforeinstallprompt/); // it comes once
    const [app, ...others] = JSON.parse(/\((\[[^\]]+\])\)$/.exec(start ?? '')?.[1] ?? '[]') as string[];
    expect(app).toMatch(/^\/assets\/index-[^']+\.js$/);
    expect(others.join()).toMatch(/\/assets\/vendor-[^,]+\.js/);
    expect(others).toContain(`/${file}`);
    const fonts = all(head, /rel="preload" as="font"[^>]* href="\/([^"]+)"/g);
    expect(fonts).toEqual([expect.stringMatching(/^assets\/figtree-latin-wght-/)]);
    expect((await readFile(path.join(webFolder, fonts[0] ?? ''))).length).toBeLessThan(25_000);
    const files = all(head, /["'](\/assets\/[^"']+)["']/g);
    expect(files).toEqual([...new Set(files)]);
    for (const file of files) expect((await get(file)).status, file).toBe(200);
  });

  test('like scripts and styles, which the build has compressed', async () => {
    const name = /\/assets\/index-[^"]+\.js/.exec((await get('/checkout')).body)?.[0] ?? '';
    const script = await readFile(path.join(webFolder, name));
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const { headers, bytes } = await get(name, { 'accept-encoding': accepted });
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': 'application/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
      });
      expect(bytes.length).toBeLessThan(script.length / 2);
    }
    expect((await get(name)).bytes).toEqual(script);
  });
});
