/**
 * The access token: a JWT (RFC 9068) that lives 15 minutes. It says whose it is, which session it belongs to and which
 * refresh issued it. How to check it is never taken from the token itself.
 * Rule: docs/rules/accounts.md, Tokens and cookies
 */
import { createSecretKey } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { roles } from '../../shared/auth';
import type { MustDo, Session } from '../http/access';

export const accessTokenMinutes = 15;

export type AccessTokens = {
  /** @param endsAt when the session ends, which its tokens never outlive */
  issue(session: Session, now: Date, endsAt: Date): Promise<string>;
  /** @returns whose token it is, or undefined when it is not ours or not good at that time */
  read(token: string, at: Date): Promise<Session | undefined>;
  /** As `read`, for an expired token too: for logging out. */
  readExpired(token: string): Promise<Session | undefined>;
};

const algorithm = 'HS256';
const type = 'at+jwt';
const audience = 'shop';

export function createAccessTokens(accessKey: Uint8Array): AccessTokens {
  const key = createSecretKey(accessKey);

  const read = async (token: string, at: Date): Promise<Session | undefined> => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        typ: type,
        audience,
        requiredClaims: ['sub', 'iat', 'exp'],
        currentDate: at,
      });
      return sessionOf(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
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
        .sign(key);
    },
    read,
    readExpired: (token) => read(token, new Date(0)), // at the beginning of time nothing has expired
  };
}

function sessionOf(payload: JWTPayload): Session | undefined {
  const { sub, sid, n } = payload;
  const role = roles.find((each) => each === payload['role']);
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof n !== 'number' || !role) return undefined;
  const mustDo = duties.find((each) => each === payload['must']);
  if (payload['must'] !== undefined && !mustDo) return undefined;
  return { userId: sub, role, familyId: sid, refreshNumber: n, ...(mustDo && { mustDo }) };
}

const duties: readonly MustDo[] = ['change_password', 'set_up_second_factor'];

const seconds = (ms: number) => Math.floor(ms / 1000);
