import { visitsKey } from '../../shared/deviceNames';
import { stopAll } from '../browser/listen';
import { readJson, writeJson } from '../browser/storage';
import { createEvent } from '../browser/store';
import { outbox } from '../outbox/outbox';
import { session } from '../server/session';

/** Decides when the install card may appear. The state belongs to this browser, not to a user. */
const minuteMs = 60_000;
const newVisitAfterMs = 30 * minuteMs;
const dayMs = 24 * 60 * minuteMs;
const dismissedForMs = 30 * dayMs;

interface Visits {
  count: number;
  /** Time of the last visit with this browser. */
  seenAt: number;
  refusedAt?: number | undefined;
}

let visits: Visits | undefined;
let hasAdded = false;
const changed = createEvent();

export const installMoment = {
  get: (): boolean => {
    visits ??= countVisit();
    return (visits.count > 1 || hasAdded) && !isRecent(visits.refusedAt, dismissedForMs);
  },

  /** The user pressed "Not now". */
  dismiss: (): void => {
    visits = save({ ...(visits ?? countVisit()), refusedAt: Date.now() });
    changed.notify();
  },

  /** @returns a function that unsubscribes */
  subscribe: (listener: () => void): (() => void) =>
    stopAll(changed.subscribe(listener), outbox.subscribe(noticeAdded)),
};

function noticeAdded(): void {
  const userId = session.get()?.id;
  if (hasAdded || !userId) return;
  hasAdded = outbox.waiting(userId).some(({ operation }) => operation === 'addCartItem');
  if (hasAdded) changed.notify();
}

/** Pages opened within half an hour count as one visit. */
function countVisit(): Visits {
  const before = readJson(visitsKey) as Visits | undefined;
  const isSame = before !== undefined && isRecent(before.seenAt, newVisitAfterMs);
  return save({
    count: (before?.count ?? 0) + (isSame ? 0 : 1),
    seenAt: Date.now(),
    refusedAt: before?.refusedAt,
  });
}

/** A future time (the clock was set back) counts as expired. */
const isRecent = (at: number | undefined, ms: number) => at !== undefined && Date.now() >= at && Date.now() - at < ms;

/** Without storage every visit is the first one. */
function save(next: Visits): Visits {
  writeJson(visitsKey, next);
  return next;
}
