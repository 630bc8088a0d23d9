/** When the install card may be shown. What is remembered is about this browser, not about a user. */
import { outbox } from '../offline/outbox';
import { session } from '../api/session';

const minuteMs = 60_000;
const newVisitAfterMs = 30 * minuteMs;
const dayMs = 24 * 60 * minuteMs;
const refusedForMs = 30 * dayMs;
const key = 'visits';

interface Visits {
  count: number;
  /** When this browser was last here. */
  seenAt: number;
  refusedAt?: number | undefined;
}

let visits: Visits | undefined;
let hasAdded = false;
const listeners = new Set<() => void>();

export const installMoment = {
  isNow: (): boolean => {
    visits ??= countVisit();
    return (visits.count > 1 || hasAdded) && !isRecent(visits.refusedAt, refusedForMs);
  },

  /** Not now. */
  refuse: (): void => {
    write({ ...(visits ?? countVisit()), refusedAt: Date.now() });
    for (const notify of listeners) notify();
  },

  /** @returns how to stop listening */
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    const stopWatching = outbox.subscribe(noticeAdded);
    return () => {
      listeners.delete(listener);
      stopWatching();
    };
  },
};

function noticeAdded(): void {
  const userId = session.get()?.id;
  if (hasAdded || !userId) return;
  hasAdded = outbox.waiting(userId).some(({ operation }) => operation === 'addCartItem');
  if (hasAdded) for (const notify of listeners) notify();
}

/** Pages opened within half an hour are one visit. */
function countVisit(): Visits {
  const before = read();
  const isSame = before !== undefined && isRecent(before.seenAt, newVisitAfterMs);
  return write({
    count: (before?.count ?? 0) + (isSame ? 0 : 1),
    seenAt: Date.now(),
    refusedAt: before?.refusedAt,
  });
}

/** A clock that was set back makes a time lie in the future: that one counts as over. */
const isRecent = (at: number | undefined, ms: number) => at !== undefined && Date.now() >= at && Date.now() - at < ms;

function read(): Visits | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined; // the browser keeps nothing, or something else wrote there
  }
}

function write(next: Visits): Visits {
  visits = next;
  try {
    localStorage.setItem(key, JSON.stringify(next));
  } catch {
    // then every visit is the first one
  }
  return next;
}
