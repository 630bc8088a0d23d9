import { ApiError, dutyByCode, isRejection } from '../server/errors';
import { type Answered, type Entry, visitor } from './entry';
import type { Operations } from './operation';
import { queuedFor, sealed } from './sealed';
import { findBatch, findSendable, isKnown, isOfOwner } from './sendable';
import type { Effect, Event, Outcome } from './steps';

/**
 * The outbox of one tab as pure state: `next(queue, event)` returns the next queue and the effects to run. sender.ts
 * runs them and reports each result as another event. Nothing here waits, reads a clock, or touches the device.
 *
 * A run does one step at a time, under a lock shared by all tabs: read the stored entries, delete answered ones, take
 * the first sendable one, check that the shop is reachable, mark the entry as sent, send it, cache its answer, take the
 * next. Deleting, marking and reading share one transaction, because each device access takes as long as a call to the
 * shop. Batched entries take each step together. A run ends when a read finds nothing left to send, or a step fails.
 */
export interface Queue {
  operations: Operations;
  /** The signed-in user, and whether the shop responded last time: both as of the event. */
  owner: string | undefined;
  isOnline: boolean;
  /** All users' entries in order, from the latest read; reads are numbered, and an older one is ignored. */
  stored: readonly Entry[];
  reads: number;
  lastRead: number;
  /** Keys of entries whose answer is in the cache, though the device may not have deleted them yet. */
  answered: ReadonlySet<string>;
  /** Changes made in this tab whose caller still waits for the outcome, by their original key. */
  made: ReadonlyMap<string, Made>;
  failures: number;
  lost: number; // see sendable.ts
  hasOfferedReload: boolean;
  /** A flush was requested during a run. It triggers only one more run: a closed page never gets the lock again. */
  isRequested: boolean;
  run: Run;
}

interface Made {
  /** The key of the entry with the change: an earlier entry's, when the two were merged. */
  key: string;
  /** The first read that includes it, and whether it outlives the page; undefined while it is being written. */
  firstRead?: number;
  isPersistent?: boolean;
}

/** The step that a run is waiting for. */
type Run =
  | { at: 'rest' | 'lock' | 'delete' | 'confirm' | 'probe' }
  | { at: 'read'; read: number }
  | { at: 'mark'; entries: readonly Entry[] }
  /** `old` contains the keys of entries that were sent before. */
  | { at: 'send'; entries: readonly Entry[]; old: ReadonlySet<string> }
  | { at: 'cache'; keys: ReadonlySet<string>; failed: Failed | undefined }
  | { at: 'refuse'; callers: readonly string[]; error: ApiError };

/** The first sent entry that wasn't done; those after it were not attempted. */
interface Failed {
  entry: Entry;
  error: unknown;
}

export const emptyQueue = (operations: Operations): Queue => ({
  operations,
  owner: undefined,
  isOnline: true,
  stored: [],
  reads: 0,
  lastRead: 0,
  answered: new Set(),
  made: new Map(),
  failures: 0,
  lost: 0,
  hasOfferedReload: false,
  isRequested: false,
  run: { at: 'rest' },
});

/** @returns the next queue; the given one is unchanged. Unexpected events change nothing */
export function next(queue: Readonly<Queue>, event: Event): { queue: Queue; effects: readonly Effect[] } {
  const turn = new Turn(queue);
  turn.take(event);
  return turn;
}

/** Processes one event: the methods modify this turn's copy of the queue and collect effects. */
class Turn {
  readonly effects: Effect[] = [];
  readonly queue: Queue & { answered: Set<string>; made: Map<string, Made> };

  constructor(queue: Readonly<Queue>) {
    this.queue = { ...queue, answered: new Set(queue.answered), made: new Map(queue.made) };
  }

  take(event: Event): void {
    const { run } = this.queue;
    switch (event.type) {
      case 'made':
        this.queue.made.set(event.entry.key, { key: event.entry.key });
        return this.#do({ type: 'write', entry: event.entry });
      case 'written':
        return this.#onWritten(event);
      case 'notWritten':
        return this.#settle([event.made], { error: event.error });
      case 'changed':
        return this.#onChanged();
      case 'heard':
        return event.message === 'changed' ? this.#read() : this.#do({ type: 'cache', answer: event.message });
      case 'read':
        return this.#onRead(event.read, event.entries);
      case 'asked':
        return this.#requestRun();
      case 'locked':
        if (run.at !== 'lock') return;
        this.queue.isRequested = false;
        return this.#readForRun();
      case 'stored':
        if (run.at === 'delete') return this.#takeNext();
        if (run.at !== 'refuse') return;
        this.#settle(run.callers, { error: run.error });
        this.#do({ type: 'tellOthers', message: 'changed' });
        return this.#readForRun();
      case 'reached':
        if (run.at === 'probe') return this.#tryLater(event.isOnline ? 'busy' : 'offline');
        if (run.at !== 'confirm') return;
        return event.isOnline ? this.#mark() : this.#tryLater('offline');
      case 'marked':
        return run.at === 'mark' ? this.#onMarked(run.entries, event) : undefined;
      case 'answered':
        return run.at === 'send' ? this.#onAnswered(run, event) : undefined;
      case 'cached':
        return this.#onCached(event.answer);
      case 'broke':
        return this.#onBroke();
      default:
        return event satisfies never;
    }
  }

  #do(effect: Effect): void {
    this.effects.push(effect);
  }

  #goTo(run: Run, effect: Effect): void {
    this.queue.run = run;
    this.#do(effect);
  }

  #onWritten({ made, key, isPersistent, mayGrow }: Extract<Event, { type: 'written' }>): void {
    const { made: all, reads } = this.queue;
    if (all.has(made)) all.set(made, { key, isPersistent, firstRead: reads + 1 }); // else another tab has sent it
    this.#onChanged();
    return mayGrow ? this.#do({ type: 'pause' }) : this.#requestRun();
  }

  #onChanged(): void {
    this.#read();
    this.#do({ type: 'tellOthers', message: 'changed' });
  }

  #read(): void {
    this.#do({ type: 'read', read: (this.queue.reads += 1) });
  }

  #onRead(read: number, entries: readonly Entry[] | undefined): void {
    const isOfRun = this.queue.run.at === 'read' && this.queue.run.read === read;
    if (entries) this.#storeRead(read, entries);
    if (isOfRun) return entries ? this.#deleteAnswered() : this.#tryLater('busy');
  }

  #storeRead(read: number, entries: readonly Entry[]): void {
    if (read < this.queue.lastRead) return;
    Object.assign(this.queue, { stored: entries, lastRead: read });
    this.#show();
    this.#settleFinished();
  }

  /** Settles the callers' promises, including changes that another tab has sent. */
  #settleFinished(): void {
    const { stored, lastRead, isOnline, made } = this.queue;
    for (const [each, { key, firstRead }] of made) {
      if (firstRead === undefined || lastRead < firstRead) continue; // this read started before it was written
      const entry = stored.find((other) => other.key === key);
      if (!entry) this.#settle([each], { sent: { queued: false } });
      else if (entry.reason) this.#settle([each], { error: new ApiError(409, entry.reason) });
    }
    if (!isOnline) this.#settleQueued('offline');
  }

  #show(): void {
    const { stored, owner, answered, hasOfferedReload } = this.queue;
    const open = stored.filter(({ key }) => !answered.has(key));
    const unknown = open.filter((entry) => !isKnown(this.queue, entry));
    this.#do({ type: 'show', entries: open.filter((entry) => isKnown(this.queue, entry)), unknown });
    if (hasOfferedReload || !unknown.some(({ userId }) => userId === visitor || userId === owner)) return;
    this.queue.hasOfferedReload = true;
    this.#do({ type: 'askToReload' });
  }

  #requestRun(): void {
    this.queue.isRequested = this.queue.run.at !== 'rest';
    if (!this.queue.isRequested) this.#goTo({ at: 'lock' }, { type: 'lock' });
  }

  #readForRun(): void {
    this.#read();
    this.queue.run = { at: 'read', read: this.queue.reads };
  }

  /**
   * An answered entry is deleted before the next one is sent, here or in the tab that takes over from a crashed one.
   * Otherwise it would be sent again later, after others: a removal that was rejected because its line was gone could
   * then find a line that has been added again.
   */
  #deleteAnswered(): void {
    const keys = this.#answeredKeys();
    if (keys.length > 0) this.#goTo({ at: 'delete' }, { type: 'remove', keys });
    else this.#takeNext();
  }

  #answeredKeys(): string[] {
    return this.queue.stored.map(({ key }) => key).filter((key) => this.queue.answered.has(key));
  }

  #takeNext(): void {
    const { sendable, blocked } = findSendable(this.queue);
    for (const { key } of blocked) this.#settle(this.#callersOf(key), { sent: queuedFor('busy') });
    if (sendable.length > 0) return this.#goTo({ at: 'confirm' }, { type: 'confirm' });
    // another tab may have added an entry that we haven't been notified of
    if (this.queue.run.at === 'cache') this.#readForRun();
    else this.#endRun();
  }

  #mark(): void {
    const entries = findBatch(this.queue);
    if (entries.length === 0) return this.#readForRun(); // discarded meanwhile
    const read = (this.queue.reads += 1);
    const keys = entries.map(({ key }) => key);
    this.#goTo({ at: 'mark', entries }, { type: 'markSent', keys, answered: this.#answeredKeys(), read });
  }

  #onMarked(marked: readonly Entry[], { read, entries }: Extract<Event, { type: 'marked' }>): void {
    this.#storeRead(read, entries);
    const keys = new Set(marked.map(({ key }) => key));
    const stored = entries.find(({ key }) => keys.has(key));
    if (!stored) return this.#readForRun();
    if (!isOfOwner(this.queue, stored)) return this.#stop(sealed());
    const batch = findBatch({ ...this.queue, stored: entries }); // an older read may have arrived since
    const others = batch.findIndex(({ key }) => !keys.has(key)); // added meanwhile
    const sending = others < 0 ? batch : batch.slice(0, others);
    const isAnsweredElsewhere = entries.some(({ key }) => this.queue.answered.has(key)); // by another tab, which crashed
    if (isAnsweredElsewhere || sending.length === 0) return this.#readForRun(); // or another tab put a retried entry in front
    const old = new Set(marked.filter(({ wasSent }) => wasSent).map(({ key }) => key));
    this.#goTo({ at: 'send', entries: sending, old }, { type: 'send', entries: sending });
  }

  /**
   * Answers go into the cache before their entries are deleted: a tab that crashes in between only repeats the call.
   */
  #onAnswered(
    { entries, old }: Extract<Run, { at: 'send' }>,
    { data, failed }: Extract<Event, { type: 'answered' }>,
  ): void {
    const done = entries.slice(0, data.length);
    const answers = done.map((entry, at) => ({ answered: entry, data: data[at], isOld: old.has(entry.key) }));
    const next = failed && entries[data.length];
    if (answers.length > 0) this.#cache(answers, next && { entry: next, ...failed });
    else if (next) this.#onFailed({ entry: next, ...failed });
  }

  #cache(answers: readonly Answered[], failed?: Failed): void {
    this.queue.run = { at: 'cache', keys: new Set(answers.map(({ answered }) => answered.key)), failed };
    for (const answer of answers) this.#do({ type: 'cache', answer });
  }

  #onCached(answer: Answered): void {
    const { run, answered } = this.queue;
    const { key } = answer.answered;
    answered.add(key);
    this.#show();
    this.#settle(this.#callersOf(key), { sent: { queued: false, data: answer.data } });
    if (run.at !== 'cache' || !run.keys.has(key)) return; // sent by another tab
    Object.assign(this.queue, { failures: 0, lost: 0 });
    this.#do({ type: 'tellOthers', message: answer });
    const keys = new Set([...run.keys].filter((other) => other !== key));
    if (keys.size > 0) this.queue.run = { ...run, keys };
    else if (run.failed) this.#onFailed(run.failed);
    else this.#takeNext();
  }

  #onFailed({ entry, error }: Failed): void {
    if (!(error instanceof ApiError)) return this.#goTo({ at: 'probe' }, { type: 'probe' });
    const definition = this.queue.operations[entry.operation];
    if (definition?.isDone?.(error)) return this.#cache([{ answered: entry, data: undefined, isOld: true }]);
    if (error.status === 401) return this.#stop(error);
    const callers = this.#callersOf(entry.key);
    // the form still has the text, and shows the error
    const isOwnedByForm = definition?.isOfForm === true && callers.length > 0 && error.status >= 400;
    const isFinal = isRejection(error) && !dutyByCode[error.code]; // an entry blocked by a duty can be sent later
    if (!isOwnedByForm && !isFinal) return this.#goTo({ at: 'probe' }, { type: 'probe' });
    // a read meanwhile must not mistake a deleted entry for a sent one
    for (const each of callers) this.queue.made.delete(each);
    const refuse: Effect = { type: 'refuse', key: entry.key, reason: { code: error.code, message: error.message } };
    this.#goTo({ at: 'refuse', callers, error }, isOwnedByForm ? { type: 'remove', keys: [entry.key] } : refuse);
  }

  /** The device may fail at any step; another tab may still have a working database, and send. */
  #onBroke(): void {
    const { run } = this.queue;
    if (run.at === 'rest') return;
    if (run.at === 'refuse') this.#settle(run.callers, { error: run.error });
    this.#tryLater('busy');
  }

  #tryLater(because: 'offline' | 'busy'): void {
    if (this.queue.run.at === 'probe') this.queue.lost += 1;
    this.#do({ type: 'later', failures: (this.queue.failures += 1) });
    this.#stop(because);
  }

  /** @param because an error when the session of the entry's user is over */
  #stop(because: 'offline' | 'busy' | ApiError): void {
    this.#settleQueued(because);
    this.#endRun();
  }

  #endRun(): void {
    this.#goTo({ at: 'rest' }, { type: 'unlock' });
    if (this.queue.isRequested) this.#requestRun();
  }

  #settleQueued(because: 'offline' | 'busy' | ApiError): void {
    for (const [each, { firstRead, isPersistent }] of this.queue.made) {
      if (firstRead === undefined) continue; // not stored yet
      if (because instanceof ApiError) this.#settle([each], { error: because });
      else this.#settle([each], { sent: queuedFor(isPersistent ? because : 'unkept') });
    }
  }

  /** @returns the keys of the changes whose callers wait for this entry */
  #callersOf(key: string): string[] {
    return [...this.queue.made].filter(([, each]) => each.key === key).map(([each]) => each);
  }

  #settle(made: readonly string[], outcome: Outcome): void {
    for (const each of made) {
      this.queue.made.delete(each);
      this.#do({ type: 'settle', made: each, outcome });
    }
  }
}
