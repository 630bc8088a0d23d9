/** How JSON responses are sent. Rule: docs/rules/wire.md, Compression */
import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { createResponseCache, jsonResponse } from '../../../src/server/http/cache/responseCache';
import { users } from '../../../src/server/db/schema/tables';
import { openAccount } from '../../support/auth';
import { moveStock, multipart } from '../../support/catalog';
import { openShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let staff: Person;
beforeAll(async () => {
  shop = await openShop();
  staff = await shop.signIn({ role: 'ROLE_ADMIN' });
  for (let each = 0; each < 8; each++)
    await shop.stock({ description: `Whole berries of the best year, bag ${each}.` });
  await shop.untilTold();
});
afterAll(() => shop.close());

type Headers = Record<string, string>;
async function get(url: string, accepted?: string, headers: Headers = {}, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await shop.app.inject({
    method,
    url: `/api${url}`,
    headers: { ...headers, ...(accepted !== undefined && { 'accept-encoding': accepted }) },
  });
  const encoding = answer.headers['content-encoding'];
  const bytes = answer.rawPayload;
  const open = { br: brotliDecompressSync, gzip: gunzipSync };
  const isCompressed = bytes.length > 0 && (encoding === 'br' || encoding === 'gzip');
  const body = (isCompressed ? open[encoding](bytes) : bytes).toString();
  return { status: answer.statusCode, headers: answer.headers, encoding, bytes, body };
}

const kept = '/public/products?size=8';
const made = '/admin/products?size=8';
const asStaff = () => ({ authorization: `Bearer ${staff.token}` });

describe('a response above 1 kB', () => {
  const asked = [
    [undefined, undefined, undefined],
    ['', undefined, undefined],
    ['identity', undefined, undefined],
    ['deflate', undefined, undefined],
    ['gzip;q=0', undefined, undefined],
    ['gzip;q=0, br;q=0.000', undefined, undefined],
    ['gzip;q=0.5, identity', undefined, undefined],
    ['gzip;q=much', undefined, undefined],
    ['br', 'br', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['GZIP;Q=1', 'gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br', 'gzip'],
    ['br;q=0, gzip', 'gzip', 'gzip'],
    ['br;q=0.2 , gzip; q=0.8', 'gzip', 'gzip'],
    ['br, gzip;q=0.8', 'br', 'br'],
    ['*', 'br', 'gzip'],
    ['br;q=0, *;q=0.1', 'gzip', 'gzip'],
  ] as const;
  test.each(asked)(
    'requested with Accept-Encoding %j is %s when cached, %s when not',
    async (accepted, ...expected) => {
      for (const [index, url] of [kept, made].entries()) {
        const plain = await get(url, undefined, asStaff());
        const { status, headers, encoding, bytes, body } = await get(url, accepted, asStaff());
        expect([status, encoding, body]).toEqual([200, expected[index], plain.body]);
        expect(headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'content-length': String(bytes.length),
          vary: 'accept-encoding',
        });
        if (encoding) expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
      }
    },
  );

  test('has the same headers for HEAD', async () => {
    for (const url of [kept, made])
      for (const accepted of ['br', 'identity']) {
        const headers = { ...asStaff(), 'accept-encoding': accepted };
        const [told, sent] = await Promise.all(
          ['HEAD', 'GET'].map((method) => fetch(`${shop.url}/api${url}`, { method, headers })),
        );
        for (const name of ['content-length', 'content-encoding', 'vary', 'etag'])
          expect([url, name, told?.headers.get(name)]).toEqual([url, name, sent?.headers.get(name)]);
        expect(told?.headers.get('content-encoding')).toBe(accepted === 'br' ? 'br' : null);
      }
  });

  test('is not cached on the way when it is personal', async () => {
    expect((await get(made, 'gzip', asStaff())).headers['cache-control']).toBe('no-store');
  });

  test('with an error is compressed too', async () => {
    const { id, categoryId } = await shop.stock({ description: 'Berries. '.repeat(200) });
    const form = { name: 'Pepper', description: 'x', price: '1', availability: 'true', quantity: '1' };
    const { payload, headers } = await multipart({ ...form, category: categoryId, version: '9' });
    const answer = await shop.app.inject({
      method: 'PUT',
      url: `/api/admin/products/update/${id}`,
      headers: { ...headers, ...asStaff(), 'accept-encoding': 'br, gzip' },
      payload,
    });
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([409, 'gzip']);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(JSON.parse(gunzipSync(answer.rawPayload).toString())).toMatchObject({ code: 'product_changed' });
  });
});

test('a response of 1 kB or less is never compressed', async () => {
  const { id } = await shop.stock({ description: 'Short.' });
  for (const url of [`/public/products/${id}`, '/public/shop', '/public/products?size=1&page=1000', '/nowhere']) {
    const { bytes, encoding } = await get(url, 'br, gzip');
    expect([url, bytes.length <= 1024, encoding]).toEqual([url, true, undefined]);
  }
});

describe('a cached response', () => {
  test('is compressed once, however often it is requested', async () => {
    await shop.untilTold(); // changes of earlier tests would drop the cache
    let compressors = 0;
    const counting = createHook({ init: (_, type) => void (type === 'ZLIB' && compressors++) }).enable();
    onTestFinished(() => void counting.disable());
    const ask = (accepted: string) =>
      shop.app.inject({ url: '/api/public/products?size=7', headers: { 'accept-encoding': accepted } });
    await ask('identity');
    expect(compressors).toBe(0);
    const [first] = await Promise.all([ask('br'), ask('br'), ask('br')]);
    expect([first.headers['content-encoding'], compressors]).toEqual(['br', 1]); // for all parallel requests
    for (const accepted of ['br', 'gzip', 'gzip, br', 'identity']) await ask(accepted);
    expect((await ask('br')).rawPayload).toEqual(first.rawPayload);
    expect(compressors).toBe(2); // one for each encoding
  });

  test('has an ETag for each encoding, with which clients get a 304', async () => {
    const all = await Promise.all([undefined, 'br', 'gzip'].map((accepted) => get(kept, accepted)));
    const tags = all.map(({ headers }) => String(headers['etag']));
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
    for (const [index, accepted] of [undefined, 'br', 'gzip'].entries()) {
      const tag = tags[index] ?? '';
      for (const sent of [tag, `W/${tag}`, `"other", ${tag}`]) {
        const again = await get(kept, accepted, { 'if-none-match': sent });
        expect([again.status, again.body, again.headers['etag'], again.encoding]).toEqual([
          304,
          '',
          tag,
          all[index]?.encoding,
        ]);
        expect(again.headers['vary']).toBe('accept-encoding');
        expect(again.headers).not.toHaveProperty('content-length');
      }
    }
    expect((await get(kept, 'br', { 'if-none-match': tags[0] ?? '' })).status).toBe(200);
  });

  test('changes after a sale, in every encoding', async () => {
    const { id } = await shop.stock({ quantity: 30, description: 'A pepper of which something is sold. '.repeat(40) });
    const url = `/public/products/${id}`;
    const before = await get(url, 'br');
    await moveStock(shop.db, id, -3);
    for (const accepted of ['br', 'gzip', undefined]) {
      const after = await get(url, accepted, { 'if-none-match': String(before.headers['etag']) });
      expect([after.status, after.encoding]).toEqual([200, accepted]);
      expect(JSON.parse(after.body)).toMatchObject({ data: { product: { quantity: 27 } } });
    }
  });

  test('counts in memory with all its forms', async () => {
    const bus = { connected: true, on: () => undefined, onConnected: () => undefined };
    const answers = createResponseCache(bus, { quantities: 'exact', maxEntries: 2_000, maxBytes: 32 * 1024 * 1024 });
    const megabyte = async () => jsonResponse(randomBytes(768 * 1024).toString('base64'));
    for (let each = 0; each < 15; each++) await answers.get(`list ${each}`, megabyte);
    expect(answers.find('list 14')).toBeDefined();
    expect(answers.find('list 0')).toBeUndefined(); // 15 MB uncompressed, at most 45 MB in three forms: 32 MB is the limit
  });
});

describe('a response with a secret', () => {
  test('is not compressed, however long it is', async () => {
    const account = await openAccount(shop);
    await shop.db
      .update(users)
      .set({ description: 'Pepper. '.repeat(120) })
      .where(eq(users.id, account.id));
    const { email, password } = account;
    const answer = await shop.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'accept-encoding': 'br, gzip' },
      payload: { email, password },
    });
    expect([answer.statusCode, answer.rawPayload.length > 1024]).toEqual([200, true]);
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  test('is one of logging in: no other call has one', () => {
    type Operation = { operationId: string; responses: object };
    const { paths } = JSON.parse(readFileSync('src/server/http/contract/contract.gen.json', 'utf8')) as {
      paths: Record<string, Record<string, Operation>>;
    };
    const secrets = /"(?:jwt|\w*[tT]oken|secret|uri|otp|password|recoveryCodes)":/;
    const having = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ responses }) => (secrets.test(JSON.stringify(responses)) ? [path] : [])),
    );
    expect(having).toContain('/auth/login');
    expect(having).toContain('/auth/second-factor/begin');
    expect(having.filter((path) => !path.startsWith('/auth/'))).toEqual([]);
  });
});

test.each([
  ['same-origin', 'gzip'],
  ['none', 'gzip'],
  ['same-site', undefined],
  ['cross-site', undefined],
])('for a page of %s in a user’s name arrives as %s', async (site, encoding) => {
  const answer = await get(made, 'gzip', { ...asStaff(), 'sec-fetch-site': site });
  expect([answer.status, answer.encoding]).toEqual([200, encoding]);
});

test('a file is sent unchanged', async () => {
  const { status, encoding, bytes } = await get('/admin/products/export', 'gzip', asStaff());
  expect([status, encoding, bytes.length > 1024]).toEqual([200, undefined, true]);
});
