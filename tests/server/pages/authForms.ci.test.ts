import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accountMessages } from '../../../src/shared/usersAccount';
import { authMessages } from '../../../src/shared/authMessages';
import { customerWithFactor, otpOf } from '../../support/accounts';
import { cookiesOf, isSignedIn, logIn, newcomer, openAccount } from '../../support/auth';
import { builtApp } from '../../support/builtApp';
import { metaOf, reader } from '../../support/pages';
import { openOwnShop, publicUrl, type TestShop } from '../../support/shop';

let shop: TestShop;
let get: ReturnType<typeof reader>;
beforeAll(async () => {
  shop = await openOwnShop({ webFolder: await builtApp() });
  get = reader(shop.app);
});
afterEach(() => shop.pool.query('delete from attempts'));
afterAll(() => shop.close());

const own = { origin: publicUrl.origin, 'sec-fetch-site': 'same-origin' };
const send = (url: string, fields: Record<string, string>, headers: Record<string, string> = own) =>
  shop.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
const ticked = { rememberMe: 'on' };
const asHtml = (text: string) => text.replaceAll("'", '&#x27;');

describe('the pages of login and registration', () => {
  test.each([
    ['/login', 'Log in', /<form[^>]* action="\/login" method="post"/],
    ['/login?redirect=%2Fcheckout', 'Log in', /<form[^>]* action="\/login\?redirect=%2Fcheckout"/],
    ['/register', 'Register', /<form[^>]* action="\/register" method="post"/],
    ['/register?redirect=%2Fcheckout', 'Register', /<form[^>]* action="\/register\?redirect=%2Fcheckout"/],
    ['/forgot-password', 'Reset your password', /<form[^>]* action="\/forgot-password" method="post"/],
  ])('%s is rendered the same for all, with a form that works without scripts', async (url, title, form) => {
    const { status, body, headers } = await get(url);
    expect(status).toBe(200);
    expect(body).toMatch(form);
    expect(body).toContain(`<title>${title} | Savory, Seasoning &amp; Spices</title>`);
    expect(metaOf(body)['robots']).toBe('noindex');
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept-encoding' });
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['content-security-policy']).toContain("form-action 'self'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    const ana = await shop.signIn();
    expect((await get(url, { cookie: `__Host-access=${ana.token}` })).body).toBe(body);
  });

  test.each(['https://evil.test', '//evil.test', '/\\evil.test', 'javascript:alert(1)', '/login', '/\t/evil.test'])(
    'an invalid return path %j is ignored',
    async (redirect) => {
      const { body } = await get(`/login?redirect=${encodeURIComponent(redirect)}`);
      expect(body).toBe((await get('/login')).body);
      const awa = await openAccount(shop);
      const answer = await send(`/login?redirect=${encodeURIComponent(redirect)}`, { ...awa, ...ticked });
      expect([answer.statusCode, answer.headers['location']]).toEqual([303, '/cart']);
    },
  );

  test('are not for search engines', async () => {
    const { body } = await get('/robots.txt');
    for (const path of ['/login', '/register', '/forgot-password']) expect(body).toContain(`Disallow: ${path}\n`);
  });
});

describe('the cart of a visitor', () => {
  const ask = (url: string, cookie?: string) =>
    shop.app.inject({ url, headers: { accept: 'text/html', host: 'localhost:3000', ...(cookie && { cookie }) } });

  test.each([
    ['/cart', '/login?redirect=%2Fcart'],
    ['/cart?utm_source=letter', '/login?redirect=%2Fcart%3Futm_source%3Dletter'],
  ])('%s leads a browser without a session cookie to the login', async (url, location) => {
    for (const cookie of [undefined, '__Host-known-device=x', 'x__Host-access=a', '__Host-access=']) {
      const { statusCode, headers } = await ask(url, cookie);
      expect([statusCode, headers['location'], headers['cache-control']]).toEqual([302, location, 'no-store']);
    }
  });

  test.each(['__Host-access=expired', 'a=b; __Host-refresh=expired'])(
    'with %s, valid or not, is the app, which asks the server itself',
    async (cookie) => {
      const { statusCode, body } = await ask('/cart', cookie);
      expect(statusCode).toBe(200);
      expect(body).toContain('<div id="root"><!--app--></div>');
    },
  );
});

describe('a login by form', () => {
  test('sets the same cookies as a call, and leads where the app would', async () => {
    const awa = await openAccount(shop);
    const answer = await send('/login', { email: awa.email, password: awa.password, ...ticked });
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, '/cart']);
    expect(answer.headers['cache-control']).toBe('no-store');
    const byCall = await logIn(shop, awa);
    const cookies = cookiesOf(answer);
    for (const [name, { attributes }] of Object.entries(byCall.cookies))
      expect(cookies[name]?.attributes, name).toEqual(attributes);
    const jwt = cookies['__Host-access']?.value ?? '';
    expect(await isSignedIn(shop, { jwt, user: byCall.user })).toBe(true);
    // for the app, which starts on the next page: it names nobody
    expect(cookies['__Host-form-login']).toEqual({
      value: 'remembered',
      attributes: ['Max-Age=604800', 'Path=/', 'SameSite=Strict', 'Secure'],
    });
  });

  test('without Remember me sets cookies that end with the browser', async () => {
    const { email, password } = await openAccount(shop);
    const cookies = cookiesOf(await send('/login', { email, password }));
    for (const name of ['__Host-access', '__Host-refresh', '__Host-form-login'])
      expect(cookies[name]?.attributes.join(), name).not.toContain('Max-Age');
    expect(cookies['__Host-form-login']?.value).toBe('until_closed');
  });

  test.each([
    ['/checkout', '/checkout'],
    ['/search?q=hot pepper&page=2#top', '/search?q=hot%20pepper&page=2#top'],
    ['/products/épices', '/products/%C3%A9pices'],
  ])('leads back to %s', async (redirect, location) => {
    const { email, password } = await openAccount(shop);
    const answer = await send(`/login?redirect=${encodeURIComponent(redirect)}`, { email, password });
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, location]);
  });

  test('of staff leads to the dashboard, after the steps required of them', async () => {
    const awa = await openAccount(shop);
    await shop.pool.query(`update users set must_change_password = true, role = 'ROLE_ADMIN' where id = $1`, [awa.id]);
    const answer = await send('/login', { email: awa.email, password: awa.password });
    expect(answer.headers['location']).toBe('/customer/edit/password?redirect=%2Fdashboard');
  });

  test('ends the session that the browser had', async () => {
    const [awa, ben] = [await openAccount(shop), await openAccount(shop)];
    const former = await logIn(shop, awa);
    await send(
      '/login',
      { email: ben.email, password: ben.password },
      { ...own, cookie: `__Host-access=${former.jwt}` },
    );
    expect(await isSignedIn(shop, former)).toBe(false);
  });

  test('with a wrong password shows the page again: the sentence, the address, and no password', async () => {
    const { email } = await openAccount(shop);
    const answer = await send('/login?redirect=%2Fcheckout', { email, password: 'wr0ng & "secret"' });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.body).toMatch(/role="alert"[^]*Incorrect username\/password/);
    expect(answer.body).toContain(`value="${email}"`);
    expect(answer.body).not.toContain('wr0ng');
    expect(answer.body).toMatch(/action="\/login\?redirect=%2Fcheckout"/);
    expect(answer.body).toMatch(/<input(?![^>]*checked)[^>]*name="rememberMe"/);
    expect((await get('/login?redirect=%2Fcheckout')).body).not.toContain(email);
  });

  test('with empty fields gets the sentence of each', async () => {
    const { statusCode, body } = await send('/login', {});
    expect(statusCode).toBe(400);
    expect(body).toContain('Email is required');
    expect(body).toContain('Password is required');
  });

  test('counts together with calls: the sixth wrong password waits, by form as by call', async () => {
    const { email, password } = await openAccount(shop);
    const guess = { email, password: 'wrong pepper 1' };
    for (let tries = 0; tries < 3; tries++) await shop.call('login', { body: guess });
    for (let tries = 0; tries < 2; tries++) expect((await send('/login', guess)).statusCode).toBe(401);
    const answer = await send('/login', { email, password });
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(60);
    expect(answer.body).toContain('Too many attempts');
    expect((await shop.call('login', { body: { email, password } })).status).toBe(429);
  });

  test('asks for the code of the second factor, and accepts it with the password', async () => {
    const { account: awa, secret } = await customerWithFactor(shop);
    const fields = { email: awa.email, password: awa.password };
    const asked = await send('/login', fields);
    expect(asked.statusCode).toBe(401);
    expect(asked.body).toContain(authMessages.secondFactorRequired);
    expect(asked.body).toContain(asHtml(accountMessages.passwordAgain));
    expect(asked.body).toMatch(/<input[^>]* name="otp"/);
    expect(asked.body).not.toContain(awa.password);
    const wrong = await send('/login', { ...fields, otp: '000000' });
    expect(wrong.statusCode).toBe(401);
    expect(wrong.body).toContain(authMessages.secondFactorInvalid);
    expect(wrong.body).toMatch(/<input(?![^>]*value="000000")[^>]* name="otp"/);
    const right = await send('/login', { ...fields, otp: otpOf(shop, secret) });
    expect([right.statusCode, right.headers['location']]).toEqual([303, '/cart']);
  });

  test.each<Record<string, string>>([
    { origin: 'https://evil.test' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: publicUrl.origin },
    { origin: 'null' },
  ])('is rejected with %j: another site sent it', async (headers) => {
    const awa = await openAccount(shop);
    for (const path of ['/login', '/register', '/forgot-password']) {
      const { statusCode, body, headers: answered } = await send(path, { ...awa }, headers);
      expect([path, statusCode]).toEqual([path, 403]);
      expect(body).toContain('cross_site_request');
      expect(answered['set-cookie']).toBeUndefined();
    }
  });

  test('accepts no other kind of body, and reports too long a password', async () => {
    const json = { ...own, 'content-type': 'application/json' };
    const { statusCode } = await shop.app.inject({ method: 'POST', url: '/login', headers: json, payload: '{}' });
    expect(statusCode).toBe(415);
    expect((await send('/login', { email: 'a@example.com', password: 'p'.repeat(5_000) })).statusCode).toBe(413);
  });
});

describe('a registration by form', () => {
  test('creates the account, logs in, and leads to where the visitor was going', async () => {
    const awa = newcomer({ postalCode: '30303-1234' }); // its first five digits are cached
    const answer = await send('/register?redirect=%2Fcheckout', { ...awa });
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, '/checkout']);
    const cookies = answer.cookies.map(({ name }) => name);
    expect(cookies).toEqual(expect.arrayContaining(['__Host-access', '__Host-form-login']));
  });

  test('that cannot be followed by a login leads to the login, which shows the next step', async () => {
    const awa = newcomer();
    for (let tries = 0; tries < 5; tries++)
      await shop.call('login', { body: { email: awa.email, password: 'wrong 1' } });
    const answer = await send('/register?redirect=%2Fcheckout', { ...awa });
    expect([answer.statusCode, answer.headers['location']]).toEqual([
      303,
      '/login?redirect=%2Fcheckout&said=registered',
    ]);
    await shop.pool.query('delete from attempts');
    expect((await get('/login?redirect=%2Fcheckout&said=registered')).body).toContain(authMessages.proofMailed);
    expect((await logIn(shop, awa)).user.fullName).toBe(awa.fullName);
  });

  test('shows the page again with the errors and what was typed, except the passwords', async () => {
    const { statusCode, body } = await send('/register', {
      ...newcomer(),
      postalCode: 'abcde',
      confirmPassword: 'other 1',
    });
    expect(statusCode).toBe(400);
    expect(body).toContain('Postal code format is numbers only');
    expect(body).toContain('Passwords do not match');
    expect(body).toContain('value="12 Market Street"');
    expect(body).toMatch(/<option value="GA" selected="">/);
    expect(body).not.toContain('pepper and salt 1');
    expect(body).not.toContain('other 1');
  });

  test('with a taken address is rejected as the call is', async () => {
    const awa = await openAccount(shop);
    const byCall = await shop.call('register', { body: newcomer({ email: awa.email }) });
    const { statusCode, body } = await send('/register', { ...newcomer({ email: awa.email }) });
    expect(statusCode).toBe(byCall.status);
    expect(body).toContain(byCall.message);
  });
});

describe('a reset request by form', () => {
  test('leads to the login, which says the same whether or not there is such an account', async () => {
    const awa = await openAccount(shop);
    for (const email of [awa.email, 'nobody-here@example.com']) {
      const { statusCode, headers } = await send('/forgot-password', { email });
      expect([statusCode, headers['location']]).toEqual([303, '/login?said=asked']);
    }
    expect((await get('/login?said=asked')).body).toContain(authMessages.askForReset.success.replaceAll("'", '&#x27;'));
    expect((await get('/login?said=anything')).body).toBe((await get('/login')).body);
  });

  test('without an address shows the page again', async () => {
    const { statusCode, body } = await send('/forgot-password', { email: 'no address' });
    expect(statusCode).toBe(400);
    expect(body).toContain('Invalid email address');
    expect(body).toContain('value="no address"');
  });
});
