/**
 * What was made from the database, kept until the database says something else: catalog answers, pages, settings.
 *
 * Promise: nobody gets a value that is older than a change which this process was told of before it was asked for.
 * - A change drops what it touches.
 * - A value whose making began before a change must not be kept after it. So each making collects the changes told
 *   meanwhile, and its value is kept only when none of them touches it. (One counter for all changes was the simpler way:
 *   while anything sells, it would keep nothing.)
 * - Requests for what is being made already wait for the same making, but only while no change came in between. A making
 *   that was told to come back, as part of the call that began it, is begun again by one of those who wait: otherwise
 *   whoever asks too much would be refused in the name of all.
 * - While changes of other processes cannot be heard nothing kept is used; once they can again, everything is dropped.
 */
import { LRUCache } from 'lru-cache';
import type { ChangeBus } from '../../db/core/changeBus';
import { isTooManyWaiting } from '../../db/core/errors';
import { wasRefused } from '../../db/core/fairPool';

/** @typeParam Made what a making gives: a value, or also `undefined`, of which nothing is kept */
export type ChangeCache<Value, Made extends Value | undefined = Value> = {
  /** What is kept under `key`, if it may be used now. */
  find: (key: string) => Value | undefined;
  /**
   * What is kept under `key`, at once, or a new value.
   * @param make called when nothing can be used; what it throws is thrown and not kept
   */
  get: (key: string, make: () => Promise<Made>) => Value | Promise<Value | Made>;
  /** A change drops the values that it touches. */
  drop: (change: string) => void;
  dropAll: () => void;
};

type Options<Value> = {
  max: number;
  maxTotalBytes?: number;
  bytesOf?: (value: Value) => number;
  /** Whether the value may be another one after the change. */
  touches: (change: string, value: Value) => boolean;
};
type Making = { changes: Set<string>; isStale: boolean; wasRefused: boolean };

export function createChangeCache<Value extends object, Made extends Value | undefined = Value>(
  bus: Pick<ChangeBus, 'connected' | 'onConnected'>,
  { max, maxTotalBytes, bytesOf, touches }: Options<Value>,
): ChangeCache<Value, Made> {
  const cache = new LRUCache<string, Value>({
    max,
    ...(maxTotalBytes && bytesOf && { maxSize: maxTotalBytes, sizeCalculation: bytesOf }),
  });
  const inFlight = new Map<string, { making: Making; made: Promise<Made> }>(); // the newest making of each key

  function drop(change: string): void {
    for (const { making } of inFlight.values()) making.changes.add(change);
    for (const [key, value] of cache.entries()) if (touches(change, value)) cache.delete(key);
  }

  function dropAll(): void {
    for (const { making } of inFlight.values()) making.isStale = true;
    cache.clear();
  }
  bus.onConnected(dropAll);

  const find = (key: string): Value | undefined => (bus.connected ? cache.get(key) : undefined);

  function begin(key: string, make: () => Promise<Made>): Promise<Made> {
    const making: Making = { changes: new Set(), isStale: false, wasRefused: false };
    const made = finish(key, make, making);
    inFlight.set(key, { making, made });
    return made;
  }

  async function finish(key: string, make: () => Promise<Made>, making: Making): Promise<Made> {
    // a later making of the same key takes over because of a change: its value will be the one to keep
    const isNewest = () => inFlight.get(key)?.making === making;
    try {
      const value = await make();
      const isAsMade = !making.isStale && ![...making.changes].some((change) => value && touches(change, value));
      if (value && bus.connected && isNewest() && isAsMade) cache.set(key, value);
      return value;
    } catch (error) {
      making.wasRefused = isTooManyWaiting(error) || wasRefused(); // a page says of it only that it could not be drawn
      throw error;
    } finally {
      if (isNewest()) inFlight.delete(key);
    }
  }

  function get(key: string, make: () => Promise<Made>): Value | Promise<Value | Made> {
    const ready = find(key);
    if (ready) return ready;
    const running = bus.connected ? inFlight.get(key) : undefined;
    const isCurrent = running && !running.making.isStale && running.making.changes.size === 0;
    if (!isCurrent) return begin(key, make);
    return running.made.catch((error: unknown) => {
      if (!running.making.wasRefused) throw error;
      return get(key, make); // its own making, or that of who asked next
    });
  }

  return { find, drop, dropAll, get };
}
