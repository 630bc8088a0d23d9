/**
 * Rate limits: so many attempts in 15 minutes (where it says so: a day), then 429. An attempt is counted before it is
 * made, in one statement, so that no burst escapes the count, and a guess outside any transaction, so that no rollback
 * does; as it turns out, it is taken out of the failures or of the successes again. A refused attempt does not count, so
 * nobody is locked out for longer than the window.
 * Rule: docs/rules/accounts.md, Rate limits
 */
import { createHash } from 'node:crypto';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { emailKey } from '../../account/service';
import { attempts } from '../../db/schema/tables';
import type { Connection, Db, Tx } from '../../db/core/transact';
import { networkOf } from '../../http/core/network';
import { tooManyRequests, type Problem } from '../../http/core/problems';

export type RateLimit = {
  key: string;
  limit: number;
  /** What it counts; failures, unless it says so. */
  of?: 'successes';
  /** 15 minutes unless it says otherwise. */
  windowMs?: number;
  /** Does not hold back the first attempt under this other key. */
  exceptFirstOf?: string;
};
type Count = { key: string; windowEndsAt: Date };
/** An attempt that was counted as both, until it is known which it was. */
export type Counted = { failures: Count[]; successes: Count[] };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const usualWindowMs = 15 * minuteMs;
const dayMs = 24 * hourMs;

/** Who tries: a network address and, where the account knows the browser, the id of that device. */
export type Trying = { address: string; knownDevice?: string | undefined };

/**
 * Failed logins: by account and by network address, from a known device by account and device instead, so that others
 * cannot use its attempts up. An unknown account has the same limits as any other.
 */
export const loginRateLimits = (email: string, { address, knownDevice }: Trying): RateLimit[] =>
  knownDevice === undefined
    ? [
        { key: `login account ${accountOf(email)}`, limit: 5 },
        { key: `login address ${networkOf(address)}`, limit: 20 },
      ]
    : [{ key: `login device ${knownDevice} ${accountOf(email)}`, limit: 5 }];

/**
 * Logins that succeed, since each costs as much as one that fails. Each may make a device known, so all devices of an
 * account together have a limit as well.
 */
export const loginSuccessLimits = (email: string, { knownDevice }: Pick<Trying, 'knownDevice'>): RateLimit[] =>
  knownDevice === undefined
    ? [{ key: `logins account ${accountOf(email)}`, limit: 300, of: 'successes' }]
    : [
        { key: `logins device ${knownDevice} ${accountOf(email)}`, limit: 300, of: 'successes' },
        { key: `logins devices ${accountOf(email)}`, limit: 900, of: 'successes' },
      ];

/**
 * Links to set a new password: each counts, since each may send a mail. From a known device as with the login; who knows
 * the password of an account can make devices known to it without end, so these together have a limit.
 */
export const forgotRateLimits = (email: string, { address, knownDevice }: Trying): RateLimit[] =>
  knownDevice === undefined
    ? [
        { key: `forgot account ${accountOf(email)}`, limit: 3 },
        { key: `forgot address ${networkOf(address)}`, limit: 30 },
      ]
    : [
        { key: `forgot device ${knownDevice} ${accountOf(email)}`, limit: 3 },
        { key: `forgot devices ${accountOf(email)}`, limit: 9 },
      ];

/** The same to an address that nobody has proven: a stranger may have named it. */
export const unprovenResetLimits = (email: string, network: string) =>
  dailyMailLimits('forgot unproven', email, network);

/**
 * Mails that anybody can have sent to an address: three a day by address and asking network, and twelve a day by address
 * however many networks ask. A network's first request is always sent, so strangers cannot block the mail of an address.
 */
function dailyMailLimits(what: string, email: string, network: string): RateLimit[] {
  const ofNetwork = `${what} ${accountOf(email)} ${network}`;
  return [
    { key: ofNetwork, limit: 3, windowMs: dayMs },
    { key: `${what} account ${accountOf(email)}`, limit: 12, windowMs: dayMs, exceptFirstOf: ofNetwork },
  ];
}

/** Present passwords of a signed-in user: wrong ones, since somebody may have found an open browser, and right ones. */
export const proofRateLimits = (userId: string): RateLimit[] => [
  { key: `proof account ${userId}`, limit: 5 },
  { key: `proofs account ${userId}`, limit: 30, of: 'successes' },
];

/** Wrong one-time codes of somebody who knows the password. */
export const codeRateLimits = (userId: string, knownDevice?: string): RateLimit[] => [
  { key: knownDevice === undefined ? `code account ${userId}` : `code device ${knownDevice} ${userId}`, limit: 5 },
];

/** Registrations by address. */
export const registerRateLimits = (address: string): RateLimit[] => [
  { key: `register address ${networkOf(address)}`, limit: 300 },
];

/** Links that prove an address: so many a day to one address, and so many that one network lets the shop mail. */
export const proofLinkRateLimits = (email: string, address: string): RateLimit[] => [
  ...dailyMailLimits('proof link', email, networkOf(address)),
  { key: `proof link address ${networkOf(address)}`, limit: 100 },
];

/** Addresses that turned out to be taken when somebody changed their own to them: so one finds out who has an account. */
export const emailChangeRateLimits = (userId: string, address: string): RateLimit[] => [
  { key: `email account ${userId}`, limit: 5 },
  { key: `email address ${networkOf(address)}`, limit: 30 },
];

/** Links to take over an address. */
export const takeoverRateLimits = (email: string, network: string) => dailyMailLimits('takeover', email, network);

/**
 * Unknown discount codes per customer and per network, so that codes cannot be guessed even with many accounts.
 */
export const discountRateLimits = (userId: string, address: string) => [
  { key: `discount account ${userId}`, limit: 20 },
  { key: `discount network ${networkOf(address)}`, limit: 100 },
];

/** Messages to the owner by address. */
export const contactRateLimits = (address: string): RateLimit[] => [
  { key: `contact address ${networkOf(address)}`, limit: 30 },
];

/** The email itself is not kept. */
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
 * Counts what is left out beyond its limits, and not refused.
 * @returns whether it is within them
 */
export async function countWithin(db: Connection, limits: readonly RateLimit[], now: Date): Promise<boolean> {
  const { exceeded } = await countAll(db, limits, now);
  return exceeded.length === 0;
}

/** What exceeds a limit counts for nothing. */
async function countAll(db: Connection, limits: readonly RateLimit[], now: Date) {
  const counted = await countOne(db, limits, now);
  const isFirst = (key: string | undefined) => counted.some((each) => each.key === key && each.count === 1);
  const exceeded = counted.filter(({ key, count }) => {
    const limit = limits.find((each) => each.key === key);
    return count > (limit?.limit ?? 0) && !isFirst(limit?.exceptFirstOf);
  });
  if (exceeded.length > 0) await giveBack(db, counted);
  return { counted, exceeded };
}

/** Takes an attempt that succeeded out of the count of failures. */
export const noteSuccess = (db: Connection, { failures }: Counted): Promise<void> => giveBack(db, failures);

/** Takes an attempt that failed out of the count of successes. */
export const noteFailure = (db: Connection, { successes }: Counted): Promise<void> => giveBack(db, successes);

/** Counts one more of each, whatever its limit: for an attempt that has failed already. */
export async function countOne(
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

/** Takes an attempt out of counts again, if their windows are still the same. */
async function giveBack(db: Connection, counted: readonly Count[]): Promise<void> {
  for (const { key, windowEndsAt } of counted) {
    await db
      .update(attempts)
      .set({ count: sql`${attempts.count} - 1` })
      .where(and(eq(attempts.key, key), eq(attempts.windowEndsAt, windowEndsAt), gt(attempts.count, 0)));
  }
}

/** Deletes an account's count of attempts, once its owner has proved who they are. */
export async function deleteOldAttempts(tx: Tx, { key }: RateLimit): Promise<void> {
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
  if (full.length > 0) throw tooManyAttempts(longestWait(full, now));
}

const limitOf = (limits: readonly RateLimit[], key: string): number =>
  limits.find((limit) => limit.key === key)?.limit ?? 0;

const longestWait = (counts: readonly Count[], now: Date): number =>
  Math.max(...counts.map(({ windowEndsAt }) => windowEndsAt.getTime() - now.getTime()));

export function tooManyAttempts(waitMs: number): Problem {
  return tooManyRequests(
    waitMs / 1000,
    `Too many attempts. Please try again in ${inWords(waitMs)}.`,
    'too_many_attempts',
  );
}

function inWords(waitMs: number): string {
  const [unit, count] =
    waitMs > 2 * hourMs ? ['hour', Math.ceil(waitMs / hourMs)] : ['minute', Math.max(1, Math.ceil(waitMs / minuteMs))];
  return count === 1 ? `a ${unit}` : `${count} ${unit}s`;
}
