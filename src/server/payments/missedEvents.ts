/**
 * Finds events whose webhook did not arrive. Every minute the shop reads the provider's list from its last position, less
 * five minutes, and processes unknown events as if their webhook had arrived.
 *
 * The position is a time by the provider's clock: that of the newest processed event. It advances only when the whole list
 * was read and all its events were processed, so the next list includes what a failure left out. Reading an event twice, or
 * in two processes, has one effect: its id is stored in the transaction of its effect.
 */
import { asc, inArray, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { paymentEvents, paymentEventsCursor, paymentSessions } from '../db/schema/tables';
import type { Db } from '../db/core/transact';
import { describeFailure } from '../db/core/loggedErrors';
import { receiveEvent } from './events';
import { workThrough } from './workThrough';
import type { PaymentParts } from './provider';
import type { ProviderEvent } from './providerEvents';

const minuteMs = 60_000;
/** Allows for clock skew, and for events that appear in the list later than their creation time. */
const marginMs = 5 * minuteMs;
/**
 * An event that always fails holds the position back for at most an hour, so the list cannot grow without limit. Its
 * payment is checked when its session ends.
 */
const maxWaitForFailedMs = 60 * minuteMs;

/** Processes the events since the last run. A failure is logged and left for the next minute. */
export async function processMissedEvents(parts: PaymentParts, logger: Logger): Promise<void> {
  const now = parts.clock.now();
  const since = new Date((await findPosition(parts.db, now)) - marginMs);
  const { takenUntil } = await processEvents(parts, since, logger);
  if (takenUntil !== undefined) await advancePosition(parts.db, takenUntil, now);
}

/** Allows for clock skew, and for events in flight at the time of the backup. */
const restoreMarginMs = 60 * minuteMs;

/**
 * Fetches the events that were sent while the shop was down, or to the shop before it was restored: the job that a restore
 * enqueues. Orders that are not in the backup become alarms, each with its payment.
 * @throws when the provider or the database is unreachable; the queue retries
 * Rule: docs/rules/running.md, Backup and restore
 */
export async function fetchEvents(parts: PaymentParts, since: Date, logger: Logger): Promise<void> {
  const { isComplete } = await processEvents(parts, new Date(since.getTime() - restoreMarginMs), logger);
  if (!isComplete) throw new Error("some payment events couldn't be processed");
}

type Processed = { isComplete: boolean; takenUntil: Date | undefined };

/** Processes page by page, newest first: if the process dies before the end of a long list, the next run has less to do. */
async function processEvents(parts: PaymentParts, since: Date, logger: Logger): Promise<Processed> {
  const missed: ProviderEvent[] = [];
  let newest: Date | undefined;
  let isWholeList = true;
  try {
    for await (const page of parts.payments.listEvents(since)) {
      newest ??= page[0]?.createdAt;
      missed.push(...(await processPage(parts, page, logger)));
    }
  } catch (error) {
    isWholeList = false; // the pages that arrived are processed anyway
    logger.warn({ failure: describeFailure(error) }, "couldn't list payment events");
  }
  const takenUntil = isWholeList && newest ? nextPosition(newest, missed) : undefined;
  return { isComplete: isWholeList && missed.length === 0, takenUntil };
}

/** @returns the events that could not be processed */
async function processPage(parts: PaymentParts, page: ProviderEvent[], logger: Logger): Promise<ProviderEvent[]> {
  const unknown = await withoutKnown(parts.db, page);
  const { missed } = await workThrough(
    unknown.toReversed(), // the oldest first
    (event) => receiveEvent(parts, event),
    ({ id, orderId }, error) =>
      logger.warn({ failure: describeFailure(error), event: id, orderId }, "couldn't process an event"),
  );
  return missed;
}

function nextPosition(newest: Date, missed: readonly ProviderEvent[]): Date {
  const times = missed.map(({ createdAt }) => createdAt?.getTime() ?? newest.getTime());
  const oldestMissed = Math.min(newest.getTime(), ...times);
  return new Date(Math.max(oldestMissed, newest.getTime() - maxWaitForFailedMs));
}

async function withoutKnown(db: Db, page: ProviderEvent[]): Promise<ProviderEvent[]> {
  const ids = page.map(({ id }) => id);
  const known = await db.select({ id: paymentEvents.id }).from(paymentEvents).where(inArray(paymentEvents.id, ids));
  const knownIds = new Set(known.map(({ id }) => id));
  return page.filter(({ id }) => !knownIds.has(id));
}

/** Without a position, or with one that a wrong clock left in the future, starts at the oldest open payment. */
async function findPosition(db: Db, now: Date): Promise<number> {
  const [saved] = await db.select().from(paymentEventsCursor);
  if (saved && saved.takenUntil.getTime() <= now.getTime() + marginMs) return saved.takenUntil.getTime();
  const [oldest] = await db
    .select({ createdAt: paymentSessions.createdAt })
    .from(paymentSessions)
    .where(inArray(paymentSessions.state, ['creating', 'open']))
    .orderBy(asc(paymentSessions.createdAt))
    .limit(1);
  return Math.min(oldest?.createdAt.getTime() ?? Infinity, now.getTime());
}

/** Moves the position forward only, since another process may be ahead. A position in the future is corrected. */
async function advancePosition(db: Db, takenUntil: Date, now: Date): Promise<void> {
  const latest = new Date(now.getTime() + marginMs);
  const { takenUntil: saved } = paymentEventsCursor;
  await db
    .insert(paymentEventsCursor)
    .values({ takenUntil })
    .onConflictDoUpdate({
      target: paymentEventsCursor.only,
      set: { takenUntil },
      setWhere: sql`${saved} < excluded.taken_until or ${saved} > ${latest.toISOString()}::timestamptz`,
    });
}
