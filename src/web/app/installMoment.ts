import { visitsKey } from '../../shared/deviceNames';
import { stopAll } from '../browser/listen';
import { readJson, writeJson } from '../browser/storage';
import { createEvent } from '../browser/store';
import { outbox } from '../outbox/outbox';
import { session } from '../server/session';

/** When the install card may be shown. What is remembered is about this browser, not about a user. */
const minuteMs = 60_000;
const newVisitAfterMs = 30 * minuteMs;
const dayMs = 24 * 60 * minuteMs;
const refusedForMs = 30 * dayMs;

interface Visits {
  count: number;
  /** When this browser was last here. */
  seenAt: number;
  refusedAt?: number | undefined;
}

let visits: Visits | undefined;
let hasAdded = false;
const changed = createEvent();

export const installMoment = {
  get: (): boolean => {
    visits ??= countVisit();
    return (visits.count > 1 || hasAdded) && !isRecent(visits.refusedAt, refusedForMs);
  },

  /** Not now. */
  refuse: (): void => {
    visits = keep({ ...(visits ?? countVisit()), refusedAt: Date.now() });
    changed.tell();
  },

  /** @returns how to stop listening */
  subscribe: (listener: () => void): (() => void) =>
    stopAll(changed.subscribe(listener), outbox.subscribe(noticeAdded)),
};

function noticeAdded(): void {
  const userId = session.get()?.id;
  if (hasAdded || !userId) return;
  hasAdded = outbox.waiting(userId).some(({ operation }) => operation === 'addCartItem');
  if (hasAdded) changed.tell();
}

/** Pages opened within half an hour are one visit. */
function countVisit(): Visits {
  const before = readJson(visitsKey) as Visits | undefined;
  const isSame = before !== undefined && isRecent(before.seenAt, newVisitAfterMs);
  return keep({
    count: (before?.count ?? 0) + (isSame ? 0 : 1),
    seenAt: Date.now(),
    refusedAt: before?.refusedAt,
  });
}

/** A time in the future, after the clock was set back, counts as over. */
const isRecent = (at: number | undefined, ms: number) => at !== undefined && Date.now() >= at && Date.now() - at < ms;

/** Where nothing can be kept, every visit is the first one. */
function keep(next: Visits): Visits {
  writeJson(visitsKey, next);
  return next;
}
