/**
 * Reads the catalog's public responses from the database, or from its replica if there is one.
 *
 * Guarantee: the same as for cached responses (http/cache). Data that this process has changed, or was notified of, is not
 * read from the replica until the replica shows the change.
 * - Each change is remembered until the replica has replayed the log up to a position after it. A response touched by such a
 *   change is read from the database, so a response dropped by a change is rebuilt from there.
 * - The content of a response is only known after reading. So the replica is read first, and the result discarded if touched.
 * - A changed fact touches everything. So does a possible gap: at startup, after the database's notifications were
 *   interrupted, with each new replica connection, and when the replica did not respond. That costs the caller one attempt,
 *   and the replica is not used again until it has caught up.
 * Asking the replica for its lag would be simpler, but it cannot know its lag while nothing is written, and even one second
 * is too stale for a user who has just changed a price.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseOutOfReach, isTooManyWaiting } from '../db/core/errors';
import type { ChangeBus } from '../db/core/changeBus';
import { factsChange, type CatalogChange } from '../db/core/changes';
import { findPlace, type Replica } from '../db/replica';
import type { Db } from '../db/core/transact';

/** The result of a read: the body, the products whose quantities it contains, and the lists of cards that it shows. */
export type Reading = { body: string; productIds: Iterable<string> };

/** Returns the result of `read`. @param read called once, and possibly again with the primary database */
export type CatalogReader = (read: (db: Db) => Promise<Reading>) => Promise<Reading>;

type Parts = { db: Db; replica?: Replica | undefined; bus: Pick<ChangeBus, 'connected' | 'on' | 'onConnected'> };
/** The sequence number of the latest notification for each change. */
type Changes = Map<CatalogChange, number>;

const turnMs = 100;
const retryAfterMs = 1_000;
const maxTurns = 50;
const maxRemembered = 10_000;

export function openCatalogReader({ db, replica, bus }: Parts): CatalogReader {
  if (!replica) return (read) => read(db);
  let notifiedCount = 0;
  let notShown: Changes = new Map(); // replaced, never mutated: a read compares with the map it started with
  let isFollowing = false;

  const noteChange = (change: CatalogChange) => {
    if (notShown.size >= maxRemembered) notShown = new Map([[factsChange, ++notifiedCount]]);
    notShown.set(change, ++notifiedCount);
    if (!isFollowing) void follow(replica);
  };
  bus.on('catalog', noteChange);
  bus.onConnected(() => noteChange(factsChange));
  replica.onConnected(() => noteChange(factsChange));
  noteChange(factsChange);

  /** Polls until the replica shows every change, checking all changes of an interval together. */
  async function follow(replica: Replica): Promise<void> {
    isFollowing = true;
    while (notShown.size > 0) {
      await wait(turnMs);
      const upTo = notifiedCount;
      const isShown = await catchUp(db, replica).catch(() => false);
      if (isShown) notShown = new Map([...notShown].filter(([, number]) => number > upTo));
      else await wait(retryAfterMs);
    }
    isFollowing = false;
  }

  return async (read) => {
    if (!bus.connected || notShown.has(factsChange)) return read(db);
    const before = notShown;
    try {
      const found = await read(replica.db);
      if (bus.connected && !isTouched(found, before) && !isTouched(found, notShown)) return found;
    } catch (error) {
      if (isTooManyWaiting(error)) throw error; // the primary must not get this load too
      if (isDatabaseOutOfReach(error)) noteChange(factsChange);
    }
    return read(db); // also if not found on the replica, or if the replica canceled the query to continue replaying
  };
}

/** @returns false when the replica is too far behind to wait for, or is not a replica */
async function catchUp(db: Db, { hasReplayed }: Replica): Promise<boolean> {
  const place = await findPlace(db);
  for (let turn = 0; turn < maxTurns; turn++) {
    if (await hasReplayed(place)) return true;
    await wait(turnMs);
  }
  return false;
}

const wait = (ms: number) => pause(ms, undefined, { ref: false });

function isTouched({ productIds }: Reading, changes: Changes): boolean {
  const ids = new Set(productIds);
  return [...changes.keys()].some((change) => change === factsChange || ids.has(change));
}
