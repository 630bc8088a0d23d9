/** Proofs of a device's key at login and refresh. Source: RFC 9449 */
import { eq } from 'drizzle-orm';
import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sessionFamilies } from '../../../src/server/db/schema/tables';
import { cookiesOf, openAccount, type SignedIn } from '../../support/auth';
import { type Changes, type Device, nonceOf, openDevice } from '../../support/proofs';
import { openOwnShop, publicUrl, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

const seconds = (count: number) => shop.clock.advance(count * 1000);
const rowOf = async ({ refreshToken }: Pick<SignedIn, 'refreshToken'>) =>
  (
    await shop.db
      .select()
      .from(sessionFamilies)
      .where(eq(sessionFamilies.id, refreshToken.slice(0, 36)))
  )[0];

describe('a proof', () => {
  let device: Device;
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeAll(async () => {
    device = await openDevice(shop);
    account = await openAccount(shop);
  });
  const loginWith = async (dpop: string, on: Pick<TestShop, 'call'> = shop) => {
    const { email, password } = account;
    return on.call('login', { body: { email, password }, headers: { dpop } });
  };

  test.each([
    ['without a nonce', undefined],
    ['with a nonce that we did not make', 'AAAAAAAAAAAAAAAAAAAAAA'],
  ])('%s is requested again with the nonce in the response', async (_, nonce) => {
    const rejection = await loginWith(await device.prove('login', { claims: { nonce } }));
    expect(rejection).toMatchObject({ status: 401, code: 'use_dpop_nonce' });
    const given = String(rejection.headers['dpop-nonce']);
    expect((await loginWith(await device.prove('login', { claims: { nonce: given } }))).status).toBe(200);
  });

  test('is valid for two minutes at least and four at most, whatever the device’s clock says', async () => {
    const nonce = await nonceOf(shop);
    for (const iat of [0, 4_000_000_000]) {
      const { status, headers } = await loginWith(await device.prove('login', { claims: { nonce, iat } }));
      expect(status).toBe(200);
      const next = await loginWith(await device.prove('login', { claims: { nonce: headers['dpop-nonce'] } }));
      expect(next.status, 'each answer has the nonce for the next proof').toBe(200);
    }
    seconds(110); // plus what the test takes
    expect((await loginWith(await device.prove('login', { claims: { nonce } }))).status).toBe(200);
    seconds(130);
    const late = await loginWith(await device.prove('login', { claims: { nonce } }));
    expect(late).toMatchObject({ status: 401, code: 'use_dpop_nonce' });
  });

  test('is accepted with a nonce of another process', async () => {
    const other = await shop.openProcess();
    const nonce = await nonceOf({ call: shop.callerOf(other.app) });
    expect((await loginWith(await device.prove('login', { claims: { nonce } }))).status).toBe(200);
    await other.close();
  });

  test('is accepted once', async () => {
    const { refreshToken } = await device.logIn(account);
    const proof = await device.prove('refreshToken');
    expect((await device.refreshWith(refreshToken, proof)).status).toBe(200);
    expect(await device.refreshWith(refreshToken, proof)).toMatchObject({ status: 401, code: 'use_dpop_nonce' });
    const login = await device.prove('login');
    expect((await loginWith(login)).status).toBe(200);
    expect(await loginWith(login)).toMatchObject({ status: 401, code: 'use_dpop_nonce' });
  });

  const htu = `${publicUrl.origin}/api/auth/login`;
  const made: [string, Changes][] = [
    ['for another method', { claims: { htm: 'GET' } }],
    ['for another call', { claims: { htu: `${publicUrl.origin}/api/auth/refresh-token` } }],
    ['for another shop', { claims: { htu: 'https://shop.example.com/api/auth/login' } }],
    ['with a query in its address', { claims: { htu: `${htu}?x=1` } }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['without a type', { header: { typ: undefined } }],
    ['without a key', { header: { jwk: undefined } }],
    ['that names its key elsewhere', { header: { jku: 'https://shop.example.com/keys' } }],
    ['that asks for what we do not know', { header: { crit: ['b64'], b64: true } }],
    ['without a time', { claims: { iat: undefined } }],
    ['without an id', { claims: { jti: undefined } }],
    ['with an id of its own length', { claims: { jti: 'x'.repeat(65) } }],
    ['with a nonce that is no text', { claims: { nonce: 1 } }],
  ];
  test.each(made)('%s is rejected', async (_, changes) => {
    const answer = await loginWith(await device.prove('login', changes));
    expect(answer).toMatchObject({ status: 401, code: 'invalid_dpop_proof' });
  });

  const forged: [string, () => string | Promise<string>][] = [
    ['that is no JWT', () => 'nonsense'],
    ['of four parts', async () => `${await device.prove('login')}.x`],
    ['twice in one header', async () => [await device.prove('login'), await device.prove('login')].join(', ')],
    ['without a signature', async () => `${(await device.prove('login')).split('.').slice(0, 2).join('.')}.`],
    ['signed with another key', async () => signedBy((await generateKeyPair('ES256')).privateKey, device.jwk)],
    ['that brings its private key', async () => device.prove('login', { header: { jwk: { ...device.jwk, d: 'x' } } })],
    [
      'whose key is not on the curve',
      () => device.prove('login', { header: { jwk: { ...device.jwk, x: 'A'.repeat(43) } } }),
    ],
    ['signed with a shared key', () => signedByText({ kty: 'oct', k: 'c2VjcmV0' }, 'HS256')],
    ['of another curve', async () => signedBy((await generateKeyPair('ES384')).privateKey, device.jwk, 'ES384')],
    ['signed with RSA', async () => signedBy((await generateKeyPair('RS256')).privateKey, device.jwk, 'RS256')],
    ['whose header is no JSON', async () => (await device.prove('login')).replace(/^[^.]+/, 'bm8')],
    ['whose header is null', async () => (await device.prove('login')).replace(/^[^.]+/, 'bnVsbA')],
  ];
  test.each(forged)('%s is rejected', async (_, forge) => {
    expect(await loginWith(await forge())).toMatchObject({ status: 401, code: 'invalid_dpop_proof' });
  });

  test('of more than 2,000 characters is not parsed', async () => {
    expect(await loginWith('x'.repeat(2001))).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('that is rejected ends no session, rotates no token and logs nobody out', async () => {
    const ana = await device.logIn(account);
    const before = await rowOf(ana);
    const rejection = await device.refreshWith(ana.refreshToken, 'nonsense');
    expect(rejection).toMatchObject({ status: 401, code: 'invalid_dpop_proof' });
    expect(cookiesOf(rejection)).toEqual({});
    expect(await rowOf(ana)).toEqual(before);
  });

  async function signedBy(key: CryptoKey, jwk: object, alg = 'ES256'): Promise<string> {
    const claims = { jti: crypto.randomUUID(), htm: 'POST', htu, iat: 0, nonce: await nonceOf(shop) };
    return new SignJWT(claims).setProtectedHeader({ alg, typ: 'dpop+jwt', jwk }).sign(key);
  }
  async function signedByText(jwk: object, alg: string): Promise<string> {
    const claims = { jti: crypto.randomUUID(), htm: 'POST', htu, iat: 0, nonce: await nonceOf(shop) };
    const key = new TextEncoder().encode('a secret that is long enough for it');
    return new SignJWT(claims).setProtectedHeader({ alg, typ: 'dpop+jwt', jwk }).sign(key);
  }
});
