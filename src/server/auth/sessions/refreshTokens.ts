/**
 * The refresh token: the id of its session, 256 bits that only its holder knows, and a seal. The shop keeps its hash
 * alone. The seal tells a token of ours that was replaced long ago, whose return ends the session, from one that somebody
 * made up, which must not be able to end anybody's.
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
 * The token that replaces `refreshToken`. The same one always has the same successor, so that a lost answer can be
 * given again without anything secret having been stored. Rule: docs/rules/accounts.md, Tokens and cookies
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

/** When a session ends, refreshed again or not. */
export const lastsUntil = ({ createdAt }: FamilyRow): Date => new Date(createdAt.getTime() + longestDays * dayMs);

/** A session that has not expired was created and refreshed after these times. */
export const liveSince = (now: Date): { createdAfter: Date; refreshedAfter: Date } => ({
  createdAfter: new Date(now.getTime() - longestDays * dayMs),
  refreshedAfter: new Date(now.getTime() - idleDays * dayMs),
});

/**
 * Whether a refresh with this key, or with none, is of the device that the session is bound to. A session that is not
 * bound is everybody's who has its token.
 */
export const isOfDevice = ({ keyThumbprint: bound }: FamilyRow, thumbprint: Buffer | undefined): boolean =>
  !bound || (thumbprint?.length === bound.length && timingSafeEqual(thumbprint, bound));

/**
 * A session that was refreshed more often is bound no more: to find out whether one of its tokens is older than the
 * binding takes as many steps, of 11 µs each. An app that is open day and night gets there in ten days.
 */
const bindsWithin = 1_000;
export const mayBeBound = ({ keyThumbprint, refreshNumber }: FamilyRow): boolean =>
  !keyThumbprint && refreshNumber < bindsWithin;

/**
 * Whether a token had been exchanged when a session that began without a proof was bound. Somebody who stole such a
 * token could bind the session to a key of their own: then its owner has one of these, and the session ends for both,
 * as it would have without a key. A token from after the binding is worth nothing alone, so it ends nothing.
 */
export function isOlderThanBinding(
  refreshToken: string,
  { id, boundTokenHash, refreshNumber }: FamilyRow,
  { successorKey }: Pick<TokenKeys, 'successorKey'>,
): boolean {
  if (!boundTokenHash) return false;
  const mostSteps = Math.min(refreshNumber, bindsWithin);
  let token = refreshToken;
  for (let steps = 0; steps < mostSteps; steps += 1) {
    if (hashRefreshToken(token).equals(boundTokenHash)) return true;
    token = successorOf(token, id, successorKey);
  }
  return false;
}

export type Standing = 'newest' | 'predecessor' | 'expired' | 'reused';

/**
 * Classifies a token for its session. The immediate predecessor is accepted for 10 s (racing tabs), and later as long
 * as no token issued for it was used (a lost answer). Any other token was used before, perhaps by a thief, so the
 * session ends for both.
 * Rule: docs/rules/accounts.md, Sessions; RFC 9700, 4.14.2
 */
export function standingOf(refreshToken: string, family: FamilyRow, now: Date): Standing {
  const unusedMs = now.getTime() - family.refreshedAt.getTime();
  if (unusedMs >= idleDays * dayMs || now >= lastsUntil(family)) return 'expired';
  const hash = hashRefreshToken(refreshToken);
  if (hash.equals(family.tokenHash)) return 'newest';
  if (!family.previousTokenHash || !hash.equals(family.previousTokenHash)) return 'reused';
  const isRacing = unusedMs <= graceMs;
  return isRacing || !family.successorUsed ? 'predecessor' : 'reused';
}
