import { Dexie, type Table } from 'dexie';
import { keyDatabaseName, keyDatabaseVersion, sessionKeyRow } from '../../shared/deviceNames';
import { keyDatabaseStores } from '../../shared/deviceStores';
import { abortedWithPage, retryWhenShown } from '../browser/shownPage';
import { discardBody } from '../browser/discardBody';
import { ApiError, noConnection } from './errors';

/**
 * Proves that a request comes from this browser (RFC 9449, DPoP): it is signed with a key that no script can read, so
 * that a stolen refresh token is useless elsewhere. The key is created at the first login or refresh, shared by all
 * tabs, and deleted at the logout. Browsers that can't store such a key work without it.
 * Rule: docs/rules/accounts.md, Sessions bound to a device
 */
const database = new Dexie(keyDatabaseName);
database.version(keyDatabaseVersion).stores(keyDatabaseStores);
database.use(abortedWithPage);
const keys: Table<CryptoKeyPair, string> = database.table('keys');

const timeoutMs = 3000;
const nonceIsFreshMs = 90_000; // the shop accepts it for at least two minutes
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };

/** The nonce carries the shop's time, because this device's clock may be wrong. */
let nonce: string | undefined;
let nonceReceivedAt = -Infinity;

/**
 * @param request a POST below /auth
 * @param send sends a request to the shop, or throws ApiError no_connection
 * @returns undefined, with nothing sent, when this browser has no key
 * @throws ApiError no_connection also when the shop rejects our proof
 */
export async function sendWithProof(
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response | undefined> {
  const pair = await withTimeout(retryWhenShown(findOrCreateKey));
  if (!pair) return undefined;
  const { signal, url } = request;
  if (performance.now() - nonceReceivedAt > nonceIsFreshMs)
    saveNonce(discardBody(await send(new Request(new URL('nonce', url), { signal }))));
  for (let attempts = 0; attempts < 2; attempts += 1) {
    const proof = await createProof(request, pair).catch(() => undefined);
    if (proof === undefined) return undefined;
    const proven = request.clone();
    proven.headers.set('dpop', proof);
    const response = saveNonce(await send(proven));
    if (response.status !== 401) return response;
    const { code } = await ApiError.from(response.clone());
    if (code !== 'use_dpop_nonce' && code !== 'invalid_dpop_proof') return response;
    discardBody(response);
  }
  throw noConnection();
}

/** Deletes the key together with its session. */
export const clearKey = async (): Promise<void> => withTimeout(retryWhenShown(() => keys.delete(sessionKeyRow)));

/** Uses only a key read back from the database: a browser may accept a key and return nothing. */
async function findOrCreateKey(): Promise<CryptoKeyPair | undefined> {
  const stored = await keys.get(sessionKeyRow);
  if (isComplete(stored)) return stored;
  const generated = await crypto.subtle.generateKey(algorithm, false, ['sign']);
  await database.transaction('rw', keys, async () => {
    if (!isComplete(await keys.get(sessionKeyRow))) await keys.put(generated, sessionKeyRow); // else another tab was faster
  });
  const shared = await keys.get(sessionKeyRow);
  return isComplete(shared) ? shared : undefined;
}

const isComplete = (pair: Partial<CryptoKeyPair> | undefined): pair is CryptoKeyPair =>
  Boolean(pair?.privateKey && pair.publicKey);

/** @returns undefined where the browser has no database for us, can't store the key, or doesn't answer in time */
const withTimeout = <T>(work: PromiseLike<T>): Promise<T | undefined> =>
  Promise.race([work, new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs, undefined))]).catch(
    () => undefined,
  );

function saveNonce(response: Response): Response {
  const next = response.headers.get('dpop-nonce');
  if (next) [nonce, nonceReceivedAt] = [next, performance.now()];
  return response;
}

async function createProof({ method, url }: Request, { privateKey, publicKey }: CryptoKeyPair): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
  const { origin, pathname } = new URL(url);
  const iat = Math.floor(Date.now() / 1000);
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } };
  const claims = { jti: crypto.randomUUID(), htm: method, htu: `${origin}${pathname}`, iat, nonce };
  const signed = [header, claims].map((part) => encode(bytesOf(JSON.stringify(part)))).join('.');
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytesOf(signed));
  return `${signed}.${encode(new Uint8Array(signature))}`;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Base64url: `-` for `+`, `_` for `/`, and no padding. */
const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replaceAll(/[+/=]/g, (each) => ['-', '_']['+/'.indexOf(each)] ?? '');
