/**
 * The access token: a JWT (RFC 9068) valid for 15 minutes. It names the user, the session and the refresh that issued
 * it. The algorithm and type to check are fixed here, never read from the token.
 * Rule: docs/rules/accounts.md, Tokens and cookies
 */
import type { KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { roles } from '../../../shared/auth';
import type { RequiredAction, Session } from '../../http/contract/access';
import { accessTokenMinutes, type TokenKeys } from '../core/tokenKeys';

/** How far in the future a token's `iat` may be: clocks of processes differ slightly. */
const maxSkewSeconds = 60;

export type AccessTokens = {
  /** @param endsAt the end of the session, which a token never outlives */
  issue(session: Session, now: Date, endsAt: Date): Promise<string>;
  /** @returns the token's session; undefined when it was not issued here or is not valid at that time */
  read(token: string, at: Date): Promise<Session | undefined>;
  /** Like `read`, but accepts expired tokens: for logging out. */
  readExpired(token: string): Promise<Session | undefined>;
};

const algorithm = 'HS256';
const type = 'at+jwt';
const audience = 'shop';

/** Cached signature checks of recent tokens: each token arrives with every call for 15 minutes. */
const maxVerified = 5_000;

export function createAccessTokens({ accessKey }: Pick<TokenKeys, 'accessKey'>): AccessTokens {
  /** Tokens with a valid signature; their expiry is checked on each read. */
  const verified = new LRUCache<string, JWTPayload>({ max: maxVerified });

  const verify = async (token: string, at: Date): Promise<JWTPayload | undefined> => {
    const known = verified.get(token);
    if (known) return isUnexpired(known, at) ? known : undefined;
    const payload = await verifyWith(accessKey, token, at);
    if (payload && payload.nbf === undefined) verified.set(token, payload);
    return payload;
  };

  return {
    issue({ userId, role, familyId, refreshNumber, mustDo }, now, endsAt) {
      const expiresAt = Math.min(now.getTime() + accessTokenMinutes * 60_000, endsAt.getTime());
      return new SignJWT({ sid: familyId, n: refreshNumber, role, ...(mustDo && { must: mustDo }) })
        .setProtectedHeader({ alg: algorithm, typ: type })
        .setSubject(userId)
        .setAudience(audience)
        .setIssuedAt(seconds(now.getTime()))
        .setExpirationTime(seconds(expiresAt))
        .sign(accessKey);
    },
    async read(token, at) {
      const payload = await verify(token, at);
      return payload && hasValidTimes(payload, at) ? sessionOf(payload) : undefined;
    },
    async readExpired(token) {
      const payload = await verify(token, new Date(0)); // at the epoch nothing has expired
      return payload && sessionOf(payload);
    },
  };
}

async function verifyWith(key: KeyObject, token: string, at: Date): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      typ: type,
      audience,
      requiredClaims: ['sub', 'iat', 'exp'],
      currentDate: at,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

const isUnexpired = ({ exp = 0 }: JWTPayload, at: Date): boolean => exp > seconds(at.getTime());

/** Whether its lifetime is at most that of our tokens, and its issue time not in the future. */
function hasValidTimes({ iat = Infinity, exp = Infinity }: JWTPayload, at: Date): boolean {
  return exp - iat <= accessTokenMinutes * 60 && iat <= seconds(at.getTime()) + maxSkewSeconds;
}

function sessionOf(payload: JWTPayload): Session | undefined {
  const { sub, sid, n } = payload;
  const role = roles.find((each) => each === payload['role']);
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof n !== 'number' || !role) return undefined;
  const mustDo = duties.find((each) => each === payload['must']);
  if (payload['must'] !== undefined && !mustDo) return undefined;
  return { userId: sub, role, familyId: sid, refreshNumber: n, ...(mustDo && { mustDo }) };
}

const duties: readonly RequiredAction[] = ['change_password', 'set_up_second_factor'];

const seconds = (ms: number) => Math.floor(ms / 1000);
