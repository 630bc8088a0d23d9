/**
 * Finds the events whose webhook did not arrive. Every minute the shop reads the provider's list from where it ended the
 * last time, less five minutes, and takes what it does not know yet, as if the webhook had told of it.
 *
 * The position is a time by the provider's clock: that of the newest event that was taken. It moves on only when the whole
 * list was read and each of its events was taken, so what a failure left out is in the next list again. What is read
 * twice, or by two processes, has one effect, since an event's id is stored in the transaction of its effect.
 */
import { asc, inArray, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { paymentEvents, paymentEventsCursor, paymentSessions } from '../db/schema/tables';
import type { Db } from '../db/core/transact';
import { describeFailure } from '../db/core/loggedErrors';
import { receiveEvent } from './events';
import { workThrough } from './concurrencyLimits';
import type { PaymentParts } from './provider';
import type { ProviderEvent } from './providerEvents';

const minuteMs = 60_000;
/** Clocks differ by as much, and an event may come into the list later than it was made. */
const marginMs = 5 * minuteMs;
/**
 * An event that always fails holds the position back for an hour at most, or the list would grow without end. The payment
 * that it tells of is asked about when its session ends.
 */
const waitsForFailedMs = 60 * minuteMs;

/** Takes the events since the last time. A failure is logged and left for the next minute. */
export async function takeMissedEvents(parts: PaymentParts, logger: Logger): Promise<void> {
  const now = parts.clock.now();
  const since = new Date((await findPosition(parts.db, now)) - marginMs);
  const { takenUntil } = await takeEvents(parts, since, logger);
  if (takenUntil !== undefined) await movePosition(parts.db, takenUntil, now);
}

/** Clocks differ, and an event that was on its way at that moment has an earlier time. */
const restoreMarginMs = 60 * minuteMs;

/**
 * Asks the provider for what it told while nobody listened, or told a shop that is no more: the job that restoring a
 * backup leaves behind. Orders that only the former shop knew are alarms then, each with its payment.
 * @throws when the provider or the database is out of reach, for the queue to try again later
 * Rule: docs/rules/running.md, Backup and restore
 */
export async function fetchEvents(parts: PaymentParts, since: Date, logger: Logger): Promise<void> {
  const { isAll } = await takeEvents(parts, new Date(since.getTime() - restoreMarginMs), logger);
  if (!isAll) throw new Error('not all events of the payment provider could be taken');
}

type Taken = { isAll: boolean; takenUntil: Date | undefined };

/** Page by page, the newest first: of a list that is longer than the time of this process the next one takes less. */
async function takeEvents(parts: PaymentParts, since: Date, logger: Logger): Promise<Taken> {
  const missed: ProviderEvent[] = [];
  let newest: Date | undefined;
  let isWhole = true;
  try {
    for await (const page of parts.payments.listEvents(since)) {
      newest ??= page[0]?.createdAt;
      missed.push(...(await takePage(parts, page, logger)));
    }
  } catch (error) {
    isWhole = false; // what did come is taken all the same
    logger.warn({ failure: describeFailure(error) }, 'the events of the payment provider could not be listed');
  }
  const takenUntil = isWhole && newest ? reachedBy(newest, missed) : undefined;
  return { isAll: isWhole && missed.length === 0, takenUntil };
}

/** @returns those that could not be taken */
async function takePage(parts: PaymentParts, page: ProviderEvent[], logger: Logger): Promise<ProviderEvent[]> {
  const unknown = await withoutKnown(parts.db, page);
  const { missed } = await workThrough(
    unknown.toReversed(), // the oldest first
    (event) => receiveEvent(parts, event),
    ({ id, orderId }, error) =>
      logger.warn({ failure: describeFailure(error), event: id, orderId }, 'an event could not be taken'),
  );
  return missed;
}

function reachedBy(newest: Date, missed: readonly ProviderEvent[]): Date {
  const times = missed.map(({ createdAt }) => createdAt?.getTime() ?? newest.getTime());
  const oldestMissed = Math.min(newest.getTime(), ...times);
  return new Date(Math.max(oldestMissed, newest.getTime() - waitsForFailedMs));
}

async function withoutKnown(db: Db, page: ProviderEvent[]): Promise<ProviderEvent[]> {
  const ids = page.map(({ id }) => id);
  const known = await db.select({ id: paymentEvents.id }).from(paymentEvents).where(inArray(paymentEvents.id, ids));
  const knownIds = new Set(known.map(({ id }) => id));
  return page.filter(({ id }) => !knownIds.has(id));
}

/** Without a position, or with one that a wrong clock left in the future, from the oldest payment that is open. */
async function findPosition(db: Db, now: Date): Promise<number> {
  const [kept] = await db.select().from(paymentEventsCursor);
  if (kept && kept.takenUntil.getTime() <= now.getTime() + marginMs) return kept.takenUntil.getTime();
  const [oldest] = await db
    .select({ createdAt: paymentSessions.createdAt })
    .from(paymentSessions)
    .where(inArray(paymentSessions.state, ['creating', 'open']))
    .orderBy(asc(paymentSessions.createdAt))
    .limit(1);
  return Math.min(oldest?.createdAt.getTime() ?? Infinity, now.getTime());
}

/** Another process may have moved it further meanwhile: it only moves on, except from the future. */
async function movePosition(db: Db, takenUntil: Date, now: Date): Promise<void> {
  const latest = new Date(now.getTime() + marginMs);
  const { takenUntil: kept } = paymentEventsCursor;
  await db
    .insert(paymentEventsCursor)
    .values({ takenUntil })
    .onConflictDoUpdate({
      target: paymentEventsCursor.only,
      set: { takenUntil },
      setWhere: sql`${kept} < excluded.taken_until or ${kept} > ${latest.toISOString()}::timestamptz`,
    });
}
