import type { Answered, Entry, NewEntry, OutboxMessage, Rejection } from './entry';
import type { Sent } from './operation';

/** What happens to the outbox of a tab: queue.ts takes it. */
export type Event =
  | { type: 'made'; entry: NewEntry }
  | { type: 'written'; made: string; key: string; isLasting: boolean }
  | { type: 'notWritten'; made: string; error: unknown }
  /** The user retried, discarded or logged out: the device has it already. */
  | { type: 'changed' }
  | { type: 'heard'; message: OutboxMessage }
  /** Without `entries` the device could not be read. */
  | { type: 'read'; read: number; entries?: readonly Entry[] }
  | { type: 'asked' | 'locked' }
  /** Entries were removed or one was marked as refused, or the run's step could not be done. */
  | { type: 'stored' | 'broke' }
  | { type: 'reached'; isOnline: boolean }
  /** With what is kept then; a marked entry that is not in it was given up meanwhile. */
  | { type: 'marked'; read: number; entries: readonly Entry[] }
  /** The answers of those that were done, in their order, and why the one behind them was not. */
  | { type: 'answered'; data: readonly unknown[]; failed?: { error: unknown } }
  | { type: 'cached'; answer: Answered };

/** What the outbox of a tab asks for: sender.ts does it. */
export type Effect =
  | { type: 'write'; entry: NewEntry }
  | { type: 'read'; read: number }
  | { type: 'lock' | 'unlock' | 'confirm' | 'probe' }
  | { type: 'remove'; keys: readonly string[] }
  /** In one go: deletes what is answered, marks what is next, and reads. */
  | { type: 'markSent'; keys: readonly string[]; answered: readonly string[]; read: number }
  | { type: 'refuse'; key: string; reason: Rejection }
  /** Several are a batch: of one user, and each of an operation that may come in one. */
  | { type: 'send'; entries: readonly Entry[] }
  | { type: 'cache'; answer: Answered }
  | { type: 'tellOthers'; message: OutboxMessage }
  | { type: 'settle'; made: string; outcome: Outcome }
  | { type: 'later'; failures: number }
  /** A newer version's `unknown` ones are counted and not shown; the user is asked once to load the page again. */
  | { type: 'show'; entries: readonly Entry[]; unknown: readonly Entry[] }
  | { type: 'askToReload' };

export type Outcome = { sent: Sent } | { error: unknown };
