/**
 * Where the catalog's public answers are read from: the database, or its replica, if there is one.
 *
 * Promise: the same as that of the cached responses (http/cache). Nothing is read from the replica that this process has
 * changed, or was told of, until the replica shows it.
 * - Each change is remembered until the replica has replayed the database's log up to a place after it. An answer that one
 *   of them touches is read from the database: so what a change dropped is made anew from there.
 * - What is in an answer is known once it was read. So it is read from the replica first, and thrown away if touched.
 * - A changed fact touches everything. So does what may have been missed: at the start, after each time in which the
 *   database could not tell us about changes, with each new connection, and when the replica did not answer. That costs the
 *   caller one attempt, and nobody asks it again before it has caught up.
 * Asking the replica how old it is was the simpler way: while nothing is written it cannot know, and a second is too old
 * for whoever has just changed a price.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseOutOfReach, isTooManyWaiting } from '../db/core/errors';
import type { ChangeBus } from '../db/core/changeBus';
import { factsChange, type CatalogChange } from '../db/core/changes';
import { findPlace, type Replica } from '../db/replica';
import type { Db } from '../db/core/transact';

/** What a read gives: the body, and the products whose quantities are in it. */
export type Reading = { body: string; productIds: Iterable<string> };

/** Gives what `read` gives. @param read called once, or once more with the database itself */
export type CatalogReader = (read: (db: Db) => Promise<Reading>) => Promise<Reading>;

type Parts = { db: Db; replica?: Replica | undefined; bus: Pick<ChangeBus, 'connected' | 'on' | 'onConnected'> };
/** By what changed: which of all changes told so far it was, at last. */
type Changes = Map<CatalogChange, number>;

const turnMs = 100;
const retryAfterMs = 1_000;
const maxTurns = 50;
const maxRemembered = 10_000;

export function openCatalogReader({ db, replica, bus }: Parts): CatalogReader {
  if (!replica) return (read) => read(db);
  let told = 0;
  let notShown: Changes = new Map(); // replaced, never shortened: a reading looks at what it began with
  let isFollowing = false;

  const hear = (change: CatalogChange) => {
    if (notShown.size >= maxRemembered) notShown = new Map([[factsChange, ++told]]);
    notShown.set(change, ++told);
    if (!isFollowing) void follow(replica);
  };
  bus.on('catalog', hear);
  bus.onConnected(() => hear(factsChange));
  replica.onConnected(() => hear(factsChange));
  hear(factsChange);

  /** Until the replica shows every change; by turns, so that a busy shop asks about all changes of a moment at once. */
  async function follow(replica: Replica): Promise<void> {
    isFollowing = true;
    while (notShown.size > 0) {
      await wait(turnMs);
      const upTo = told;
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
      if (isTooManyWaiting(error)) throw error; // not to the database with them all
      if (isDatabaseOutOfReach(error)) hear(factsChange);
    }
    return read(db); // also what was not found there, and what the replica broke off to go on replaying
  };
}

/** @returns false when the replica is further behind than it is worth waiting for, or no replica */
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
