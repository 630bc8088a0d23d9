import { type Entry, visitor } from './entry';
import type { Operations } from './operation';

/** What decides which entries may be sent. */
interface Waiting {
  operations: Operations;
  owner: string | undefined;
  kept: readonly Entry[];
  answered: ReadonlySet<string>;
  /** Sendings in a row of which nothing was done. */
  lost: number;
}

/**
 * A tab of a newer version sends what only that version knows, and all of the same user's behind it.
 * Rule: docs/rules/offline.md, The outbox
 * @returns those that may be sent, in their order, and those that wait for such a tab
 */
export function findSendable(queue: Waiting): { sendable: Entry[]; heldUp: Entry[] } {
  const sendable: Entry[] = [];
  const heldUp: Entry[] = [];
  const users = new Set<string>();
  for (const entry of queue.kept) {
    if (entry.state !== 'waiting' || queue.answered.has(entry.key)) continue;
    if (!isKnown(queue, entry)) users.add(entry.userId);
    if (users.has(entry.userId)) heldUp.push(entry);
    else if (isOfOwner(queue, entry)) sendable.push(entry);
  }
  return { sendable, heldUp };
}

/** As many as the contract allows in one call. */
export const mostInBatch = 40;
/** Fewer go one by one, so that each is shown as done at once. */
const fewestInBatch = 4;

/**
 * After each that is lost a batch is half as large, so that something gets through where all of it does not.
 * Rule: docs/rules/offline.md, The outbox
 * @returns the first that may be sent, and those that follow it where they are many and may come in a batch
 */
export function findBatch(queue: Waiting): Entry[] {
  const { sendable } = findSendable(queue);
  const [first] = sendable;
  const isBatched = ({ operation, userId }: Entry) =>
    queue.operations[operation]?.isBatched === true && userId === first?.userId;
  const most = Math.floor(mostInBatch / 2 ** queue.lost);
  const end = sendable.findIndex((entry, place) => place >= most || !isBatched(entry));
  const batch = sendable.slice(0, end < 0 ? undefined : end);
  return batch.length < fewestInBatch ? sendable.slice(0, 1) : batch;
}

/** An entry is sent only in its own user's session; a visitor's entry is sent without a session. */
export function isOfOwner({ operations, owner }: Waiting, { userId, operation }: Entry): boolean {
  return userId === visitor ? (operations[operation]?.isForVisitors ?? false) : userId === owner;
}

export const isKnown = ({ operations }: Waiting, { operation }: Entry): boolean => Object.hasOwn(operations, operation);
