import { createHmac, randomUUID, type KeyObject } from 'node:crypto';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromPage, isSignedIn, newCustomer, type SignedIn } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let ana: SignedIn;
let ben: SignedIn;
let key: KeyObject;
beforeAll(async () => {
  shop = await openOwnShop();
  [ana, ben] = [await newCustomer(shop), await newCustomer(shop)];
  key = shop.secrets.tokenKeys.accessKey;
});
afterAll(() => shop.close());

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const payloadOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** Signed with the shop's own key, whatever its header says. */
function signed(header: object, payload: object): string {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

const goodHeader = { alg: 'HS256', typ: 'at+jwt' };

test('an access token names its user and session, and lives 15 minutes', () => {
  const payload = payloadOf(ana.jwt);
  expect(payload).toMatchObject({
    sub: ana.user.id,
    sid: ana.refreshToken.slice(0, 36),
    n: 0,
    role: 'ROLE_CUSTOMER',
    aud: 'shop',
  });
  expect(Number(payload['exp']) - Number(payload['iat'])).toBe(15 * 60);
  expect(Buffer.from(ana.jwt.split('.')[0] ?? '', 'base64url').toString()).toBe(JSON.stringify(goodHeader));
});

test('a token like ours, signed with our key, is accepted: those below are rejected for their one difference', async () => {
  expect(await isSignedIn(shop, { ...ana, jwt: signed(goodHeader, payloadOf(ana.jwt)) })).toBe(true);
});

const later = ({ iat, exp }: Record<string, unknown>, by: number) => ({ iat: Number(iat) + by, exp: Number(exp) + by });

const changedPayloads: [string, (payload: Record<string, unknown>) => object][] = [
  ['for another audience', (payload) => ({ ...payload, aud: 'another shop' })],
  ['for no audience', (payload) => ({ ...payload, aud: undefined })],
  ['that has expired', (payload) => ({ ...payload, exp: Number(payload['iat']) - 1 })],
  ['that never expires', (payload) => ({ ...payload, exp: undefined })],
  ['that is not good yet', (payload) => ({ ...payload, nbf: Number(payload['iat']) + 3600 })],
  ['for nobody', (payload) => ({ ...payload, sub: undefined })],
  ['of no session', (payload) => ({ ...payload, sid: undefined })],
  ['of a session that never was', (payload) => ({ ...payload, sid: randomUUID() })],
  ['of a session of somebody else', (payload) => ({ ...payload, sid: ben.refreshToken.slice(0, 36) })],
  ['that lives ten years', (payload) => ({ ...payload, exp: Number(payload['iat']) + 10 * 365 * 86_400 })],
  ['that lives a second longer than ours', (payload) => ({ ...payload, exp: Number(payload['exp']) + 1 })],
  ['that was issued in two minutes', (payload) => ({ ...payload, ...later(payload, 120) })],
  ['with a role that there is not', (payload) => ({ ...payload, role: 'ROLE_GOD' })],
];
test('a token of another process whose clock is some seconds ahead is accepted', async () => {
  const payload = payloadOf(ana.jwt);
  expect(await isSignedIn(shop, { ...ana, jwt: signed(goodHeader, { ...payload, ...later(payload, 5) }) })).toBe(true);
});

test.each(changedPayloads)('a token %s is rejected', async (_, change) => {
  expect(await isSignedIn(shop, { ...ana, jwt: signed(goodHeader, change(payloadOf(ana.jwt))) })).toBe(false);
});

const changedHeaders: [string, object][] = [
  ['of another type', { alg: 'HS256', typ: 'JWT' }],
  ['of no type', { alg: 'HS256' }],
  ['that says it is not signed', { alg: 'none', typ: 'at+jwt' }],
  ['that says another algorithm', { alg: 'HS512', typ: 'at+jwt' }],
  ['that says an algorithm with public keys', { alg: 'RS256', typ: 'at+jwt' }],
  ['with a critical header of its own', { ...goodHeader, crit: ['exp'], exp: 1 }],
];
test.each(changedHeaders)('a token %s is rejected', async (_, header) => {
  expect(await isSignedIn(shop, { ...ana, jwt: signed(header, payloadOf(ana.jwt)) })).toBe(false);
});

test('a token that contains its own key is rejected', async () => {
  const stranger = await generateKeyPair('RS256', { extractable: true });
  const other = new TextEncoder().encode('x'.repeat(32));
  const payload = payloadOf(ana.jwt);
  const header = {
    typ: 'at+jwt',
    kid: '../../dev/null',
    jku: 'https://evil.test/keys.json',
    x5u: 'https://evil.test/x',
  };
  const tokens = [
    await new SignJWT(payload).setProtectedHeader({ ...header, alg: 'RS256' }).sign(stranger.privateKey),
    await new SignJWT(payload).setProtectedHeader({ ...header, alg: 'HS256' }).sign(other),
    new UnsecuredJWT(payload).encode(),
    `${part({ alg: 'none', typ: 'at+jwt' })}.${part(payload)}.`,
  ];
  for (const jwt of tokens) expect(await isSignedIn(shop, { ...ana, jwt })).toBe(false);
});

test('a token whose role was changed is rejected', async () => {
  const [header, , signature] = ana.jwt.split('.');
  const jwt = `${header}.${part({ ...payloadOf(ana.jwt), role: 'ROLE_OWNER' })}.${signature}`;
  expect((await shop.call('listOrders', { headers: { authorization: `Bearer ${jwt}` } })).status).toBe(401);
});

test('a refresh token is no access token', async () => {
  expect(await isSignedIn(shop, { ...ana, jwt: ana.refreshToken })).toBe(false);
});

test('a bad Authorization header is not rescued by a good cookie', async () => {
  const path = { userId: ana.user.id };
  const cookie = fromPage(ana.cookies);
  expect((await shop.call('getUser', { path, headers: cookie })).status).toBe(200);
  for (const authorization of ['Bearer dead', 'Bearer ', 'Basic eDp5', ana.jwt, `Bearer ${'x'.repeat(6000)}`]) {
    expect((await shop.call('getUser', { path, headers: { ...cookie, authorization } })).status).toBe(401);
  }
});

test('an access token expires after 15 minutes, in its cookie too', async () => {
  const cleo = await newCustomer(shop);
  shop.clock.advance(14.9 * 60_000);
  expect(await isSignedIn(shop, cleo)).toBe(true);
  shop.clock.advance(0.2 * 60_000);
  expect(await isSignedIn(shop, cleo)).toBe(false);
  const byCookie = await shop.call('getUser', { path: { userId: cleo.user.id }, headers: fromPage(cleo.cookies) });
  expect(byCookie).toMatchObject({ status: 401, code: 'unauthenticated' });
});
