import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyError, InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asProblem } from '../../../src/server/http/core/problems';
import { openShop, type Person, type TestShop } from '../../support/shop';

/** Many times what a rejection takes; work that grows with the square of a body takes seconds. */
const mostMs = 600;
let shop: TestShop;
let ana: Person;
let admin: Person;
beforeAll(async () => {
  shop = await openShop();
  ana = await shop.signIn();
  admin = await shop.signIn({ role: 'ROLE_ADMIN' });
});
afterAll(() => shop.close());

const bearer = (person: Person) => ({ authorization: `Bearer ${person.token}` });
const json = { 'content-type': 'application/json' };

async function send(request: InjectOptions) {
  const answer = await shop.app.inject(request);
  const isJson = String(answer.headers['content-type']).includes('json');
  return { ...answer, body: isJson && answer.body !== '' ? answer.json<Record<string, unknown>>() : {} };
}
const postCart = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  send({
    method: 'POST',
    url: `/api/public/cart/add/${ana.userId}`,
    headers: { ...bearer(ana), ...json, ...headers },
    payload,
  });

describe('an error', () => {
  const rejections: [status: number, code: string, what: string, InjectOptions | (() => InjectOptions)][] = [
    [400, 'invalid_request', 'of a wrong query', { url: '/api/public/products?size=101' }],
    [400, 'invalid_request', 'of a URL that cannot be read', { url: '/api/%zz' }],
    [401, 'unauthenticated', 'of a visitor', { url: '/api/admin/orders' }],
    [403, 'forbidden', 'of a customer', () => ({ url: '/api/admin/orders', headers: bearer(ana) })],
    [404, 'not_found', 'of an unknown call', { url: '/api/nothing' }],
    [404, 'not_found', 'of a name that is too long', { url: `/api/public/products/category/${'a'.repeat(301)}` }],
    [404, 'product_not_found', 'of a missing product', { url: `/api/public/products/${randomUUID()}` }],
    [413, 'payload_too_large', 'of a body over 1 MiB', () => cartCall('x'.repeat(1024 * 1024 + 1))],
    [415, 'unsupported_media_type', 'of a form', () => cartCall('a=1', 'application/x-www-form-urlencoded')],
    [415, 'unsupported_media_type', 'of a text', () => cartCall('{}', 'text/plain')],
    [400, 'invalid_request', 'of what is no JSON', () => cartCall('{"quantity":')],
  ];
  const cartCall = (payload: string, type = 'application/json'): InjectOptions => ({
    method: 'POST',
    url: `/api/public/cart/add/${ana.userId}`,
    headers: { ...bearer(ana), 'content-type': type },
    payload,
  });

  test.each(rejections)('%i %s %s is problem+json with the id of the request', async (status, code, _, request) => {
    const answer = await send(typeof request === 'function' ? request() : request);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: expect.any(String),
      status,
      detail: answer.body['message'],
      message: expect.stringMatching(/^[\w ,.'<=]+$/),
      code,
      errors: expect.any(Array),
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('of the shop’s own shows an id and nothing else, and the log has it without what users wrote', async () => {
    const email = `secret-${randomUUID()}@example.com`;
    await shop.pool.query('alter table users rename to lost');
    const answer = await send({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password: 'hunter2 hunter2' },
    });
    await shop.pool.query('alter table lost rename to users');
    expect(answer.statusCode).toBe(500);
    const { requestId, ...said } = answer.body;
    expect(said).toMatchObject({ code: 'internal', message: 'Something went wrong. Please try again.', errors: [] });
    const logged = shop.logLines.find((line) => line.includes('request failed') && line.includes(String(requestId)));
    expect(logged).toMatch(/"code":"42P01"/);
    expect(shop.logLines.join('')).not.toMatch(/secret-|hunter2/);
  });

  test.each([
    ['text', 'a\0b'],
    ['jsonb', JSON.stringify('a\0b')],
  ])('about a character that no %s of the database accepts says so', async (type, text) => {
    const error: unknown = await shop.pool.query(`select $1::${type}`, [text]).catch((refused: unknown) => refused);
    expect(asProblem(error as FastifyError)).toMatchObject({
      status: 400,
      message: "The text contains a character we can't save",
    });
  });

  test('names unknown fields', async () => {
    const { body } = await send({
      method: 'POST',
      url: '/api/public/cart/add/' + ana.userId,
      headers: bearer(ana),
      payload: { productId: randomUUID(), isFree: true },
    });
    expect(body['errors']).toEqual([{ field: 'isFree', message: "isn't a known field" }]);
  });
});

describe('a query', () => {
  const wrong = `
    page=-1 page=1.5 page=x page= page=1e9 page=true page[]=1 page=0&page=1 page=0,1 size=-1 size=0 size=101
    size=1000000000 size=10&size=10 size=%00 size=NaN size=Infinity sort=passwordHash order=costPrice
    __proto__=1 __proto__[x]=1 constructor=1 x=1`;
  test.each(wrong.trim().split(/\s+/))('with %s is rejected', async (query) => {
    for (const url of ['/api/public/products', '/api/admin/orders']) {
      const answer = await send({ url: `${url}?${query}`, headers: bearer(admin) });
      expect(answer.statusCode, url).toBe(400);
    }
  });
});

describe('a body', () => {
  const hostile = ['__proto__', 'constructor'].flatMap((name) => [
    `{"${name}":{"prototype":{"isAdmin":true}}}`,
    `{"productId":{"${name}":{"prototype":{"isAdmin":true}}},"quantity":1}`,
    `{"\\u005f_proto__":{"isAdmin":true}}`,
  ]);
  test.each(hostile)('%s changes no object of the server', async (body) => {
    expect((await postCart(body)).statusCode).toBe(400);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test.each([
    ['two hundred thousand lists deep', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['a hundred thousand objects deep', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
    ['two hundred thousand lists deep in a field', `{"productId":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['two hundred thousand values wide', `{"productId":[${'0,'.repeat(199_999)}0]}`],
    ['two hundred thousand fields wide', `{${'"":0,'.repeat(199_999)}"a":0}`],
    ['eighty thousand different fields wide', `{${Array.from({ length: 80_000 }, (_, at) => `"a${at}":0`).join(',')}}`],
    ['not closed', '['.repeat(200_000)],
    ['cut', '{"productId":"'],
    ['a byte order mark and nothing', '\ufeff'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['compressed', gzipSync(JSON.stringify({ productId: randomUUID(), quantity: 1 }))],
  ])('that is %s is rejected, and does not delay others', async (_, payload) => {
    const worked = await workedMs(async () => expect([400, 413]).toContain((await postCart(payload)).statusCode));
    expect(worked).toBeLessThan(mostMs);
  });

  test.each([
    ['10 MiB, within the limit of the call', 10, 400],
    ['200 MiB', 200, 413],
  ])('that claims to be compressed, with %s, is not unpacked', async (_, length, status) => {
    const mebibyte = gzipSync(Buffer.alloc(1024 * 1024, ' '));
    const bomb = Buffer.concat(Array.from({ length }, () => mebibyte)); // a gzip may have many parts
    const before = process.memoryUsage().rss;
    const worked = await workedMs(async () =>
      expect((await postCart(bomb, { 'content-encoding': 'gzip' })).statusCode).toBe(status),
    );
    expect(worked).toBeLessThan(mostMs);
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(100);
  });

  /** In processor time, during which no other request is served: wall-clock time would include other programs. */
  async function workedMs(work: () => Promise<unknown>): Promise<number> {
    const found: number[] = [];
    for (let run = 0; run < 3 && !found.some((ms) => ms < mostMs); run++) {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      found.push((user + system) / 1000);
    }
    return Math.min(...found);
  }
});

describe('odd texts', () => {
  const texts = [
    'a\0b',
    '\ud800',
    'a\u202eb',
    '\u200b\u200d',
    `e${'\u0301'.repeat(60)}`,
    '<b>&"\'',
    "Robert'); drop table users;--",
  ];
  test.each(texts)('%j as a name is rejected or stored, and never causes a 500', async (customer) => {
    const person = await shop.signIn();
    const { id: productId } = await shop.stock();
    await shop.call('addCartItem', { as: person, path: { userId: person.userId }, body: { productId } });
    const path = { userId: person.userId, cartId: person.cartId };
    const deliveryAddress = { street: '1 Main Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
    const placed = await shop.call('placeOrder', { as: person, path, body: { customer, deliveryAddress } });
    expect([201, 400]).toContain(placed.status);
    if (placed.status !== 201) return;
    const { data } = await shop.call('getOrder', { as: person, path: { orderId: placed.data.orderId } });
    expect(data.orderResponse.customer).toBe(customer.replace('\ud800', '\ufffd').trim());
  });

  test('ten thousand letters are rejected', async () => {
    const path = { userId: ana.userId, cartId: ana.cartId };
    const body = { customer: 'a'.repeat(10_000), deliveryAddress: {} };
    expect((await shop.call('placeOrder', { as: ana, path, body })).status).toBe(400);
  });
});

describe('other ways to write a call', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
    '%s on the orders of all is no call',
    async (method) => {
      const answer = await send({
        method: method as InjectOptions['method'] & string,
        url: '/api/admin/orders',
        headers: bearer(admin),
      });
      expect([400, 404, 405]).toContain(answer.statusCode);
      expect(answer.headers).not.toHaveProperty('access-control-allow-methods');
    },
  );

  test('HEAD responds as GET does, without its body', async () => {
    for (const [person, status] of [
      [ana, 403],
      [admin, 200],
    ] as const) {
      const answer = await shop.app.inject({ method: 'HEAD', url: '/api/admin/orders', headers: bearer(person) });
      expect([answer.statusCode, answer.body]).toEqual([status, '']);
    }
  });

  const spellings = `
    /api/ADMIN/orders /API/admin/orders //api/admin/orders /api//admin/orders /api/admin//orders
    /api%2fadmin%2forders /api/admin%2forders /api/admin/orders/ /api/admin/orders;x /api/admin/orders.
    /api/./admin/orders /api/public/../admin/orders /api/admin/orders%00 /api/admin/orders%20`;
  test.each(spellings.trim().split(/\s+/))('%s gives a customer nothing', async (url) => {
    const answer = await send({ url, headers: { ...bearer(ana), 'x-http-method-override': 'GET', accept: '*/*' } });
    expect([400, 403, 404]).toContain(answer.statusCode);
  });

  test('a header cannot turn it into another call', async () => {
    const headers = { ...bearer(ana), 'x-http-method-override': 'PUT', 'x-original-url': '/api/admin/orders' };
    const answer = await send({ url: `/api/public/cart/${ana.userId}`, headers });
    expect(answer.statusCode).toBe(200);
  });
});

describe('the log', () => {
  test('has one JSON line per request, by its route, without tokens, mails, bodies or URLs', async () => {
    const before = shop.logLines.length;
    const email = `${randomUUID()}@example.com`;
    await send({
      url: `/api/public/cart/${ana.userId}?secret=in-the-url`,
      headers: { ...bearer(ana), 'user-agent': 'evil\u001b[31m' },
    });
    await send({ url: '/nowhere%0d%0a{"level":60}' });
    await send({ url: '/api/%zz' });
    await send({ method: 'POST', url: '/api/auth/login', payload: { email, password: 'hunter2 hunter2' } });
    await postCart(JSON.stringify({ productId: randomUUID(), quantity: 1, name: 'a\r\n{"level":60}' }));
    const lines = shop.logLines.slice(before);
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ route }) => route);
    expect(logged.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/api/public/cart/:userId', 400],
      ['GET', 'unknown', 404],
      ['GET', 'unknown', 400],
      ['POST', '/api/auth/login', 401],
      ['POST', '/api/public/cart/add/:userId', 404],
    ]);
    expect(logged[0]).toMatchObject({ actor: ana.userId, reqId: expect.any(String), ms: expect.any(Number) });
    for (const secret of [ana.token, email, 'hunter2', 'in-the-url', 'evil', 'nowhere']) {
      expect(lines.join('')).not.toContain(secret);
    }
  });
});
