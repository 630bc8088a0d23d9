import { type Entry, visitor } from './entry';
import type { Operations } from './operation';

/** The state that decides which entries may be sent. */
interface Waiting {
  operations: Operations;
  owner: string | undefined;
  stored: readonly Entry[];
  answered: ReadonlySet<string>;
  /** Consecutive sends without any result. */
  lost: number;
}

/**
 * Entries that only a newer version knows are sent by a tab of that version, along with all later entries of that user.
 * Rule: docs/rules/offline.md, The outbox
 * @returns the sendable entries in order, and those that wait for such a tab
 */
export function findSendable(queue: Waiting): { sendable: Entry[]; blocked: Entry[] } {
  const sendable: Entry[] = [];
  const blocked: Entry[] = [];
  const users = new Set<string>();
  for (const entry of queue.stored) {
    if (entry.state !== 'waiting' || queue.answered.has(entry.key)) continue;
    if (!isKnown(queue, entry)) users.add(entry.userId);
    if (users.has(entry.userId)) blocked.push(entry);
    else if (isOfOwner(queue, entry)) sendable.push(entry);
  }
  return { sendable, blocked };
}

/** The contract's limit per call. */
export const maxInBatch = 40;
/** Fewer are sent one by one, so that each is shown as done immediately. */
const minInBatch = 4;

/**
 * Each lost batch halves the size of the next, so that something gets through where a full batch doesn't.
 * Rule: docs/rules/offline.md, The outbox
 * @returns the first sendable entry, with those after it if they are many and can be batched
 */
export function findBatch(queue: Waiting): Entry[] {
  const { sendable } = findSendable(queue);
  const [first] = sendable;
  const isBatched = ({ operation, userId }: Entry) =>
    queue.operations[operation]?.isBatched === true && userId === first?.userId;
  const limit = Math.floor(maxInBatch / 2 ** queue.lost);
  const end = sendable.findIndex((entry, index) => index >= limit || !isBatched(entry));
  const batch = sendable.slice(0, end < 0 ? undefined : end);
  return batch.length < minInBatch ? sendable.slice(0, 1) : batch;
}

/** An entry is sent only in its own user's session; a visitor's entry is sent without a session. */
export function isOfOwner({ operations, owner }: Waiting, { userId, operation }: Entry): boolean {
  return userId === visitor ? (operations[operation]?.isForVisitors ?? false) : userId === owner;
}

export const isKnown = ({ operations }: Waiting, { operation }: Entry): boolean => Object.hasOwn(operations, operation);
