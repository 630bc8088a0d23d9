import type { Answered, Entry, NewEntry, OutboxMessage, Rejection } from './entry';
import type { Sent } from './operation';

/** Input of queue.ts: what happened to a tab's outbox. */
export type Event =
  | { type: 'made'; entry: NewEntry }
  /** `mayGrow`: it is sent after a pause, since more presses may be merged into it. */
  | { type: 'written'; made: string; key: string; isPersistent: boolean; mayGrow: boolean }
  | { type: 'notWritten'; made: string; error: unknown }
  /** The user retried, discarded or logged out; already done on the device. */
  | { type: 'changed' }
  | { type: 'heard'; message: OutboxMessage }
  /** Without `entries`, reading the device failed. */
  | { type: 'read'; read: number; entries?: readonly Entry[] }
  | { type: 'asked' | 'locked' }
  /** Entries were removed or one was marked as rejected, or the run's step failed. */
  | { type: 'stored' | 'broke' }
  | { type: 'reached'; isOnline: boolean }
  /** With the entries at that time; a marked entry that is missing was discarded meanwhile. */
  | { type: 'marked'; read: number; entries: readonly Entry[] }
  /** The answers of the done entries, in order, and why the next one failed. */
  | { type: 'answered'; data: readonly unknown[]; failed?: { error: unknown } }
  | { type: 'cached'; answer: Answered };

/** Output of queue.ts: what sender.ts must do. */
export type Effect =
  | { type: 'write'; entry: NewEntry }
  | { type: 'read'; read: number }
  | { type: 'lock' | 'unlock' | 'confirm' | 'probe' }
  | { type: 'remove'; keys: readonly string[] }
  /** One transaction: deletes answered entries, marks the next ones, and reads. */
  | { type: 'markSent'; keys: readonly string[]; answered: readonly string[]; read: number }
  | { type: 'refuse'; key: string; reason: Rejection }
  /** Several form a batch: of one user, all with operations that can be batched. */
  | { type: 'send'; entries: readonly Entry[] }
  | { type: 'cache'; answer: Answered }
  | { type: 'tellOthers'; message: OutboxMessage }
  | { type: 'settle'; made: string; outcome: Outcome }
  | { type: 'later'; failures: number }
  /** Ask again when no more presses come. */
  | { type: 'pause' }
  /** A newer version's `unknown` entries are counted but not shown; the user is asked once to reload the page. */
  | { type: 'show'; entries: readonly Entry[]; unknown: readonly Entry[] }
  | { type: 'askToReload' };

export type Outcome = { sent: Sent } | { error: unknown };
