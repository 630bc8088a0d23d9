/** A device with a key that proves it at each login and refresh (RFC 9449), with a different library than the app's. */
import { randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect } from 'vitest';
import { cookiesOf, type SignedIn } from './auth';
import { publicUrl, type TestShop } from './shop';

type Proven = 'login' | 'refreshToken';
const paths = { login: '/api/auth/login', refreshToken: '/api/auth/refresh-token' };

export type Changes = { header?: object; claims?: Record<string, unknown> };
export type Device = Awaited<ReturnType<typeof openDevice>>;

export const nonceOf = async (shop: Pick<TestShop, 'call'>): Promise<string> =>
  String((await shop.call('getNonce')).headers['dpop-nonce']);

export async function openDevice(shop: Pick<TestShop, 'call'>) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const { kty = '', crv = '', x = '', y = '' } = await exportJWK(publicKey);
  const jwk = { kty, crv, x, y };

  /** @param changes override the fields of a good proof */
  async function prove(id: Proven, { header, claims }: Changes = {}): Promise<string> {
    const htu = `${publicUrl.origin}${paths[id]}`;
    const nonce = claims && 'nonce' in claims ? claims['nonce'] : await nonceOf(shop);
    return new SignJWT({ jti: randomUUID(), htm: 'POST', htu, iat: 0, ...claims, nonce })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
      .sign(privateKey);
  }
  const refreshWith = async (refreshToken: string, proof?: string, on = shop) =>
    on.call('refreshToken', { body: { refreshToken }, headers: { dpop: proof ?? (await prove('refreshToken')) } });
  return {
    jwk,
    privateKey,
    thumbprint: await calculateJwkThumbprint(jwk),
    prove,
    refreshWith,
    async refreshed(refreshToken: string): Promise<SignedIn> {
      const answer = await refreshWith(refreshToken);
      expect(answer.message).toBe('Session refreshed');
      return { ...answer.data.authResponse, cookies: cookiesOf(answer) };
    },
    async logIn({ email, password }: { email: string; password: string }): Promise<SignedIn> {
      const answer = await shop.call('login', { body: { email, password }, headers: { dpop: await prove('login') } });
      expect(answer.status).toBe(200);
      return { ...answer.data.authResponse, cookies: cookiesOf(answer) };
    },
  };
}
