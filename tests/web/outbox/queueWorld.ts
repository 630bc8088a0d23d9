/**
 * A device with two tabs and a server, as small as the outbox's pure core allows: no clock, no promise, no database.
 * Every asynchronous step has two halves, the effect and its notification to the tab, and the plan decides whose half
 * is next, what goes wrong, and who dies in between.
 */
import type { Entry, NewEntry } from '../../../src/web/outbox/entry';
import { emptyQueue, next, type Queue } from '../../../src/web/outbox/queue';
import type { Effect, Event } from '../../../src/web/outbox/steps';
import { joinBy } from '../../../src/web/outbox/storage';
import { ApiError, type ErrorCode } from '../../../src/web/server/errors';
import { isKnown, madeEntry, type Name, newer, numbersOf, operations, withoutReason } from './queueOperations';

const isLost = ({ code }: ApiError) => code === 'no_connection';

/** The outcome of a half step, besides the normal one. */
export type Luck = 'well' | 'lostThere' | 'lostBack' | 'refused' | 'busy' | 'sealed' | 'duty' | 'gone' | 'breaks';

interface Pending {
  tab: Tab;
  effect: Effect;
  /** What the tab will be notified of, once the first half is done. */
  heard?: Event;
}

interface Tab {
  queue: Queue;
  cached: Set<string>;
  /** Who made what here and was not notified yet, by key. */
  makers: Map<string, number>;
  /** Operations that a newer version of the shop defines. */
  isNewer: boolean;
  asksToReload: number;
  /** Whether the shop was reachable when it was probed before sending. */
  isConfirmed: boolean;
}

export function createWorld(breaks: (effect: Effect) => Effect[] = (effect) => [effect]) {
  const join = joinBy(operations);
  const tabs = [newTab(), newTab()];
  const state = { owner: 'ana' as string | undefined, isOnline: true };
  let rows: Entry[] = [];
  let pending: Pending[] = [];
  let holder: Tab | undefined;
  let places = 0;
  let count = 0;
  /** Inputs that arrived, by the key under which the server applied them, in that order. */
  const done = new Map<string, Entry>();
  const sentAs = new Map<string, string>();
  const kept = new Set<number>();
  const givenUp = new Set<number>();
  const retried = new Set<string>();

  const claim = (isSo: boolean, what: string) => {
    if (!isSo) throw new Error(what);
  };
  const isDone = (number: number) => [...done.values()].some((entry) => numbersOf(entry).includes(number));

  function newTab(isNewer = false): Tab {
    const queue = emptyQueue(isNewer ? newer : operations);
    return { queue, cached: new Set(), makers: new Map(), isNewer, asksToReload: 0, isConfirmed: false };
  }

  function tell(tab: Tab, event: Event): void {
    const { queue, effects } = next({ ...tab.queue, ...state }, event);
    tab.queue = queue;
    for (const effect of effects.flatMap(breaks)) perform(tab, effect);
  }

  function perform(tab: Tab, effect: Effect): void {
    switch (effect.type) {
      case 'unlock':
        if (holder === tab) holder = undefined;
        return;
      case 'cache':
        tab.cached.add(effect.answer.answered.key);
        return tell(tab, { type: 'cached', answer: effect.answer });
      case 'tellOthers':
        return notifyTabs(effect, tab);
      case 'settle':
        return settle(tab, effect);
      case 'show':
        for (const entry of effect.entries) claim(tab.isNewer || isKnown(entry), 'what nobody here knows is shown');
        return;
      case 'askToReload':
        tab.asksToReload += 1;
        return claim(!tab.isNewer && tab.asksToReload === 1, 'it asks to be loaded again without need');
      case 'send': {
        claim(holder === tab, 'sent without the lock');
        claim(!rows.some((row) => tab.cached.has(row.key)), 'sent while an answered one was kept');
        claim(tab.isConfirmed, 'sent before the shop was asked whether it is there');
        tab.isConfirmed = false;
        const isBatch = effect.entries.length > 1;
        for (const entry of effect.entries) {
          const { key, userId, operation } = entry;
          claim(!isBatch || operation === 'count', `${operation} was sent in a batch`);
          claim(userId === effect.entries[0]?.userId, 'a batch of two users');
          claim(tab.isNewer || !heldUp(entry), `${key} is not for a tab of this version`);
          claim(userId === state.owner || userId === '', `sent for ${userId} while ${state.owner} is here`);
          const text = JSON.stringify(entry.input);
          claim((sentAs.get(key) ?? text) === text, `${key} was sent with another input than before`);
          sentAs.set(key, text);
          const row = rows.find((each) => each.key === key);
          claim(row === undefined || row.wasSent, `${key} was not marked`);
        }
        break;
      }
      case 'refuse': {
        const row = rows.find(({ key }) => key === effect.key);
        const isWaitedFor = row !== undefined && [...tab.makers.values()].some((each) => numbersOf(row).includes(each));
        claim(row?.operation !== 'message' || !isWaitedFor, 'what its form shows stays in the outbox as well');
        claim(effect.reason.code === 'not_enough_stock', `${effect.reason.code} was taken for the last word`);
        break;
      }
      case 'markSent':
        claimAnswered(tab, effect.answered);
        break;
      case 'remove': {
        const ofForm = rows.filter(({ operation }) => operation === 'message').map(({ key }) => key);
        const isFormsOwn = tab.queue.run.at === 'refuse' && effect.keys.every((key) => ofForm.includes(key));
        if (!isFormsOwn) claimAnswered(tab, effect.keys);
        break;
      }
      default:
    }
    pending.push({ tab, effect });
  }

  function notifyTabs(effect: Extract<Effect, { type: 'tellOthers' }>, from?: Tab): void {
    for (const tab of tabs)
      if (tab !== from) pending.push({ tab, effect, heard: { type: 'heard', message: effect.message } });
  }

  function claimAnswered(tab: Tab, keys: readonly string[]): void {
    const isCached = keys.every((key) => tab.cached.has(key));
    claim(isCached, `${keys.join()} was removed before its answer was kept`);
  }

  function settle(tab: Tab, { made, outcome }: Extract<Effect, { type: 'settle' }>): void {
    const number = tab.makers.get(made);
    claim(number !== undefined, `the maker of ${made} was told twice`);
    if (number === undefined) return;
    tab.makers.delete(made);
    if ('error' in outcome) return;
    const isKept = rows.some((row) => numbersOf(row).includes(number));
    if (outcome.sent.queued) claim(isKept || isDone(number) || givenUp.has(number), `${number} does not wait`);
    else claim(isDone(number) || givenUp.has(number), `${number} is not done, though its maker heard so`);
  }

  /** The effect; the tab is notified later, if it lives. */
  function happen({ tab, effect }: Pending, luck: Luck): Event | 'nothing' {
    if (luck === 'breaks' && ['read', 'markSent', 'remove', 'refuse'].includes(effect.type))
      return effect.type === 'read' ? { type: 'read', read: effect.read } : { type: 'broke' };
    switch (effect.type) {
      case 'write':
        return write(effect.entry);
      case 'read':
        return { type: 'read', read: effect.read, entries: rows };
      case 'markSent':
        remove(effect.answered);
        for (const key of effect.keys) change(key, (entry) => ({ ...entry, wasSent: true }));
        return { type: 'marked', read: effect.read, entries: rows };
      case 'remove':
        remove(effect.keys);
        return { type: 'stored' };
      case 'refuse':
        change(effect.key, (entry) => ({ ...entry, state: 'refused', reason: effect.reason }));
        return { type: 'stored' };
      case 'confirm':
      case 'probe':
        tab.isConfirmed = effect.type === 'confirm' && state.isOnline;
        return { type: 'reached', isOnline: state.isOnline };
      case 'send':
        return arriveAll(effect.entries, luck);
      case 'later':
      case 'pause':
        return { type: 'asked' };
      case 'lock':
        if (holder) return 'nothing';
        holder = tab;
        return { type: 'locked' };
      default:
        throw new Error(`${effect.type} takes no time`);
    }
  }

  function remove(keys: readonly string[]): void {
    for (const row of rows)
      if (keys.includes(row.key) && !done.has(row.key)) for (const each of numbersOf(row)) givenUp.add(each);
    rows = rows.filter(({ key }) => !keys.includes(key));
  }

  function write(entry: NewEntry): Event {
    const made = entry.key;
    if (entry.userId !== '' && entry.userId !== state.owner)
      return { type: 'notWritten', made, error: new ApiError(401, {}) };
    for (const number of numbersOf(entry)) kept.add(number);
    const last = rows.findLast(({ userId }) => userId === entry.userId);
    const joined = last && join(last, entry);
    if (joined) change(joined.key, () => joined);
    else rows = [...rows, { ...entry, order: (places += 1) }];
    return { type: 'written', made, key: joined?.key ?? made, isPersistent: true, mayGrow: count % 3 === 0 };
  }

  /** The server applies one after the other, until one is rejected; the fault hits one midway, or the call. */
  function arriveAll(entries: readonly Entry[], luck: Luck): Event {
    const ofCall: Partial<Record<Luck, number>> = { lostThere: 0, sealed: 0, lostBack: entries.length - 1 };
    const unlucky = ofCall[luck] ?? entries.length >> 1;
    const data: unknown[] = [];
    for (const [place, entry] of entries.entries()) {
      const error = arrive(entry, place === unlucky ? luck : 'well');
      if (error) return { type: 'answered', data: isLost(error) ? [] : data, failed: { error } };
      data.push(entry.key);
    }
    return { type: 'answered', data };
  }

  /** The server applies each key once, and a rejection leaves no trace. */
  function arrive(entry: Entry, luck: Luck): ApiError | undefined {
    const failed = (status: number, code: ErrorCode) => new ApiError(status, { code });
    if (luck === 'lostThere' || !state.isOnline) return failed(0, 'no_connection');
    if (luck === 'sealed' && entry.userId !== '') {
      become({ owner: undefined });
      return failed(401, 'session_ended');
    }
    if (!done.has(entry.key)) {
      if (luck === 'refused') return failed(409, 'not_enough_stock');
      if (luck === 'busy') return failed(503, 'unavailable');
      if (luck === 'duty') return failed(403, 'password_change_required');
      for (const number of numbersOf(entry)) claim(!isDone(number), `${number} was done under two keys`);
      const before = [...done.values()].filter(({ userId, key }) => userId === entry.userId && !retried.has(key));
      claim(
        retried.has(entry.key) || before.every(({ order }) => order < entry.order),
        `${entry.key} overtook another`,
      );
      done.set(entry.key, entry);
      if (luck === 'gone' && entry.operation === 'remove') return failed(404, 'cart_item_not_found');
    }
    if (luck === 'lostBack') return failed(0, 'no_connection');
    return undefined;
  }

  function change(key: string, to: (entry: Entry) => Entry): void {
    rows = rows.map((entry) => (entry.key === key ? to(entry) : entry));
  }

  function step(place: number, luck: Luck): boolean {
    const each = pending[place % Math.max(1, pending.length)];
    if (!each) return false;
    if (each.heard) {
      pending = pending.filter((other) => other !== each);
      tell(each.tab, each.heard);
      return true;
    }
    const heard = happen(each, luck);
    if (heard === 'nothing') return false;
    each.heard = heard;
    return true;
  }

  /** A user signs in or out, or the connection comes or goes: the tabs are notified, and check. */
  function become(change: Partial<typeof state>): void {
    Object.assign(state, change);
    for (const tab of tabs) tell(tab, { type: 'asked' });
  }

  const heldUp = ({ userId, order }: Entry) =>
    rows.some((row) => row.userId === userId && row.order <= order && row.state === 'waiting' && !isKnown(row));

  /** Until nothing is left to do; without a connection retries would never end. */
  function drain(): void {
    for (let steps = 0; ; steps += 1) {
      claim(steps < 10_000, 'it never comes to rest');
      const isOpen = ({ effect }: Pending) => state.isOnline || effect.type !== 'later';
      const stepped = pending.some((each, place) => isOpen(each) && step(place, 'well'));
      if (!stepped) return;
    }
  }

  const mayBeSent = (entry: Entry) =>
    entry.state === 'waiting' && (entry.userId === '' || entry.userId === state.owner) && !heldUp(entry);

  return {
    step,
    make(place: number, operation: Name, isVisitor: boolean): void {
      const tab = tabs[place]!;
      const userId = isVisitor && operation === 'message' ? '' : state.owner;
      if (userId === undefined) return;
      count += 1;
      const entry = madeEntry(count, userId, operation);
      tab.makers.set(entry.key, count);
      tell(tab, { type: 'made', entry });
    },
    /** A tab with a newer version of the shop was here. */
    keepNewer(userId: string): void {
      count += 1;
      kept.add(count);
      rows = [...rows, { ...madeEntry(count, userId, 'later'), order: (places += 1) }];
      notifyTabs({ type: 'tellOthers', message: 'changed' });
    },
    ask: (place: number) => tell(tabs[place]!, { type: 'asked' }),
    become,
    /** The tab is gone, with its pending work; what it sent may be on its way. */
    die(place: number, isNewer = false): void {
      const tab = tabs[place]!;
      pending = pending.filter((each) => each.tab !== tab);
      if (holder === tab) holder = undefined;
      tabs[place] = newTab(isNewer);
      tell(tabs[place], { type: 'asked' });
    },
    /** The user answers the first rejection. */
    decide(place: number, isRetry: boolean): void {
      const refused = rows.find((each) => each.state === 'refused' && each.userId === state.owner);
      if (!refused) return;
      retried.add(refused.key);
      if (isRetry) {
        change(refused.key, withoutReason);
      } else {
        for (const number of numbersOf(refused)) givenUp.add(number);
        rows = rows.filter((each) => each !== refused);
      }
      tell(tabs[place]!, { type: 'changed' });
      if (isRetry) tell(tabs[place]!, { type: 'asked' });
    },
    /** No more faults from here on. @throws when something is lost, or a user waits forever */
    settle(): void {
      drain(); // not triggered by a user: failures are retried by themselves
      claim(!state.isOnline || !rows.some(mayBeSent), `nobody came back for ${JSON.stringify(rows.filter(mayBeSent))}`);
      for (const owner of ['ana', 'ben']) {
        become({ owner, isOnline: true });
        drain();
      }
      for (const tab of tabs) claim(tab.makers.size === 0, `nobody told ${JSON.stringify([...tab.makers])}`);
      for (const row of rows) claim(row.state === 'refused' || heldUp(row), `${row.key} is left`);
      for (const place of [0, 1]) this.die(place, true); // both are reloaded
      for (const owner of ['ana', 'ben']) {
        become({ owner });
        drain();
      }
      claim(
        rows.every((row) => row.state === 'refused'),
        `left: ${JSON.stringify(rows)}`,
      );
      for (const number of kept) {
        const isRefused = rows.some((row) => numbersOf(row).includes(number));
        claim(isDone(number) || isRefused || givenUp.has(number), `${number} is lost`);
      }
    },
  };
}
