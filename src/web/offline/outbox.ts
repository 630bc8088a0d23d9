import { ApiError } from '../api/apiError';
import type { Answers, Change, Changes, Entry, NewEntry, Operation } from './outboxEntry';
import type { OpenOutbox } from './openOutbox';

/**
 * The one way a change takes, online or not: cart add, quantity, remove and clear, and a message to the owner.
 *
 * It promises that an intention is neither lost nor done twice. Each is written to IndexedDB before anything is sent,
 * under the user who made it; one tab at a time sends them in order, holding a Web Lock for the whole run; the
 * Idempotency-Key is the entry's own, so that sending it again does it once; and it is deleted only after its answer is
 * in the cache (outboxCore.ts). What the server refuses stays with its reason until the user decides. Nothing is sent in
 * the name of anybody but the user who made it.
 *
 * A change is shown once the device has it, some milliseconds later, and not before: who sees it may close the tab.
 *
 * This file is the small part that the first page loads. The rest, with Dexie, comes when it is needed (openOutbox.ts). Pages read it by the hooks in useOutbox.ts: `useWaiting(userId)`,
 * `useRefused(userId)`, `useLineState(userId, productId)`, `useSealedCount(userId)`.
 *
 * Dropped: sending at once and keeping only what failed. A tab that dies between the two would have lost the change.
 */
export type Sent<Name extends Operation = Operation> =
  /** The server did it. Without `data` it left this device, and nobody here heard why: another tab was told, or gave it up. */
  | { queued: false; data?: Answers[Name] | undefined }
  /** It is kept and will be sent; `because` says what to tell the user. */
  | { queued: true; because: 'offline' | 'busy' | 'unkept' };

/** @param isOld whether the answer may tell of an earlier moment, because it was given before */
type KeepAnswer = (change: Change, data: Answers[Operation] | undefined, isOld: boolean) => void;

const nothing: readonly Entry[] = [];
const listeners = new Set<() => void>();
const sentListeners = new Set<(change: Change) => void>();
let kept = nothing;
let opened: Promise<OpenOutbox> | undefined;
let keepAnswer: KeepAnswer = () => undefined;
const views = new Map<string, readonly Entry[]>();

export const outbox = {
  /**
   * Keeps the change and sends it after those before it.
   * @returns when the server did it, or, without a connection, as soon as it is safely kept
   * @throws ApiError when the server refused; a change of the cart stays, to be retried or discarded
   */
  async send<Name extends Operation>(operation: Name, input: Changes[Name]): Promise<Sent<Name>> {
    const { userId } = input;
    const change = { operation, input } as Change;
    const key = crypto.randomUUID();
    const entry: NewEntry = { ...change, key, userId, state: 'waiting', wasSent: false, madeAt: Date.now() };
    return (await open()).send(entry) as Promise<Sent<Name>>;
  },

  /** @returns a user's changes on their way, oldest first; the same array until something changes */
  waiting: (userId: string) => view(`waiting ${userId}`, (each) => each.userId === userId && each.state === 'waiting'),

  /** @returns a user's changes that the server refused */
  refused: (userId: string) => view(`refused ${userId}`, (each) => each.userId === userId && each.state === 'refused'),

  /** @returns the changes of others than this user (and than visitors), which wait until they sign in */
  sealed: (userId: string) => view(`sealed ${userId}`, (each) => each.userId !== userId && each.userId !== ''),

  /** @returns how to stop listening */
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },

  /** Sends what waits, if it can. @returns when there is nothing more to do now */
  flush: async (): Promise<void> => (await open()).flush(),

  /** Sends a refused change again, in its old place. */
  retry: async (key: string): Promise<void> => (await open()).retry(key),

  /** Gives a refused change up. */
  discard: async (key: string): Promise<void> => (await open()).discard(key),

  /** Deletes all that a user has here: a logout. */
  forget: async (userId: string): Promise<void> => (await open()).forget(userId),

  /** @returns when no change is between the server and the cache: what is read until then may hold it already */
  settled: async (): Promise<void> => (await opened)?.settled(),

  /** @param keep puts an answer into the cache, before its change leaves */
  keepAnswersWith(keep: KeepAnswer): void {
    keepAnswer = keep;
  },

  /** Calls `listener` with each change that the server did, before it leaves. @returns how to stop listening */
  whenSent: (listener: (change: Change) => void) => {
    sentListeners.add(listener);
    return () => void sentListeners.delete(listener);
  },

  /** Shows and sends what an earlier visit left. @returns how to stop, as closing the tab does */
  start(): () => void {
    void open().catch(() => undefined);
    return () => {
      void opened?.then((core) => core.close());
      opened = undefined;
      show(nothing);
    };
  },
};

function open(): Promise<OpenOutbox> {
  const parts = {
    show,
    keepAnswer(entry: Entry, data: unknown, isOld: boolean) {
      keepAnswer(entry, data as Answers[Operation], isOld);
      for (const tell of sentListeners) tell(entry);
    },
  };
  opened ??= import('./openOutbox').then(({ openOutbox }) => openOutbox(parts));
  return opened.catch(() => {
    opened = undefined; // the next change tries again
    throw new ApiError(0, { code: 'no_connection' });
  });
}

function show(entries: readonly Entry[]): void {
  kept = entries;
  views.clear();
  for (const notify of listeners) notify();
}

function view(name: string, isIn: (entry: Entry) => boolean): readonly Entry[] {
  let found = views.get(name);
  if (!found) {
    const all = kept.filter(isIn);
    found = all.length > 0 ? all : nothing;
    views.set(name, found);
  }
  return found;
}
