import type { Store } from './store';

/** The provider's clock: the given one plus an offset that tests set. The offset survives a restart. */
export type Clock = {
  nowMs(): number;
  /** Unix seconds, as on the wire. */
  seconds(): number;
  advance(byMs: number): void;
};

export function createClock(store: Store, now: () => Date): Clock {
  const nowMs = () => now().getTime() + store.clockOffsetMs();
  return {
    nowMs,
    seconds: () => Math.floor(nowMs() / 1000),
    advance: (byMs) => store.transact(() => store.setClockOffset(store.clockOffsetMs() + byMs)),
  };
}
