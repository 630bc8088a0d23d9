import type { QueryClient } from '@tanstack/react-query';
import type { DataOf } from '../../shared/contract';
import { createEvent, useStore } from '../browser/store';
import { ApiError } from '../server/errors';
import { newKey } from '../server/keys';
import { type Entry, visitor } from './entry';
import type { AnyInput, Inputs, OperationName, Operations, Sent } from './operation';

/**
 * All changes go through the outbox, online or not. The features define the changes (operation.ts).
 *
 * It guarantees that an intention is neither lost nor executed twice, and never sent as another user. How:
 * docs/rules/offline.md, The outbox; step by step in queue.ts. A change is shown as waiting only after the device has
 * stored it, some milliseconds later, since the user may then close the tab.
 *
 * This file is the small part in the first load. The rest, with the operations and Dexie, is loaded on demand
 * (openOutbox.ts).
 *
 * Rejected: sending immediately and storing only failed changes. A tab that crashes in between would lose the change.
 */
interface Connections {
  load: () => Promise<{ operations: Operations; reload: () => void }>;
  cache: QueryClient;
}

interface EarlierChange {
  key: string;
  /** Called when the entry is stored on the device. */
  onStored?: () => void;
  /** Whether it may have been sent already; defaults to true. */
  wasSent?: boolean;
  /** More presses may follow, to be sent as one change: it is sent after a pause. */
  mayGrow?: boolean;
}

const noEntries: readonly Entry[] = [];
let entries = noEntries;
const changed = createEvent();
const store = { get: () => entries, subscribe: changed.subscribe };
const sent = createEvent<[entry: Entry]>();
let unknown = noEntries; // entries of a newer version of the shop
let opened: ReturnType<typeof load> | undefined;
let connections: Connections | undefined;

export const outbox = {
  /** Passes in the parts of the app that the outbox needs. */
  connect: (parts: Connections): void => void (connections = parts),

  /**
   * Stores the change and sends it after earlier ones.
   * @param earlier if its key was created before, perhaps on another page; then it may have been sent already
   * @returns when the server has done it or, offline, as soon as it is stored
   * @throws ApiError when the server rejected it; unless a form owns it, the change stays, to be retried or discarded
   */
  async send<Name extends OperationName>(operation: Name, input: Inputs[Name], earlier?: EarlierChange) {
    const { key = newKey(), wasSent = earlier !== undefined } = earlier ?? {};
    const fields = { key, userId: input.userId, madeAt: Date.now(), wasSent };
    return (await open()).send({ operation, input, state: 'waiting', ...fields }, earlier) as Promise<
      Sent<DataOf<Name>>
    >;
  },

  /** @returns the user's unsent changes, oldest first */
  waiting: (userId: string) => store.get().filter(isWaiting(userId)),

  /** @returns the user's changes that the server rejected */
  refused: (userId: string) => store.get().filter(isRefused(userId)),

  /** @returns changes of other users (not visitors), which wait until those sign in */
  sealed: (userId: string) => store.get().filter(isSealed(userId)),

  /** @returns when the entries of earlier visits are loaded */
  read: async (): Promise<void> => (await open()).reload(),

  /**
   * @returns the number of the user's changes that exist only on this device, including rejected ones and a newer
   * version's
   */
  countUnsent: (userId: string) => [...store.get(), ...unknown].filter((each) => each.userId === userId).length,

  /** Calls a listener when any of these changes. @returns a function that unsubscribes */
  subscribe: store.subscribe,

  /**
   * Calls a listener with each change that the server has done, before its entry is removed. @returns a function that
   * unsubscribes
   */
  whenSent: sent.subscribe,

  /** Sends waiting changes if possible. @returns when there is nothing more to do now */
  flush: async (): Promise<void> => (await open()).flush(),

  /** Sends a rejected change again, in its old position. */
  retry: async (key: string): Promise<void> => (await open()).retry(key),

  /** Discards a rejected change. */
  discard: async (key: string): Promise<void> => (await open()).discard(key),

  /**
   * Undoes a change that was never sent. @returns false when it may have been sent, was merged with another, or isn't
   * here: then only an opposite change undoes it
   */
  undo: async (key: string, input: AnyInput): Promise<boolean> => (await open()).undo(key, input),

  /** Deletes all entries of a user, at logout. */
  forget: async (userId: string): Promise<void> => (await open()).forget(userId),

  /** @returns when no answer is on its way to the cache; an earlier read may already include the change */
  settled: async (): Promise<void> => (await opened)?.sender.settled(),

  /** @returns when nothing is being sent, or after a second: a read during sending would be stale on arrival */
  rested: async (): Promise<void> => (await opened)?.sender.rested(),

  /** Shows and sends the entries of earlier visits. @returns a function that stops it, as closing the tab does */
  start(): () => void {
    void open().catch(() => undefined);
    return () => {
      void opened?.then(({ close }) => close());
      opened = undefined;
      show(noEntries, noEntries);
      changed.notify();
    };
  },
};

const isWaiting = (user: string) => (each: Entry) => each.userId === user && each.state === 'waiting';
const isRefused = (user: string) => (each: Entry) => each.userId === user && each.state === 'refused';
const isSealed = (user: string) => (each: Entry) => each.userId !== user && each.userId !== visitor;

/** The user's unsent changes; the banner and the app badge show how many. */
export const useWaiting = (userId: string): readonly Entry[] => useStore(store, noEntries).filter(isWaiting(userId));
export const useRefused = (userId: string): readonly Entry[] => useStore(store, noEntries).filter(isRefused(userId));
export const useSealedCount = (userId: string): number => useStore(store, noEntries).filter(isSealed(userId)).length;

async function open() {
  opened ??= load();
  try {
    return (await opened).sender;
  } catch {
    opened = undefined; // the next change tries again
    throw new ApiError(0, { code: 'no_connection' });
  }
}

async function load() {
  if (!connections) throw new Error("the outbox isn't connected");
  const [{ openOutbox }, app] = await Promise.all([import('./openOutbox'), connections.load()]);
  return openOutbox({ ...app, cache: connections.cache, show, notify: changed.notify, sent: sent.notify });
}

function show(next: readonly Entry[], ofNewer: readonly Entry[]): void {
  entries = next;
  unknown = ofNewer;
}
