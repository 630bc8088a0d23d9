/** The refresh token: the id of its session and 256 bits that only its holder knows; the shop keeps its hash alone. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { FamilyRow } from './repository';

const pattern = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.[\w-]{43}$/;

const graceMs = 10_000;
const dayMs = 86_400_000;
const idleDays = 7;
const longestDays = 30;

export const firstRefreshToken = (familyId: string): string => `${familyId}.${randomBytes(32).toString('base64url')}`;

/**
 * The token that replaces `refreshToken`. The same one always has the same successor, so that a lost answer can be
 * given again without anything secret having been stored. Source: decisions §2
 */
export function successorOf(refreshToken: string, familyId: string, successorKey: Uint8Array): string {
  return `${familyId}.${createHmac('sha256', successorKey).update(refreshToken).digest('base64url')}`;
}

export const hashRefreshToken = (refreshToken: string): Buffer => createHash('sha256').update(refreshToken).digest();

/** @returns the id of the session that a refresh token names, or undefined when it is no refresh token */
export const familyNamedBy = (token: string): string | undefined => pattern.exec(token)?.[1];

/** When a session ends, refreshed again or not. */
export const lastsUntil = ({ createdAt }: FamilyRow): Date => new Date(createdAt.getTime() + longestDays * dayMs);

export type Standing = 'newest' | 'predecessor' | 'expired' | 'reused';

/**
 * What a presented token is to its session. The immediate predecessor is honoured for 10 s (racing tabs), and later as
 * long as nothing that was issued for it has been used (an answer that was lost). Anything else was used before: by
 * whom cannot be told, so the session is over for both.
 * Source: decisions §2, RFC 9700 §4.14.2
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
