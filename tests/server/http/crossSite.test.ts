import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromPage, newCustomer, type SignedIn } from '../../support/auth';
import { openShop, publicUrl, type TestShop } from '../../support/shop';

/**
 * Pages of other sites, from which a browser sends requests with the shop's cookies.
 * Rule: docs/rules/wire.md, Who may call; ASVS 3.5.1
 */
let shop: TestShop;
let ana: SignedIn;
beforeAll(async () => {
  shop = await openShop();
  ana = await newCustomer(shop);
});
afterAll(() => shop.close());

const own = publicUrl.origin;
const foreign = ['https://evil.test', 'null', `${own}.evil.test`, 'https://localhost:3000', 'http://localhost:3001'];
const cookie = () => fromPage(ana.cookies)['cookie'] ?? '';

/** Empties the cart, with only the cookies. */
const clear = (headers: Record<string, string>) =>
  shop.call('clearCart', { path: { userId: ana.user.id }, headers: { cookie: cookie(), ...headers } });
const refused = { status: 403, code: 'cross_site_request' };

describe('a change by cookie', () => {
  test('is allowed from the shop’s own page', async () => {
    expect((await clear({ 'sec-fetch-site': 'same-origin', origin: own })).status).toBe(200);
    expect((await clear({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await clear({ origin: own })).status).toBe(200);
  });

  test.each(foreign)('is rejected from a page of %s', async (origin) => {
    expect(await clear({ origin })).toMatchObject(refused);
    expect(await clear({ origin, 'sec-fetch-site': 'same-origin' })).toMatchObject(refused);
  });

  test.each(['cross-site', 'same-site', 'none', 'nonsense'])('is rejected when it is %s', async (site) => {
    expect(await clear({ 'sec-fetch-site': site })).toMatchObject(refused);
    expect(await clear({ 'sec-fetch-site': site, origin: own })).toMatchObject(refused);
  });

  test('is rejected without any origin headers', async () => {
    expect(await clear({})).toMatchObject(refused);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'sent as a form of %s changes nothing even from the shop’s own page',
    async (type) => {
      const headers = { cookie: cookie(), origin: own, 'content-type': type };
      const body = '{"productId":"x","change":1}';
      expect((await shop.call('updateCartItem', { headers, body })).status).toBe(415);
    },
  );

  test('is impossible by GET', async () => {
    const headers = { cookie: cookie(), 'sec-fetch-site': 'cross-site' };
    const { statusCode } = await shop.app.inject({ url: `/api/public/cart/${ana.user.id}/clear`, headers });
    expect(statusCode).toBe(404);
  });
});

test('login and logout are impossible from another site’s page too', async () => {
  const body = { email: ana.user.email, password: 'pepper and salt 1' };
  for (const headers of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }]) {
    expect(await shop.call('login', { headers, body })).toMatchObject(refused);
    expect(await shop.call('logout', { headers: { ...headers, cookie: cookie() } })).toMatchObject(refused);
  }
  expect((await shop.call('getUser', { path: { userId: ana.user.id }, headers: { cookie: cookie() } })).status).toBe(
    200,
  );
});

test('an API client without a user may have its own cookies', async () => {
  const body = { fullName: 'A. Client', email: 'client@example.com', phone: '', reason: 'Other', message: 'Hello' };
  for (const kept of ['theme=dark', '__Host-access=dead']) {
    expect((await shop.call('createContactMessage', { body, headers: { cookie: kept } })).status).not.toBe(403);
  }
});

test('an API client needs no page: its token identifies the user', async () => {
  const headers = { authorization: `Bearer ${ana.jwt}` };
  expect((await shop.call('clearCart', { path: { userId: ana.user.id }, headers })).status).toBe(200);
});

test.each([...foreign, own])('no response is readable to a page of %s', async (origin) => {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST'] as const) {
    const headers = { origin, cookie: cookie(), 'access-control-request-method': 'POST' };
    for (const url of ['/api/public/products', `/api/public/cart/${ana.user.id}`, '/healthz', '/nowhere']) {
      const answer = await shop.app.inject({ method, url, headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  }
});
