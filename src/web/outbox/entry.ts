import type { OutboxRow } from '../device/db';
import type { AnyInput, Answer } from './operation';

/** The user ID of changes made while signed out. */
export const visitor = '';

/**
 * A change waiting to be sent, as stored on the device. It is not a request: sender and token are determined when it is
 * sent. Its `key`, created on the device, is the Idempotency-Key of every attempt. It becomes `refused` when the server
 * rejects it, and then waits for the user. Once `wasSent`, the server may have executed it, so it is no longer
 * modified. A newer version of the shop in another tab may have written an `operation` that this tab doesn't know.
 */
export interface Entry extends OutboxRow {
  input: AnyInput;
}

export type Rejection = NonNullable<Entry['reason']>;

/** An entry before the device has stored and numbered it. */
export type NewEntry = Omit<Entry, 'order'>;

/** Messages between tabs. Tabs with other versions read them too. */
export type OutboxMessage = 'changed' | Answered;

export interface Answered extends Answer<unknown> {
  answered: Entry;
}
