/**
 * Proof of possession as in RFC 9449, for login and refresh: the client signs each request with a key that never leaves
 * the device, so a stolen refresh token alone is useless.
 *
 * Freshness comes from the nonce, which only this shop can make, never from `iat`: clocks of phones are wrong. A proof
 * is accepted once per process, which remembers the last 20,000; another process would accept it again while its nonce
 * is valid. Replaying a recorded request there yields an access token for 15 minutes but no session: the next refresh
 * requires a proof again.
 * Rule: docs/rules/accounts.md, Sessions bound to a device
 */
import { createHmac } from 'node:crypto';
import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, errors, importJWK } from 'jose';
import { z } from 'zod';
import { authMessages } from '../../../shared/authMessages';
import { Problem } from '../../http/core/problems';

export type Proofs = {
  /** For the header DPoP-Nonce. Valid for two to four minutes from now. */
  nonceAt(now: Date): string;
  /**
   * @param proof the header DPoP
   * @param url of the request, which is a POST, without its query
   * @returns the thumbprint of the key (RFC 7638, SHA-256)
   * @throws Problem 401 use_dpop_nonce for a proof that is not fresh, 401 invalid_dpop_proof
   */
  check(proof: string, url: string, now: Date): Promise<Buffer>;
};

/** Maximum length in characters, maximum age of a nonce in minutes, and proofs remembered per process. */
export const proofLimits = { length: 2000, nonceMinutes: 4, remembered: 20_000 } as const;

const form = /^[\w-]+\.[\w-]+\.[\w-]{86}$/;
const coordinate = z.string().regex(/^[\w-]{43}$/);

const proofHeader = z.strictObject({
  typ: z.literal('dpop+jwt'),
  alg: z.literal('ES256'),
  jwk: z.strictObject({ kty: z.literal('EC'), crv: z.literal('P-256'), x: coordinate, y: coordinate }),
});
const proofClaims = z.object({
  jti: z.string().min(1).max(64),
  htm: z.string(),
  htu: z.string(),
  iat: z.number(),
  nonce: z.string().optional(),
});

/** @param key derives the nonces: the same in all processes */
export function createProofs(key: Uint8Array): Proofs {
  const nonces = createNonces(key);
  const isNew = createReplayCheck();

  return {
    nonceAt: nonces.at,
    async check(proof, url, now) {
      const { jwk, claims } = await read(() => readUnverified(proof));
      if (claims.htm !== 'POST' || claims.htu !== url) throw invalidProof();
      if (!nonces.isGood(claims.nonce, now)) throw nonceRequired(); // before the far more expensive signature check
      const thumbprint = await read(() => verify(proof, jwk));
      if (!isNew(`${thumbprint} ${claims.jti}`)) throw nonceRequired();
      return Buffer.from(thumbprint, 'base64url');
    },
  };
}

type Jwk = z.infer<typeof proofHeader>['jwk'];

/** The content of a proof, before its signature is checked. */
function readUnverified(proof: string) {
  if (proof.length > proofLimits.length || !form.test(proof)) throw invalidProof();
  const { jwk } = proofHeader.parse(decodeProtectedHeader(proof));
  const payload = Buffer.from(proof.split('.')[1] ?? '', 'base64url');
  const claims = proofClaims.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)));
  return { jwk, claims };
}

/** @returns the thumbprint of the key that signed it */
async function verify(proof: string, jwk: Jwk): Promise<string> {
  await compactVerify(proof, await importJWK(jwk, 'ES256'), { algorithms: ['ES256'] });
  return calculateJwkThumbprint(jwk);
}

/** @throws Problem 401 invalid_dpop_proof */
async function read<T>(part: () => T | Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (error) {
    if (isProofError(error)) throw invalidProof();
    throw error;
  }
}

/** The whole proof is client input, so failing to parse it is the client's error, not ours. */
const isProofError = (error: unknown): boolean =>
  [errors.JOSEError, z.ZodError, SyntaxError, TypeError, DOMException].some((kind) => error instanceof kind);

const periodMs = (proofLimits.nonceMinutes / 2) * 60_000;

/** A nonce is the HMAC of its two-minute period, so no process has to store nonces. */
function createNonces(key: Uint8Array) {
  const nonceOf = (period: number) =>
    createHmac('sha256', key).update(`nonce ${period}`).digest().subarray(0, 16).toString('base64url');
  const periodOf = (now: Date) => Math.floor(now.getTime() / periodMs);
  return {
    at: (now: Date) => nonceOf(periodOf(now)),
    /** Of the current or the previous period, or of the next one, from a process whose clock is slightly ahead. */
    isGood: (nonce: string | undefined, now: Date) =>
      [-1, 0, 1].some((step) => nonce === nonceOf(periodOf(now) + step)),
  };
}

/** @returns a function that tells whether an id is not among the last 20,000 it was given */
function createReplayCheck() {
  const seen = new Set<string>();
  return (id: string): boolean => {
    if (seen.has(id)) return false;
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > proofLimits.remembered && oldest !== undefined) seen.delete(oldest);
    return true;
  };
}

const nonceRequired = () => new Problem(401, 'use_dpop_nonce', authMessages.proofNeedsNonce);
const invalidProof = () => new Problem(401, 'invalid_dpop_proof', authMessages.proofInvalid);
export const proofRequired = () => new Problem(401, 'proof_required', authMessages.proofRequired);
