import type { OutboxRow } from '../device/db';
import type { AnyInput, Answer } from './operation';

/** Whose change it is when nobody is signed in. */
export const visitor = '';

/**
 * An intention that waits to be sent, as the device stores it. It is not a request: sender and token are determined
 * when it is sent. Its `key`, made on the device, is the Idempotency-Key each time it is sent. It is `refused` once
 * the server said no, and waits for the user then. Once `wasSent`, it may have been done, and stays as it is. A newer
 * version of the shop in another tab may have written an `operation` that this tab does not know.
 */
export interface Entry extends OutboxRow {
  input: AnyInput;
}

export type Rejection = NonNullable<Entry['reason']>;

/** An entry before the device has stored it and numbered it. */
export type NewEntry = Omit<Entry, 'order'>;

/** What tabs tell each other. Tabs of other versions read it, too. */
export type OutboxMessage = 'changed' | Answered;

export interface Answered extends Answer<unknown> {
  answered: Entry;
}
