import { retryAfterMs } from '../browser/backoff';
import type { Answered, Entry, NewEntry, OutboxMessage } from './entry';
import type { AnyInput, Operations, Sent } from './operation';
import { emptyQueue, next, type Queue } from './queue';
import type { Effect, Event, Outcome } from './steps';
import type { OutboxStorage } from './storage';

/** The outbox's effects; tests replace them and inject faults. */
export interface OutboxParts {
  operations: Operations;
  storage: OutboxStorage;
  /**
   * Sends several entries in order. @returns a promise for each; those after a failed one may not have been attempted
   */
  send: (entries: readonly Entry[]) => readonly Promise<unknown>[];
  lock: (work: () => Promise<void>) => Promise<void>;
  owner: () => string | undefined;
  cache: (answer: Answered) => void;
  notifyOthers: (message: OutboxMessage) => void;
  isOnline: () => boolean;
  probe: () => Promise<boolean>;
  /** Like `probe`, but a recent response is enough. */
  confirm: () => Promise<boolean>;
  later: (work: () => void, ms: number) => void;
  /** Calls it once no other press has followed for a moment. */
  pause: (work: () => void) => void;
  /** @param unknown a newer version's entries, which are only counted */
  show: (entries: readonly Entry[], unknown: readonly Entry[]) => unknown;
  offerReload: () => void;
}

interface SendOptions {
  /** Called when the entry is stored on the device. */
  onStored?: () => void;
  mayGrow?: boolean;
}

/** A longer send, or waiting for another tab, doesn't delay reads any further. */
const maxRestMs = 1000;

/** Runs one tab's outbox: performs the effects from queue.ts and reports the results back as events. */
export class Sender {
  readonly #parts: OutboxParts;
  readonly #callers = new Map<string, SendOptions & { notify: (outcome: Outcome) => void }>();
  readonly #idleListeners: (() => void)[] = [];
  #queue: Queue;
  #unlock = (): void => undefined;
  #delivery = Promise.resolve();
  #lastRead = Promise.resolve();

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#queue = emptyQueue(parts.operations);
  }

  send = (entry: NewEntry, options: SendOptions = {}): Promise<Sent> =>
    new Promise((resolve, reject) => {
      const notify = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.sent));
      this.#callers.set(entry.key, { ...options, notify });
      this.#dispatch({ type: 'made', entry });
    });

  flush = (): Promise<void> => {
    const whenIdle = this.#untilIdle();
    this.#dispatch({ type: 'asked' });
    return whenIdle;
  };

  rested = async (): Promise<void> => {
    if (!this.isSending()) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxRestMs)));
    await Promise.race([this.#untilIdle(), timeout]);
    clearTimeout(timer);
  };

  hear = (message: OutboxMessage): void => this.#dispatch({ type: 'heard', message });

  reload = (): Promise<void> => {
    this.hear('changed');
    return this.#lastRead;
  };

  settled = (): Promise<void> => this.#delivery;

  retry = async (key: string): Promise<void> => {
    await this.#change(this.#parts.storage.change(key, { state: 'waiting', reason: undefined }));
    await this.flush();
  };

  discard = (key: string): Promise<void> => this.#change(this.#parts.storage.remove([key]));

  undo = async (key: string, input: AnyInput): Promise<boolean> => {
    const removing = this.#parts.storage.removeUnsent(key, input);
    await this.#change(removing);
    return removing;
  };

  forget = (userId: string): Promise<void> => this.#change(this.#parts.storage.removeOf(userId));

  /** Whether a run is in progress. */
  isSending = (): boolean => this.#queue.run.at !== 'rest';

  readonly #untilIdle = () => new Promise<void>((resolve) => this.#idleListeners.push(resolve));

  /** @param work a change on the device by the user. @returns when it is shown */
  async #change(work: Promise<unknown>): Promise<void> {
    await work;
    this.#dispatch({ type: 'changed' });
    await this.#lastRead;
  }

  #dispatch(event: Event): void {
    const { owner, isOnline } = this.#parts;
    const { queue, effects } = next({ ...this.#queue, owner: owner(), isOnline: isOnline() }, event);
    this.#queue = queue;
    for (const effect of effects) this.#do(effect);
    if (this.#queue.run.at === 'rest') for (const resolve of this.#idleListeners.splice(0)) resolve();
  }

  async #attempt<T>(work: Promise<T>, whenDone: (result: T) => Event, whenFailed = broke): Promise<void> {
    const event = await work.then(whenDone, whenFailed);
    try {
      this.#dispatch(event);
    } catch {
      this.#dispatch({ type: 'broke' }); // for example, the cache did not accept the answer
    }
  }

  #do(effect: Effect): unknown {
    const { storage, ...parts } = this.#parts;
    switch (effect.type) {
      case 'write':
        return this.#write(effect.entry);
      case 'read':
        return (this.#lastRead = this.#read(effect.read));
      case 'markSent':
        return this.#markSent(effect);
      case 'refuse':
        return this.#attempt(storage.change(effect.key, { state: 'refused', reason: effect.reason }), stored);
      case 'remove':
        return this.#attempt(storage.remove(effect.keys), stored);
      case 'confirm':
      case 'probe':
        return this.#attempt(parts[effect.type](), (isOnline) => ({ type: 'reached', isOnline }));
      case 'send':
        return (this.#delivery = this.#attempt(Promise.allSettled(parts.send(effect.entries)), answered));
      case 'cache':
        parts.cache(effect.answer);
        return this.#dispatch({ type: 'cached', answer: effect.answer });
      case 'lock':
        return parts.lock(this.#hold).catch(() => this.#dispatch({ type: 'broke' }));
      case 'unlock':
        return this.#unlock();
      case 'settle':
        this.#callers.get(effect.made)?.notify(effect.outcome);
        return this.#callers.delete(effect.made);
      case 'tellOthers':
        return parts.notifyOthers(effect.message);
      case 'later':
        return parts.later(() => this.#dispatch({ type: 'asked' }), retryAfterMs(effect.failures));
      case 'pause':
        return parts.pause(() => this.#dispatch({ type: 'asked' }));
      case 'show':
        return parts.show(effect.entries, effect.unknown);
      case 'askToReload':
        return parts.offerReload();
      default:
        return effect satisfies never;
    }
  }

  #write(entry: NewEntry): Promise<void> {
    const made = entry.key;
    const { add, isPersistent } = this.#parts.storage;
    const written = ({ key }: Entry): Event => {
      const { onStored, mayGrow = false } = this.#callers.get(made) ?? {};
      if (isPersistent(key)) onStored?.();
      return { type: 'written', made, key, isPersistent: isPersistent(key), mayGrow };
    };
    return this.#attempt(add(entry), written, (error): Event => ({ type: 'notWritten', made, error }));
  }

  #read(read: number): Promise<void> {
    const failed = (): Event => ({ type: 'read', read });
    return this.#attempt(this.#parts.storage.list(), (entries) => ({ type: 'read', read, entries }), failed);
  }

  #markSent({ keys, answered: done, read }: Extract<Effect, { type: 'markSent' }>): Promise<void> {
    return this.#attempt(this.#parts.storage.markSent(keys, done), (entries) => ({ type: 'marked', read, entries }));
  }

  /** Holds the lock until the run ends. */
  #hold = (): Promise<void> =>
    new Promise((resolve) => {
      this.#unlock = resolve;
      this.#dispatch({ type: 'locked' });
    });
}

const broke = (_error: unknown): Event => ({ type: 'broke' });
const stored = (): Event => ({ type: 'stored' });

function answered(results: readonly PromiseSettledResult<unknown>[]): Event {
  const data: unknown[] = [];
  for (const result of results) {
    if (result.status === 'rejected') return { type: 'answered', data, failed: { error: result.reason } };
    data.push(result.value);
  }
  return { type: 'answered', data };
}
