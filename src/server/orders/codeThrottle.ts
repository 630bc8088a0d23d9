/**
 * Nobody finds a discount code by trying. A code that there is not counts in the statement that looks whether there is one,
 * before anything is said of it, so a burst of tries is counted too. A code that there is counts for nothing, and to write
 * nothing for it saves an honest customer two commits; but it waits for those tries of the same user and network that are
 * being counted, and is refused like them after too many.
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

/** `address` is where it comes from. */
type Guess = { userId: string; address: string; code: string | undefined };

type Row = { key: string; count: number; windowEndsAt: Date; isKnown: boolean };

/**
 * $1 are the keys of the counts, $2 the code, $3 now, $4 the end of a window that begins now. No row: there is such a
 * code, and nothing counts yet.
 */
const countQuery = statement<Row>(
  'count_guess',
  `with known as (select from discounts where code = $2 and is_active),
  locked as (
    select key, count, window_ends_at from attempts
    where key = any($1::text[]) and window_ends_at > $3 and exists (select from known) order by key for update
  ), counted as (
    insert into attempts (key, count, window_ends_at) select key, 1, $4::timestamptz from unnest($1::text[]) as asked (key)
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
 * @param code in capitals; undefined: none is asked about
 * @returns what was counted, for a code that there is not
 * @throws Problem 429 too_many_attempts
 */
export async function countFailedCode(
  connection: Connection,
  { userId, address, code, now }: Guess & { now: Date },
): Promise<Counted | undefined> {
  if (code === undefined) return undefined;
  const limits = discountRateLimits(userId, address);
  const windowEnd = new Date(now.getTime() + usualWindowMs);
  const rows = await countQuery(connection, [limits.map(({ key }) => key), code, now, windowEnd]);
  const failures = rows.filter(({ isKnown }) => !isKnown);
  const counted = failures.length > 0 ? { failures, successes: [] } : undefined;
  const full = rows.filter(({ key, count, isKnown }) => {
    const limit = limits.find((each) => each.key === key)?.limit ?? 0;
    return isKnown ? count >= limit : count > limit;
  });
  if (full.length === 0) return counted;
  if (counted) await noteSuccess(connection, counted); // what is refused does not count
  throw tooManyAttempts(Math.max(...full.map(({ windowEndsAt }) => windowEndsAt.getTime())) - now.getTime());
}

/** Takes a guess out of the count again where something else than the code was refused: nothing was learned of it. */
export async function settlingGuess<T>(db: Db, counted: Counted | undefined, work: () => Promise<T>): Promise<T> {
  if (!counted) return work();
  try {
    const done = await work();
    await noteSuccess(db, counted); // the code was made a moment ago
    return done;
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'discount_unknown')) await noteSuccess(db, counted);
    throw error;
  }
}

/** Both, around the work that looks the code up. @throws Problem 429 too_many_attempts; what the work throws */
export async function countingFailedCodes<T>(
  { db, clock }: { db: Db; clock: Clock },
  guess: Guess,
  work: () => Promise<T>,
): Promise<T> {
  return settlingGuess(db, await countFailedCode(db, { ...guess, now: clock.now() }), work);
}
