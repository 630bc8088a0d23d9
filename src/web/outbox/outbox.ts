import type { QueryClient } from '@tanstack/react-query';
import type { DataOf } from '../../shared/contract';
import { createEvent, createStore, useStore } from '../browser/store';
import { ApiError } from '../server/errors';
import { newKey } from '../server/keys';
import { type Entry, visitor } from './entry';
import type { Inputs, OperationName, Operations, Sent } from './operation';

/**
 * The one way a change takes, online or not. Which changes there are, the features say (operation.ts).
 *
 * It promises that an intention is neither lost nor done twice. Each is written to IndexedDB before anything is sent,
 * under the user who made it; one tab at a time sends them in order, holding a Web Lock for the whole run; the
 * Idempotency-Key is the entry's own, so that sending it again does it once; and it is deleted only after its answer is
 * in the cache (queue.ts). What the server refuses stays with its reason until the user decides. Nothing is sent in the
 * name of anybody but the user who made it.
 *
 * A change is shown only once the device has stored it, some milliseconds later, since its user may then close the tab.
 *
 * This file is the small part that the first page loads. The rest, with the operations and Dexie, comes when it is needed
 * (openOutbox.ts).
 *
 * Dropped: sending at once and storing only failed changes. A tab that dies in between would lose the change.
 */
interface Connections {
  load: () => Promise<{ operations: Operations; reload: () => void }>;
  /** Where answers are put. */
  cache: QueryClient;
}

interface MadeEarlier {
  key: string;
  /** Called when the entry is safe on the device. */
  onKept: () => void;
}

const nothing: readonly Entry[] = [];
const kept = createStore(nothing);
const sent = createEvent<[entry: Entry]>();
const views = new Map<string, readonly Entry[]>();
let unknown = nothing; // of a newer version of the shop
let opened: ReturnType<typeof load> | undefined;
let connections: Connections | undefined;

export const outbox = {
  /** Hands in what the outbox needs of the app. */
  connect: (given: Connections): void => void (connections = given),

  /**
   * Keeps the change and sends it after those before it.
   * @param earlier where it was made before, perhaps on another page: then it may have been sent already
   * @returns when the server did it, or, without a connection, as soon as it is safely kept
   * @throws ApiError when the server refused; a change that is no form's own stays, to be retried or discarded
   */
  async send<Name extends OperationName>(operation: Name, input: Inputs[Name], earlier?: MadeEarlier) {
    const { key = newKey(), onKept } = earlier ?? {};
    const made = { key, userId: input.userId, madeAt: Date.now(), wasSent: earlier !== undefined };
    const sender = await open();
    return sender.send({ operation, input, state: 'waiting', ...made }, onKept) as Promise<Sent<DataOf<Name>>>;
  },

  /** @returns a user's changes on their way, oldest first; the same array until something changes */
  waiting: (userId: string) => view(`waiting ${userId}`, (each) => each.userId === userId && each.state === 'waiting'),

  /** @returns a user's changes that the server refused */
  refused: (userId: string) => view(`refused ${userId}`, (each) => each.userId === userId && each.state === 'refused'),

  /** @returns the changes of others than this user (and than visitors), which wait until they sign in */
  sealed: (userId: string) => view(`sealed ${userId}`, (each) => each.userId !== userId && each.userId !== visitor),

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

  /** Deletes all that a user has here: a logout. */
  forget: async (userId: string): Promise<void> => (await open()).forget(userId),

  /** @returns when no answer of a change is on its way to the cache; a read before may include the change already */
  settled: async (): Promise<void> => (await opened)?.sender.settled(),

  /** Shows and sends what an earlier visit left. @returns how to stop, as closing the tab does */
  start(): () => void {
    void open().catch(() => undefined);
    return () => {
      void opened?.then(({ close }) => close());
      opened = undefined;
      show(nothing, nothing);
    };
  },
};

const useEntries = (get: () => readonly Entry[]) => useStore({ get, subscribe: kept.subscribe }, nothing);

/** The user's changes that wait to be sent: their number is the banner's and the app badge's. */
export const useWaiting = (userId: string): readonly Entry[] => useEntries(() => outbox.waiting(userId));
export const useRefused = (userId: string): readonly Entry[] => useEntries(() => outbox.refused(userId));
export const useSealedCount = (userId: string): number => useEntries(() => outbox.sealed(userId)).length;

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
  return openOutbox({ ...app, cache: connections.cache, show, sent: sent.tell });
}

function show(entries: readonly Entry[], ofNewer: readonly Entry[]): void {
  views.clear();
  unknown = ofNewer;
  kept.set(entries);
}

function view(name: string, isIn: (entry: Entry) => boolean): readonly Entry[] {
  let found = views.get(name);
  if (!found) {
    const all = kept.get().filter(isIn);
    found = all.length > 0 ? all : nothing;
    views.set(name, found);
  }
  return found;
}
