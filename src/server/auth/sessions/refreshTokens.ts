/**
 * The refresh token: the session's id, 256 secret bits and a MAC. The shop stores only its hash. The MAC distinguishes
 * a genuine token that was replaced long ago, whose reuse ends the session, from a forged one, which must not be able
 * to end a session.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FamilyRow } from './repository';
import type { TokenKeys } from '../core/tokenKeys';

const pattern = /^(?<signed>(?<familyId>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.[\w-]{43})\.(?<seal>[\w-]{22})$/;
const sealBytes = 16;
const maxLength = 200;

const graceMs = 10_000;
const dayMs = 86_400_000;
const idleDays = 7;
const longestDays = 30;

export const firstRefreshToken = (familyId: string, key: Uint8Array): string =>
  sealed(`${familyId}.${randomBytes(32).toString('base64url')}`, key);

/**
 * The token that replaces `refreshToken`. A token always has the same successor, so a lost response can be repeated
 * without storing any secret. Rule: docs/rules/accounts.md, Tokens and cookies
 */
export function successorOf(refreshToken: string, familyId: string, key: Uint8Array): string {
  return sealed(`${familyId}.${createHmac('sha256', key).update(refreshToken).digest('base64url')}`, key);
}

const sealed = (token: string, key: Uint8Array): string => `${token}.${sealOf(token, key).toString('base64url')}`;

const sealOf = (token: string, key: Uint8Array): Buffer =>
  createHmac('sha256', key).update(`seal ${token}`).digest().subarray(0, sealBytes);

export const hashRefreshToken = (refreshToken: string): Buffer => createHash('sha256').update(refreshToken).digest();

/** @returns the id of the session in a refresh token; undefined if its signature is not ours */
export function familyIdOf(token: string, { successorKey }: Pick<TokenKeys, 'successorKey'>): string | undefined {
  const { signed = '', familyId, seal = '' } = (token.length <= maxLength && pattern.exec(token)?.groups) || {};
  if (!familyId) return undefined;
  return timingSafeEqual(Buffer.from(seal, 'base64url'), sealOf(signed, successorKey)) ? familyId : undefined;
}

/** The latest end of a session, however often it is refreshed. */
export const lastsUntil = ({ createdAt }: FamilyRow): Date => new Date(createdAt.getTime() + longestDays * dayMs);

/** An unexpired session was created and refreshed after these times. */
export const liveSince = (now: Date): { createdAfter: Date; refreshedAfter: Date } => ({
  createdAfter: new Date(now.getTime() - longestDays * dayMs),
  refreshedAfter: new Date(now.getTime() - idleDays * dayMs),
});

/**
 * Whether a refresh with this key, or without one, comes from the device that the session is bound to. A session that
 * is not bound accepts any holder of its token.
 */
export const matchesDevice = ({ keyThumbprint: bound }: FamilyRow, thumbprint: Buffer | undefined): boolean =>
  !bound || (thumbprint?.length === bound.length && timingSafeEqual(thumbprint, bound));

/**
 * After this many refreshes a session can no longer be bound: checking whether a token is older than the binding takes
 * one step per refresh, 11 µs each. An app that is open day and night reaches the limit in ten days.
 */
const maxBindableRefreshes = 1_000;
export const mayBeBound = ({ keyThumbprint, refreshNumber }: FamilyRow): boolean =>
  !keyThumbprint && refreshNumber < maxBindableRefreshes;

/**
 * Whether a token was already exchanged when a session that began without a proof was bound. A thief of such a token
 * could bind the session to their own key; the owner then presents an older token, and the session ends for both, as it
 * would without a key. A token issued after the binding is useless without the key, so reusing it ends nothing.
 */
export function isOlderThanBinding(
  refreshToken: string,
  { id, boundTokenHash, refreshNumber }: FamilyRow,
  { successorKey }: Pick<TokenKeys, 'successorKey'>,
): boolean {
  if (!boundTokenHash) return false;
  const maxSteps = Math.min(refreshNumber, maxBindableRefreshes);
  let token = refreshToken;
  for (let steps = 0; steps < maxSteps; steps += 1) {
    if (hashRefreshToken(token).equals(boundTokenHash)) return true;
    token = successorOf(token, id, successorKey);
  }
  return false;
}

export type TokenState = 'newest' | 'predecessor' | 'expired' | 'reused';

/**
 * Classifies a token of its session. The immediate predecessor is accepted for 10 s (racing tabs), and later as long
 * as no token issued for it was used (a lost response). Any other token is a replay, perhaps by a thief, so the session
 * ends for both.
 * Rule: docs/rules/accounts.md, Sessions; RFC 9700, 4.14.2
 */
export function tokenStateOf(refreshToken: string, family: FamilyRow, now: Date): TokenState {
  const unusedMs = now.getTime() - family.refreshedAt.getTime();
  if (unusedMs >= idleDays * dayMs || now >= lastsUntil(family)) return 'expired';
  const hash = hashRefreshToken(refreshToken);
  if (hash.equals(family.tokenHash)) return 'newest';
  if (!family.previousTokenHash || !hash.equals(family.previousTokenHash)) return 'reused';
  const isRacing = unusedMs <= graceMs;
  return isRacing || !family.successorUsed ? 'predecessor' : 'reused';
}
