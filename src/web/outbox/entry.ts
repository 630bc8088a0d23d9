import { offlineSays } from '../../shared/offline';
import type { OutboxRow } from '../device/db';
import { ApiError } from '../server/errors';
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

export type Refusal = NonNullable<Entry['reason']>;

/** An entry before the device has stored it and numbered it. */
export type NewEntry = Omit<Entry, 'order'>;

/** @returns whether a stored row is a complete entry; other rows are ignored */
export function isEntry(row: unknown): row is Entry {
  const { order, key, userId, operation, input, state } = (row ?? {}) as Partial<Entry>;
  const texts = [key, userId, operation];
  const isWhole = typeof order === 'number' && texts.every((text) => typeof text === 'string');
  return isWhole && typeof input === 'object' && (state === 'waiting' || state === 'refused');
}

/** What tabs tell each other. Tabs of other versions read it, too. */
export type OutboxMessage = 'changed' | Answered;

export interface Answered extends Answer<unknown> {
  answered: Entry;
}

/** The session of the entry's user is over: it waits until that user signs in again. */
export const sealed = () => new ApiError(401, { code: 'session_ended', message: offlineSays.sealed });
