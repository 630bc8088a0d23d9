/**
 * Rate limits against guessing: so many attempts in 15 minutes, then 429. An attempt is counted before it is made, in
 * one statement and outside any transaction, so neither a burst nor a rollback escapes the count; a successful attempt
 * is taken out again. A refused attempt does not count, so nobody is locked out for longer than the window.
 * Rule: docs/rules/accounts.md, Rate limits
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { emailKey } from '../account/service';
import { attempts } from '../db/schema';
import type { Connection, Db, Tx } from '../db/transact';
import { tooManyRequests, type Problem } from '../http/problems';

export type RateLimit = { key: string; limit: number };
export type Counted = { key: string; windowEndsAt: Date }[];

const windowMs = 15 * 60_000;

/** Failed logins, by account and by network address. An unknown account has the same limits as any other. */
export const loginRateLimits = (email: string, address: string): RateLimit[] => [
  { key: `login account ${accountOf(email)}`, limit: 5 },
  { key: `login address ${networkOf(address)}`, limit: 20 },
];

/** Links to set a new password: each counts, since each may send a mail. */
export const forgotRateLimits = (email: string, address: string): RateLimit[] => [
  { key: `forgot account ${accountOf(email)}`, limit: 3 },
  { key: `forgot address ${networkOf(address)}`, limit: 30 },
];

/** Wrong present passwords of a signed-in user: somebody may have found an open browser. */
export const proofRateLimits = (userId: string): RateLimit[] => [{ key: `proof account ${userId}`, limit: 5 }];

/** Wrong one-time codes of somebody who knows the password. */
export const codeRateLimits = (userId: string): RateLimit[] => [{ key: `code account ${userId}`, limit: 5 }];

/** Registrations by address. */
export const registerRateLimits = (address: string): RateLimit[] => [
  { key: `register address ${networkOf(address)}`, limit: 300 },
];

/** Messages to the owner by address. */
export const contactRateLimits = (address: string): RateLimit[] => [
  { key: `contact address ${networkOf(address)}`, limit: 30 },
];

/** The email itself is not kept. */
const accountOf = (email: string): string => createHash('sha256').update(emailKey(email)).digest('base64url');

/** A household has one IPv4 address or a whole /64 of IPv6 addresses, so the /64 counts as one. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? '').split(':').filter(Boolean)];
  return `${all.slice(0, 4).join(':')}::/64`;
}

/**
 * Counts an attempt.
 * @returns the argument of `giveBack`, for an attempt that succeeds
 * @throws Problem 429 too_many_attempts
 */
export async function countAttempt(db: Connection, limits: readonly RateLimit[], now: Date): Promise<Counted> {
  const counted = await countFailure(db, limits, now);
  const exceeded = counted.filter(({ key, count }) => count > limitOf(limits, key));
  if (exceeded.length > 0) {
    await giveBack(db, counted);
    throw tooManyAttempts(exceeded, now);
  }
  return counted;
}

/** Counts an attempt that has failed already. */
export async function countFailure(
  db: Connection,
  limits: readonly RateLimit[],
  now: Date,
): Promise<(typeof attempts.$inferSelect)[]> {
  const windowEndsAt = new Date(now.getTime() + windowMs);
  const isOver = sql`${attempts.windowEndsAt} <= ${now}`;
  return db
    .insert(attempts)
    .values(limits.map(({ key }) => ({ key, count: 1, windowEndsAt })))
    .onConflictDoUpdate({
      target: attempts.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${attempts.count} + 1 end`,
        windowEndsAt: sql`case when ${isOver} then excluded.window_ends_at else ${attempts.windowEndsAt} end`,
      },
    })
    .returning();
}

/** Takes an attempt out of the count again, if its window is still the same. */
export async function giveBack(db: Connection, counted: Counted): Promise<void> {
  for (const { key, windowEndsAt } of counted) {
    await db
      .update(attempts)
      .set({ count: sql`${attempts.count} - 1` })
      .where(and(eq(attempts.key, key), eq(attempts.windowEndsAt, windowEndsAt), gt(attempts.count, 0)));
  }
}

/** Deletes an account's count of attempts, once its owner has proved who they are. */
export async function forgetAttempts(tx: Tx, { key }: RateLimit): Promise<void> {
  await tx.delete(attempts).where(eq(attempts.key, key));
}

/** Refuses when a limit is reached, without counting. @throws Problem 429 too_many_attempts */
export async function refuseLimited(db: Db, limits: readonly RateLimit[], now: Date): Promise<void> {
  const keys = limits.map(({ key }) => key);
  const counted = await db
    .select()
    .from(attempts)
    .where(and(inArray(attempts.key, keys), gt(attempts.windowEndsAt, now)));
  const full = counted.filter(({ key, count }) => count >= limitOf(limits, key));
  if (full.length > 0) throw tooManyAttempts(full, now);
}

const limitOf = (limits: readonly RateLimit[], key: string): number =>
  limits.find((limit) => limit.key === key)?.limit ?? 0;

function tooManyAttempts(exceeded: Counted, now: Date): Problem {
  const waitMs = Math.max(...exceeded.map(({ windowEndsAt }) => windowEndsAt.getTime() - now.getTime()));
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return tooManyRequests(waitMs / 1000, `Too many attempts. Please try again in ${wait}.`, 'too_many_attempts');
}
