import type { Logger } from 'pino';
import { describeFailure } from '../failures';
import { receiveEvent } from './events';
import type { FinaliserParts } from './finaliser';

/** Clocks differ, and an event that was on its way at that moment has an earlier time; what is known is not done again. */
const marginMs = 3_600_000;

/**
 * Asks the provider for what it told while nobody listened, or told a shop that is no more: the job that restoring a
 * backup leaves behind. Orders that only the former shop knew are alarms then, each with its payment.
 * @throws when the provider or the database is out of reach, for the queue to try again later
 * Source: reliability A15
 */
export async function fetchEvents(parts: FinaliserParts, since: Date, logger: Logger): Promise<void> {
  const events = await parts.payments.listEvents(new Date(since.getTime() - marginMs));
  let failed: unknown;
  for (const event of events) {
    try {
      await receiveEvent(parts, event);
    } catch (error) {
      failed = error; // the others are not to wait for this one
      logger.warn({ failure: describeFailure(error), event: event.id }, 'an event could not be taken');
    }
  }
  if (failed !== undefined) throw new Error('not all events of the payment provider could be taken');
}
