/**
 * Caches values built from the database (catalog responses, pages, settings) until a change invalidates them.
 *
 * Guarantee: a caller never gets a value older than a change this process was notified of before the call.
 * - A change drops the values it touches.
 * - A value whose build started before a change must not be cached after it. So each build in flight collects the changes
 *   that arrive meanwhile, and its value is cached only if none of them touches it. (A single counter for all changes would
 *   be simpler, but would cache nothing while anything sells.)
 * - Requests for a value that is being built share that build, unless a change arrived since it started. If the build was
 *   rejected because its caller had too many calls waiting, one of the other requests starts it again: one caller's limit
 *   must not reject the others.
 * - While notifications from other processes cannot be received, nothing cached is used. On reconnect everything is dropped.
 */
import { LRUCache } from 'lru-cache';
import type { ChangeBus } from '../../db/core/changeBus';
import { isTooManyWaiting } from '../../db/core/errors';
import { wasRefused } from '../../db/core/fairPool';

/** @typeParam Made the result of a build: a value, or `undefined`, which is not cached */
export type ChangeCache<Value, Made extends Value | undefined = Value> = {
  /** The cached value, if it may be used now. */
  find: (key: string) => Value | undefined;
  /**
   * The cached value, synchronously, or a new one.
   * @param make called on a miss; its errors are thrown and not cached
   */
  get: (key: string, make: () => Promise<Made>) => Value | Promise<Value | Made>;
  /** Drops the values that the change touches. */
  drop: (change: string) => void;
  dropAll: () => void;
};

type Options<Value> = {
  max: number;
  maxTotalBytes?: number;
  bytesOf?: (value: Value) => number;
  /** Whether the change may affect the value. */
  touches: (change: string, value: Value) => boolean;
};
type PendingBuild = { changes: Set<string>; isStale: boolean; wasRefused: boolean };

export function createChangeCache<Value extends object, Made extends Value | undefined = Value>(
  bus: Pick<ChangeBus, 'connected' | 'onConnected'>,
  { max, maxTotalBytes, bytesOf, touches }: Options<Value>,
): ChangeCache<Value, Made> {
  const cache = new LRUCache<string, Value>({
    max,
    ...(maxTotalBytes && bytesOf && { maxSize: maxTotalBytes, sizeCalculation: bytesOf }),
  });
  const inFlight = new Map<string, { pending: PendingBuild; made: Promise<Made> }>(); // the newest build of each key

  function drop(change: string): void {
    for (const { pending: making } of inFlight.values()) making.changes.add(change);
    for (const [key, value] of cache.entries()) if (touches(change, value)) cache.delete(key);
  }

  function dropAll(): void {
    for (const { pending: making } of inFlight.values()) making.isStale = true;
    cache.clear();
  }
  bus.onConnected(dropAll);

  const find = (key: string): Value | undefined => (bus.connected ? cache.get(key) : undefined);

  function begin(key: string, make: () => Promise<Made>): Promise<Made> {
    const pending: PendingBuild = { changes: new Set(), isStale: false, wasRefused: false };
    const made = finish(key, make, pending);
    inFlight.set(key, { pending, made });
    return made;
  }

  async function finish(key: string, make: () => Promise<Made>, pending: PendingBuild): Promise<Made> {
    // after a change, a newer build of the same key takes over, and only its value is cached
    const isNewest = () => inFlight.get(key)?.pending === pending;
    try {
      const value = await make();
      const isAsMade = !pending.isStale && ![...pending.changes].some((change) => value && touches(change, value));
      if (value && bus.connected && isNewest() && isAsMade) cache.set(key, value);
      return value;
    } catch (error) {
      pending.wasRefused = isTooManyWaiting(error) || wasRefused(); // a page's error only says that rendering failed
      throw error;
    } finally {
      if (isNewest()) inFlight.delete(key);
    }
  }

  function get(key: string, make: () => Promise<Made>): Value | Promise<Value | Made> {
    const ready = find(key);
    if (ready) return ready;
    const running = bus.connected ? inFlight.get(key) : undefined;
    const isCurrent = running && !running.pending.isStale && running.pending.changes.size === 0;
    if (!isCurrent) return begin(key, make);
    return running.made.catch((error: unknown) => {
      if (!running.pending.wasRefused) throw error;
      return get(key, make); // starts a new build, or joins one that another request started
    });
  }

  return { find, drop, dropAll, get };
}
