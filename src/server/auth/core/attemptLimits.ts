/**
 * Rate limits: a number of attempts per 15 minutes (or per day, where stated), then 429. An attempt is counted before
 * it is made, in one statement, so a burst cannot slip past the count. Attempts at passwords and codes are counted
 * outside any transaction, so a rollback cannot undo the count. Once the result is known, the attempt is removed from
 * the failures or the successes. A rejected attempt does not count, so a lockout never outlasts the window.
 * Rule: docs/rules/accounts.md, Rate limits
 */
import { createHash } from 'node:crypto';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { emailKey } from '../../users/core/service';
import { attempts } from '../../db/schema/tables';
import type { Connection, Db, Tx } from '../../db/core/transact';
import { networkOf } from '../../http/core/network';
import { tooManyRequests, type Problem } from '../../http/core/problems';

export type RateLimit = {
  key: string;
  limit: number;
  /** What is counted; failures by default. */
  of?: 'successes';
  /** 15 minutes by default. */
  windowMs?: number;
  /** The first attempt under this other key is exempt from this limit. */
  exceptFirstOf?: string;
};
type Count = { key: string; windowEndsAt: Date };
/** An attempt counted both as a failure and as a success until the result is known. */
export type Counted = { failures: Count[]; successes: Count[] };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const usualWindowMs = 15 * minuteMs;
const dayMs = 24 * hourMs;

/** Where an attempt comes from: the network address and, if the account knows the browser, that device's id. */
export type AttemptOrigin = { address: string; knownDevice?: string | undefined };

/**
 * Failed logins, by account and by network address. From a known device they count by account and device instead, so
 * others cannot use up its attempts. An unknown account has the same limits as any other.
 */
export const loginRateLimits = (email: string, { address, knownDevice }: AttemptOrigin): RateLimit[] =>
  knownDevice === undefined
    ? [
        { key: `login account ${accountOf(email)}`, limit: 5 },
        { key: `login address ${networkOf(address)}`, limit: 20 },
      ]
    : [{ key: `login device ${knownDevice} ${accountOf(email)}`, limit: 5 }];

/**
 * Successful logins, since each costs as much as a failed one. Each can make another device known, so all devices of an
 * account together are limited too.
 */
export const loginSuccessLimits = (email: string, { knownDevice }: Pick<AttemptOrigin, 'knownDevice'>): RateLimit[] =>
  knownDevice === undefined
    ? [{ key: `logins account ${accountOf(email)}`, limit: 300, of: 'successes' }]
    : [
        { key: `logins device ${knownDevice} ${accountOf(email)}`, limit: 300, of: 'successes' },
        { key: `logins devices ${accountOf(email)}`, limit: 900, of: 'successes' },
      ];

/**
 * Requests for a link to set a new password. Each counts, since each may send a mail. Known devices count separately,
 * as at login. With the account's password, anyone can make unlimited devices known, so all of them together are
 * limited.
 */
export const forgotRateLimits = (email: string, { address, knownDevice }: AttemptOrigin): RateLimit[] =>
  knownDevice === undefined
    ? [
        { key: `forgot account ${accountOf(email)}`, limit: 3 },
        { key: `forgot address ${networkOf(address)}`, limit: 30 },
      ]
    : [
        { key: `forgot device ${knownDevice} ${accountOf(email)}`, limit: 3 },
        { key: `forgot devices ${accountOf(email)}`, limit: 9 },
      ];

/** The same for an unproven address, which a stranger may have entered. */
export const unprovenResetLimits = (email: string, network: string) =>
  dailyMailLimits('forgot unproven', email, network);

/**
 * Mails that any visitor can trigger: three a day per address and requesting network, and twelve a day per address over
 * all networks. A network's first request is always sent, so strangers cannot block the mail of an address.
 */
function dailyMailLimits(what: string, email: string, network: string): RateLimit[] {
  const ofNetwork = `${what} ${accountOf(email)} ${network}`;
  return [
    { key: ofNetwork, limit: 3, windowMs: dayMs },
    { key: `${what} account ${accountOf(email)}`, limit: 12, windowMs: dayMs, exceptFirstOf: ofNetwork },
  ];
}

/** Checks of the current password of a signed-in user: failures, in case of an unattended browser, and successes. */
export const proofRateLimits = (userId: string): RateLimit[] => [
  { key: `proof account ${userId}`, limit: 5 },
  { key: `proofs account ${userId}`, limit: 30, of: 'successes' },
];

/** Wrong one-time codes after the correct password. */
export const codeRateLimits = (userId: string, knownDevice?: string): RateLimit[] => [
  { key: knownDevice === undefined ? `code account ${userId}` : `code device ${knownDevice} ${userId}`, limit: 5 },
];

/** Registrations by network address. */
export const registerRateLimits = (address: string): RateLimit[] => [
  { key: `register address ${networkOf(address)}`, limit: 300 },
];

/** Links that prove an address, per day: by address, and by the requesting network. */
export const proofLinkRateLimits = (email: string, address: string): RateLimit[] => [
  ...dailyMailLimits('proof link', email, networkOf(address)),
  { key: `proof link address ${networkOf(address)}`, limit: 100 },
];

/** Email changes to an address that is already taken: they reveal which addresses have accounts. */
export const emailChangeRateLimits = (userId: string, address: string): RateLimit[] => [
  { key: `email account ${userId}`, limit: 5 },
  { key: `email address ${networkOf(address)}`, limit: 30 },
];

/** Test emails per owner, since each goes to any address. */
export const testEmailRateLimits = (userId: string): RateLimit[] => [
  { key: `test email account ${userId}`, limit: 20 },
];

/** Links to take over an address. */
export const takeoverRateLimits = (email: string, network: string) => dailyMailLimits('takeover', email, network);

/** Unknown discount codes per customer and per network, so codes cannot be guessed even with many accounts. */
export const discountRateLimits = (userId: string, address: string) => [
  { key: `discount account ${userId}`, limit: 20 },
  { key: `discount network ${networkOf(address)}`, limit: 100 },
];

/** Messages to the owner by network address. */
export const contactRateLimits = (address: string): RateLimit[] => [
  { key: `contact address ${networkOf(address)}`, limit: 30 },
];

/** A hash, so that the email itself is not stored. */
export const accountOf = (email: string): string => createHash('sha256').update(emailKey(email)).digest('base64url');

/**
 * Counts an attempt.
 * @returns the argument of `noteSuccess` or `noteFailure`, as it turns out
 * @throws Problem 429 too_many_attempts
 */
export async function countAttempt(db: Connection, limits: readonly RateLimit[], now: Date): Promise<Counted> {
  const { counted, exceeded } = await countAll(db, limits, now);
  if (exceeded.length > 0) throw tooManyAttempts(longestWait(exceeded, now));
  const ofSuccesses = new Set(limits.flatMap(({ key, of }) => (of === 'successes' ? key : [])));
  return {
    failures: counted.filter(({ key }) => !ofSuccesses.has(key)),
    successes: counted.filter(({ key }) => ofSuccesses.has(key)),
  };
}

/**
 * Counts an attempt without throwing.
 * @returns whether it is within its limits
 */
export async function countWithin(db: Connection, limits: readonly RateLimit[], now: Date): Promise<boolean> {
  const { exceeded } = await countAll(db, limits, now);
  return exceeded.length === 0;
}

/** An attempt that exceeds any limit is not counted at all. */
async function countAll(db: Connection, limits: readonly RateLimit[], now: Date) {
  const counted = await countEach(db, limits, now);
  const isFirst = (key: string | undefined) => counted.some((each) => each.key === key && each.count === 1);
  const exceeded = counted.filter(({ key, count }) => {
    const limit = limits.find((each) => each.key === key);
    return count > (limit?.limit ?? 0) && !isFirst(limit?.exceptFirstOf);
  });
  if (exceeded.length > 0) await uncount(db, counted);
  return { counted, exceeded };
}

/** Removes a successful attempt from the count of failures. */
export const noteSuccess = (db: Connection, { failures }: Counted): Promise<void> => uncount(db, failures);

/** Removes a failed attempt from the count of successes. */
export const noteFailure = (db: Connection, { successes }: Counted): Promise<void> => uncount(db, successes);

/** Adds one to each count, ignoring the limits: for an attempt that has already failed. */
export async function countEach(
  db: Connection,
  limits: readonly RateLimit[],
  now: Date,
): Promise<(typeof attempts.$inferSelect)[]> {
  const endOf = (windowMs = usualWindowMs) => new Date(now.getTime() + windowMs);
  const isOver = sql`${attempts.windowEndsAt} <= ${now}`;
  return db
    .insert(attempts)
    .values(limits.map(({ key, windowMs }) => ({ key, count: 1, windowEndsAt: endOf(windowMs) })))
    .onConflictDoUpdate({
      target: attempts.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${attempts.count} + 1 end`,
        windowEndsAt: sql`case when ${isOver} then excluded.window_ends_at else ${attempts.windowEndsAt} end`,
      },
    })
    .returning();
}

/** Removes an attempt from its counts, unless their windows have restarted since. */
async function uncount(db: Connection, counted: readonly Count[]): Promise<void> {
  for (const { key, windowEndsAt } of counted) {
    await db
      .update(attempts)
      .set({ count: sql`${attempts.count} - 1` })
      .where(and(eq(attempts.key, key), eq(attempts.windowEndsAt, windowEndsAt), gt(attempts.count, 0)));
  }
}

/** Deletes an account's count of attempts after its owner has proved their identity. */
export async function deleteOldAttempts(tx: Tx, { key }: RateLimit): Promise<void> {
  await tx.delete(attempts).where(eq(attempts.key, key));
}

/** Checks the limits without counting. @throws Problem 429 too_many_attempts */
export async function refuseLimited(db: Db, limits: readonly RateLimit[], now: Date): Promise<void> {
  const keys = limits.map(({ key }) => key);
  const counted = await db
    .select()
    .from(attempts)
    .where(and(inArray(attempts.key, keys), gt(attempts.windowEndsAt, now)));
  const full = counted.filter(({ key, count }) => count >= limitOf(limits, key));
  if (full.length > 0) throw tooManyAttempts(longestWait(full, now));
}

const limitOf = (limits: readonly RateLimit[], key: string): number =>
  limits.find((limit) => limit.key === key)?.limit ?? 0;

const longestWait = (counts: readonly Count[], now: Date): number =>
  Math.max(...counts.map(({ windowEndsAt }) => windowEndsAt.getTime() - now.getTime()));

export function tooManyAttempts(waitMs: number): Problem {
  return tooManyRequests(waitMs / 1000, `Too many attempts. Try again in ${inWords(waitMs)}.`, 'too_many_attempts');
}

function inWords(waitMs: number): string {
  const [unit, count] =
    waitMs > 2 * hourMs ? ['hour', Math.ceil(waitMs / hourMs)] : ['minute', Math.max(1, Math.ceil(waitMs / minuteMs))];
  return count === 1 ? `a ${unit}` : `${count} ${unit}s`;
}
