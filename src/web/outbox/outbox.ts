import type { QueryClient } from '@tanstack/react-query';
import type { DataOf } from '../../shared/contract';
import { createEvent, useStore } from '../browser/store';
import { ApiError } from '../server/errors';
import { newKey } from '../server/keys';
import { type Entry, visitor } from './entry';
import type { AnyInput, Inputs, OperationName, Operations, Sent } from './operation';

/**
 * The one way a change takes, online or not. Which changes there are, the features say (operation.ts).
 *
 * It promises that an intention is neither lost nor done twice, and never sent in the name of anybody but its user. How
 * it keeps the promise: docs/rules/offline.md, The outbox, step by step in queue.ts. A change is shown as one
 * that waits only once the device has stored it, some milliseconds later, since its user may then close the tab.
 *
 * This file is the small part that the first page loads. The rest, with the operations and Dexie, comes when it is needed
 * (openOutbox.ts).
 *
 * Dropped: sending at once and storing only failed changes. A tab that dies in between would lose the change.
 */
interface Connections {
  load: () => Promise<{ operations: Operations; reload: () => void }>;
  cache: QueryClient;
}

interface MadeEarlier {
  key: string;
  /** Called when the entry is safe on the device. */
  onKept?: () => void;
  /** Whether it may have been sent already; yes, unless it says no. */
  wasSent?: boolean;
}

const nothing: readonly Entry[] = [];
let entries = nothing;
const changed = createEvent();
const kept = { get: () => entries, subscribe: changed.subscribe };
const sent = createEvent<[entry: Entry]>();
let unknown = nothing; // of a newer version of the shop
let opened: ReturnType<typeof load> | undefined;
let connections: Connections | undefined;

export const outbox = {
  /** Hands in what the outbox needs of the app. */
  connect: (given: Connections): void => void (connections = given),

  /**
   * Keeps the change and sends it after those before it.
   * @param earlier where its key was made before, perhaps on another page: then it may have been sent already
   * @returns when the server did it, or, without a connection, as soon as it is safely kept
   * @throws ApiError when the server refused; a change that is no form's own stays, to be retried or discarded
   */
  async send<Name extends OperationName>(operation: Name, input: Inputs[Name], earlier?: MadeEarlier) {
    const { key = newKey(), onKept, wasSent = earlier !== undefined } = earlier ?? {};
    const made = { key, userId: input.userId, madeAt: Date.now(), wasSent };
    return (await open()).send({ operation, input, state: 'waiting', ...made }, onKept) as Promise<Sent<DataOf<Name>>>;
  },

  /** @returns a user's changes on their way, oldest first */
  waiting: (userId: string) => kept.get().filter(isWaiting(userId)),

  /** @returns a user's changes that the server refused */
  refused: (userId: string) => kept.get().filter(isRefused(userId)),

  /** @returns the changes of others than this user (and than visitors), which wait until they sign in */
  sealed: (userId: string) => kept.get().filter(isSealed(userId)),

  /** @returns when what an earlier visit left is known */
  read: async (): Promise<void> => (await open()).reload(),

  /** @returns how many of a user's changes are on this device alone, refused ones and a newer version's included */
  countUnsent: (userId: string) => [...kept.get(), ...unknown].filter((each) => each.userId === userId).length,

  /** Calls a listener when any of these changes. @returns how to stop */
  subscribe: kept.subscribe,

  /** Calls a listener with each change that the server did, before it leaves. @returns how to stop */
  whenSent: sent.subscribe,

  /** Sends what waits, if it can. @returns when there is nothing more to do now */
  flush: async (): Promise<void> => (await open()).flush(),

  /** Sends a refused change again, in its old place. */
  retry: async (key: string): Promise<void> => (await open()).retry(key),

  /** Gives a refused change up. */
  discard: async (key: string): Promise<void> => (await open()).discard(key),

  /**
   * Takes a change back that was never sent. @returns false when it may have been sent, was merged with another, or is not
   * here: then only a change the other way undoes it
   */
  undo: async (key: string, input: AnyInput): Promise<boolean> => (await open()).undo(key, input),

  /** Deletes all that a user has here: a logout. */
  forget: async (userId: string): Promise<void> => (await open()).forget(userId),

  /** @returns when no answer of a change is on its way to the cache; a read before may include the change already */
  settled: async (): Promise<void> => (await opened)?.sender.settled(),

  /** @returns when nothing is being sent, or in a second: what is read in the middle of it is old before it is there */
  rested: async (): Promise<void> => (await opened)?.sender.rested(),

  /** Shows and sends what an earlier visit left. @returns how to stop, as closing the tab does */
  start(): () => void {
    void open().catch(() => undefined);
    return () => {
      void opened?.then(({ close }) => close());
      opened = undefined;
      show(nothing, nothing);
      changed.tell();
    };
  },
};

const isWaiting = (user: string) => (each: Entry) => each.userId === user && each.state === 'waiting';
const isRefused = (user: string) => (each: Entry) => each.userId === user && each.state === 'refused';
const isSealed = (user: string) => (each: Entry) => each.userId !== user && each.userId !== visitor;

/** The user's changes that wait to be sent: their number is the banner's and the app badge's. */
export const useWaiting = (userId: string): readonly Entry[] => useStore(kept, nothing).filter(isWaiting(userId));
export const useRefused = (userId: string): readonly Entry[] => useStore(kept, nothing).filter(isRefused(userId));
export const useSealedCount = (userId: string): number => useStore(kept, nothing).filter(isSealed(userId)).length;

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
  if (!connections) throw new Error('the outbox was not connected');
  const [{ openOutbox }, app] = await Promise.all([import('./openOutbox'), connections.load()]);
  return openOutbox({ ...app, cache: connections.cache, show, tell: changed.tell, sent: sent.tell });
}

function show(next: readonly Entry[], ofNewer: readonly Entry[]): void {
  entries = next;
  unknown = ofNewer;
}
