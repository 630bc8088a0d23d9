/**
 * The browser's device layer as the tests of the net see it: what a tab sends, shows and hears, and nothing of how it is
 * built. When the layer is rebuilt, this file is the one that follows it. It is bundled as well, into a tab of its own
 * (releaseTabs.ts) and into the artefact of an earlier release (tests/data/release-before), which stays as it was made.
 */
import { QueryClient } from '@tanstack/react-query';
import { operations } from '../../src/web/app/operations';
import type { Entry } from '../../src/web/outbox/entry';
import type { Inputs, Operation, OperationName, Operations } from '../../src/web/outbox/operation';
import { outbox } from '../../src/web/outbox/outbox';
import { reachability } from '../../src/web/server/reachability';
import { session } from '../../src/web/server/session';

/** One change: `{ operation: 'clearCart', input: { userId } }`. */
export type Change = { [Name in OperationName]: { operation: Name; input: Inputs[Name] } }[OperationName];

export interface Queued {
  operation: string;
  key: string;
  /** Why the shop refused it. */
  reason?: string | undefined;
}

const listed = (entries: readonly Entry[]): Queued[] =>
  entries.map(({ operation, key, reason }) => ({ operation, key, reason: reason?.code }));

let heard = (_operation: string, _data: unknown): void => undefined;

/** As the app's, but that what an answer puts into the cache is told to the test instead. */
const known: Operations = operations;
const tellingOperations: Operations = Object.fromEntries(
  Object.entries(known).map(([name, operation]) => {
    const keepAnswer: Operation['keepAnswer'] = (_cache, _input, { data }) => heard(name, data);
    return [name, operation && { ...operation, keepAnswer }];
  }),
);
outbox.connect({
  cache: new QueryClient(),
  load: async () => ({ operations: tellingOperations, reload: () => undefined }),
});

export const deviceLayer = {
  signIn: (user: { id: string }) => session.set({ id: user.id, fullName: 'Example Cook', role: 'ROLE_CUSTOMER' }),

  /** Reads what an earlier visit left, and sends it. @returns how to stop */
  start: () => outbox.start(),

  /** @returns `{ queued }` once the change is kept or done @throws the shop's refusal */
  send: (change: Change): Promise<{ queued: boolean }> => outbox.send(change.operation, change.input),

  flush: () => outbox.flush(),
  discard: (key: string) => outbox.discard(key),
  waiting: (userId: string) => listed(outbox.waiting(userId)),
  refused: (userId: string) => listed(outbox.refused(userId)),
  sealed: (userId: string) => listed(outbox.sealed(userId)),

  /** Calls `listener` with each answer that is put into the cache, also where another tab got it. */
  whenAnswered(listener: (operation: string, data: unknown) => void): void {
    heard = listener;
  },

  isOnline: () => reachability.isOnline(),
};

export type DeviceLayer = typeof deviceLayer;
