/**
 * Throttles attempts to find a discount code by trying. One statement looks the code up and counts it if it is unknown,
 * before the caller learns anything, so concurrent attempts count too. A known code counts nothing, which saves an honest
 * customer two commits; but it waits for counts in progress of the same user and network, and is rejected like them once
 * the limit is reached.
 * Rule: docs/rules/orders-and-payment.md, The quote
 */
import {
  discountRateLimits,
  noteSuccess,
  tooManyAttempts,
  usualWindowMs,
  type Counted,
} from '../auth/core/attemptLimits';
import type { Clock } from '../core/clock';
import { statement, type Connection, type Db } from '../db/core/transact';
import { Problem } from '../http/core/problems';

/** `address` is the client's network address. */
type CodeAttempt = { userId: string; address: string; code: string | undefined };

type Row = { key: string; count: number; windowEndsAt: Date; isKnown: boolean };

/**
 * $1: keys of the counters, $2: the code, $3: now, $4: the end of a window that starts now. No rows: the code is known and
 * no failures are counted yet.
 */
const countQuery = statement<Row>(
  'count_failed_code',
  `with known as (select from discounts where code = $2 and is_active),
  locked as (
    select key, count, window_ends_at from attempts
    where key = any($1::text[]) and window_ends_at > $3 and exists (select from known) order by key for update
  ), counted as (
    insert into attempts (key, count, window_ends_at) select key, 1, $4::timestamptz from unnest($1::text[]) as requested (key)
    where not exists (select from known)
    on conflict (key) do update set
      count = case when attempts.window_ends_at <= $3 then 1 else attempts.count + 1 end,
      window_ends_at = case when attempts.window_ends_at <= $3 then excluded.window_ends_at else attempts.window_ends_at end
    returning key, count, window_ends_at
  )
  select key, count, window_ends_at as "windowEndsAt", true as "isKnown" from locked
  union all select key, count, window_ends_at, false from counted`,
);

/**
 * @param code in capitals; undefined: no code was sent
 * @returns what was counted, for an unknown code
 * @throws Problem 429 too_many_attempts
 */
export async function countFailedCode(
  connection: Connection,
  { userId, address, code, now }: CodeAttempt & { now: Date },
): Promise<Counted | undefined> {
  if (code === undefined) return undefined;
  const limits = discountRateLimits(userId, address);
  const windowEnd = new Date(now.getTime() + usualWindowMs);
  const rows = await countQuery(connection, [limits.map(({ key }) => key), code, now, windowEnd]);
  const failures = rows.filter(({ isKnown }) => !isKnown);
  const counted = failures.length > 0 ? { failures, successes: [] } : undefined;
  const exceeded = rows.filter(({ key, count, isKnown }) => {
    const limit = limits.find((each) => each.key === key)?.limit ?? 0;
    return isKnown ? count >= limit : count > limit;
  });
  if (exceeded.length === 0) return counted;
  if (counted) await noteSuccess(connection, counted); // a rejected attempt does not count
  throw tooManyAttempts(Math.max(...exceeded.map(({ windowEndsAt }) => windowEndsAt.getTime())) - now.getTime());
}

/** Removes the attempt from the count again if the call failed for another reason than the code: nothing was learned. */
export async function settleAttempt<T>(db: Db, counted: Counted | undefined, work: () => Promise<T>): Promise<T> {
  if (!counted) return work();
  try {
    const result = await work();
    await noteSuccess(db, counted); // the code was created a moment ago
    return result;
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'discount_unknown')) await noteSuccess(db, counted);
    throw error;
  }
}

/** Counts, runs the work that looks the code up, and settles the count. @throws Problem 429 too_many_attempts; what the work throws */
export async function countingFailedCodes<T>(
  { db, clock }: { db: Db; clock: Clock },
  attempt: CodeAttempt,
  work: () => Promise<T>,
): Promise<T> {
  return settleAttempt(db, await countFailedCode(db, { ...attempt, now: clock.now() }), work);
}
