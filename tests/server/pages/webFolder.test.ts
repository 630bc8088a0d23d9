import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brandFiles } from '../../../src/server/settings/brandFiles';
import { buildApp } from '../../../src/server/process/app';
import { openShop, publicUrl, type TestShop } from '../../support/shop';

/**
 * What is served from a built app's folder, at which URLs, with which headers. The app here is a few files, with a
 * rendering that leaves every page to the browser; beside it are files that must never be served.
 */
let shop: TestShop;
let app: FastifyInstance;
let folder: string;
beforeAll(async () => {
  shop = await openShop();
  folder = await mkdtemp(path.join(tmpdir(), 'shop-pages-'));
  const webFolder = path.join(folder, 'web');
  const pictures = path.join(shop.dataDir, 'pictures');
  await mkdir(path.join(webFolder, 'assets'), { recursive: true });
  await mkdir(pictures);
  await mkdir(path.join(webFolder, '.vite'));
  await mkdir(path.join(folder, 'render'));
  await writeFile(path.join(webFolder, 'index.html'), '<!doctype html><title>The shop</title>');
  await writeFile(path.join(webFolder, '.vite/manifest.json'), '{}');
  for (const file of brandFiles) await writeFile(path.join(webFolder, file), '{}');
  await writeFile(path.join(webFolder, 'notes.txt'), 'a file');
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(folder, 'render/renderPage.js'), rendering);
  await writeFile(path.join(webFolder, 'assets/app.js'), 'start()');
  await writeFile(path.join(pictures, 'pepper.webp'), 'a picture');
  await writeFile(path.join(folder, 'secret.txt'), 'the secret');
  await writeFile(path.join(shop.dataDir, 'secret.txt'), 'the secret');
  app = await build(publicUrl, webFolder);
});
afterAll(async () => {
  await app.close();
  await shop.close();
  await rm(folder, { recursive: true, force: true });
});

function build(address: URL, webFolder: string) {
  const { pool, db, bus, clock, sessions, secrets, payments, mail, pictureStore, dataDir } = shop;
  const config = { publicUrl: address, dataDir, trustProxy: [], serviceWorker: true };
  const logger = pino({ level: 'silent' });
  const parts = { pool, db, bus, clock, sessions, secrets, payments, mail, pictureStore, logger };
  return buildApp({ ...parts, config, webFolder });
}

const rendering = `export const createRendering = ({ template }) => ({
  locate: (url) => ({ kind: /[.;]/.test(decodeURIComponent(url.split('?')[0])) ? 'nowhere' : 'private', url, notFoundUrl: '/404' }),
  renderNotFound: async () => ({ status: 404, html: '<title>404 not found</title>', scriptHashes: [], styleHashes: [] }),
  shell: template,
  renderShell: async () => ({ html: template, styleHashes: [] }),
  robots: '',
});`;
const anything = { accept: '*/*', host: 'localhost:3000' };
const html = { accept: 'text/html,*/*;q=0.8', host: 'localhost:3000' };
const get = (url: string, headers: Record<string, string> = html) => app.inject({ url, headers });

describe('the server', () => {
  test.each([
    '/',
    '/customer/orders',
    '/products/savory',
    '/login?next=/cart',
    '/admin/orders/1',
    '/customer/order/success?x=1.2',
  ])('serves the app at %s, under a policy without inline code', async (url) => {
    const answer = await get(url);
    expect([answer.statusCode, answer.body]).toEqual([200, '<!doctype html><title>The shop</title>']);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(answer.headers['content-security-policy']).not.toContain('unsafe');
  });

  test.each([
    ['/assets/app.js', 'public, max-age=31536000, immutable', 'application/javascript; charset=utf-8'],
    ['/pictures/pepper.webp', 'public, max-age=31536000, immutable', 'image/webp'],
    ['/notes.txt', 'no-cache', 'text/plain; charset=utf-8'],
  ])('caches the file %s: %s', async (url, kept, type) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': kept, 'content-type': type });
  });

  const isNothing = ({ statusCode, json }: { statusCode: number; json: () => unknown }) => {
    expect(statusCode).toBe(404);
    expect(json()).toMatchObject({ status: 404, code: 'not_found' });
  };
  const inNoFolder = `
    /assets/app.js.map /assets /assets/ /pictures /pictures/ /assets/none.js /pictures/none.webp /api /api/ /api/docs
    /API/docs //api/docs /api%2fdocs /api;x /api/x.html /Pictures/ //assets/x`;
  test.each(inNoFolder.trim().split(/\s+/))('has nothing at %s, for anyone', async (url) => {
    isNothing(await get(url));
    isNothing(await get(url, anything));
  });

  const hidden = `
    /.vite/manifest.json /.git /.git/config /.env /.git/HEAD /%2egit/config /.well-known/x /a/.hidden/b /package.json
    /index.html /app.js /cart.css /customer/orders;x.png /metrics.txt`;
  test.each(hidden.trim().split(/\s+/))('has nothing at %s, which a browser shows as a page', async (url) => {
    isNothing(await get(url, anything));
    isNothing(await get(url, {}));
    const answer = await get(url);
    expect([answer.statusCode, answer.body]).toEqual([404, '<title>404 not found</title>']);
  });

  const upwards = [
    '../',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..%5c',
    '..\\',
    '....//',
    '%252e%252e%252f',
    '..%00/',
    './../',
  ];
  test.each(upwards)('leads nowhere for %ssecret.txt', async (up) => {
    for (const start of ['/assets/', '/pictures/', '/', '/assets/x/']) {
      for (const url of [`${start}${up}secret.txt`, `${start}${up}${up}secret.txt`, `${start}${up}web/index.html`]) {
        const answer = await get(url);
        expect([400, 403, 404], url).toContain(answer.statusCode);
        expect(answer.body).not.toContain('the secret');
      }
    }
  });

  test('sends a part of a file, and rejects a range that it does not have', async () => {
    const part = (range: string) => get('/pictures/pepper.webp', { range });
    expect((await part('bytes=2-4')).body).toBe('pic');
    expect((await part('bytes=100-')).statusCode).toBe(416);
    expect((await get('/pictures/pepper.webp', { 'if-match': '"x"' })).statusCode).toBe(412);
  });

  test('sends a page to clients that accept pages', async () => {
    expect((await get('/customer/orders', { accept: 'application/json' })).statusCode).toBe(404);
    expect((await get('/customer/orders', {})).statusCode).toBe(200);
    expect((await app.inject({ method: 'POST', url: '/customer/orders', headers: html })).statusCode).toBe(404);
    expect((await app.inject({ method: 'HEAD', url: '/customer/orders', headers: html })).statusCode).toBe(200);
  });
});

test('redirects an undecodable URL to one without a page, for clients that accept pages', async () => {
  for (const [url, readable] of [
    ['/products/%E0%A4%A', '/products/%25E0%25A4%25A'],
    ['/search/%?q=%', '/search/%25?q=%'],
  ] as const) {
    const answer = await get(url);
    expect([answer.statusCode, answer.headers['location']], url).toEqual([302, readable]);
    expect((await get(url, { accept: 'application/json' })).json(), url).toMatchObject({ code: 'invalid_request' });
  }
  expect((await get('/api/%zz')).json()).toMatchObject({ code: 'invalid_request' });
});

describe('every response', () => {
  const answers: [what: string, url: string, headers?: Record<string, string>][] = [
    ['a page', '/customer/orders'],
    ['a redirect', '/customer/orders', { ...html, host: '127.0.0.1:3000' }],
    ['an asset', '/assets/app.js'],
    ['a picture', '/pictures/pepper.webp'],
    ['a missing picture', '/pictures/none.webp'],
    ['a call', '/api/public/products'],
    ['a refused call', '/api/admin/orders'],
    ['an unknown call', '/api/nothing'],
    ['an unreadable URL', '/%zz'],
    ['a name that is too long', `/api/public/products/category/${'a'.repeat(301)}`],
    ['/healthz', '/healthz'],
    ['/readyz', '/readyz'],
  ];
  test.each(answers)('%s carries the safe headers', async (_, url, headers) => {
    const answer = await get(url, headers);
    expect(answer.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none';.* frame-ancestors 'none'/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers).not.toHaveProperty('x-powered-by');
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
  });

  test('including 304 carries them too', async () => {
    const { headers } = await get('/pictures/pepper.webp');
    const again = await get('/pictures/pepper.webp', { 'if-none-match': String(headers['etag']) });
    expect(again.statusCode).toBe(304);
    expect(again.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  });

  test('of a shop at https carries HSTS for a year', async () => {
    const secure = await build(new URL('https://shop.example.com'), path.join(folder, 'web'));
    for (const url of ['/', '/api/nothing', '/%zz', '/assets/app.js']) {
      const { headers } = await secure.inject({ url, headers: { accept: 'text/html' } });
      expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    }
    await secure.close();
  });
});

describe('under another loopback name', () => {
  test.each(['127.0.0.1:3000', '[::1]:3000', '127.0.0.1'])(
    '%s a page is redirected to the shop’s own host',
    async (host) => {
      const answer = await get('/cart?a=1', { ...html, host });
      expect([answer.statusCode, answer.headers['location']]).toEqual([302, 'http://localhost:3000/cart?a=1']);
    },
  );

  test('nothing else is: no call, no file, no /healthz', async () => {
    for (const url of ['/api/public/products', '/assets/app.js', '/healthz', '/readyz', '/notes.txt'])
      expect((await get(url, { ...html, host: '127.0.0.1:3000' })).statusCode, url).toBe(200);
  });

  test('no redirect leaves the shop', async () => {
    for (const url of ['//evil.test/x', '/\\evil.test', '///evil.test', '//evil.test%2f..', '/%2f%2fevil']) {
      const { location } = (await get(url, { ...html, host: '127.0.0.1:3000' })).headers;
      if (location !== undefined) expect(new URL(location).origin, url).toBe('http://localhost:3000');
    }
  });

  test.each(['evil.test', 'localhost.evil.test', 'localhost:3000@evil.test', '', 'a b'])(
    'except under the name %j, which is not reflected',
    async (host) => {
      const answer = await get('/customer/orders', { ...html, host, 'x-forwarded-host': 'evil.test' });
      expect(answer.statusCode).toBe(200);
      expect(JSON.stringify(answer.headers) + answer.body).not.toContain('evil');
    },
  );

  test('and a shop with a public name redirects no one', async () => {
    const elsewhere = await build(new URL('https://shop.example.com'), path.join(folder, 'web'));
    const { statusCode } = await elsewhere.inject({
      url: '/customer/orders',
      headers: { ...html, host: 'localhost:3000' },
    });
    expect(statusCode).toBe(200);
    await elsewhere.close();
  });
});
