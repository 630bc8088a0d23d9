import type { CartChange, CartChanges } from '../../shared/cart';
import type { DataOf, Schema } from '../../shared/contract';

/** Each change that waits for its turn, by its operation's name, with what it needs. */
export interface Changes extends CartChanges {
  createContactMessage: { userId: string; message: Schema<'ContactMessage'> };
}
export type Operation = keyof Changes;
export type Answers = { [Name in Operation]: DataOf<Name> };

/** One change: `{ operation: 'clearCart', input: { userId } }`. */
export type Change = { [Name in Operation]: { operation: Name; input: Changes[Name] } }[Operation];

/** Whose change it is when nobody is signed in. */
export const visitor = '';

export interface Refusal {
  code: string;
  message: string;
}

/**
 * An intention on its way, as it is kept on the device. It holds no request: who may send it, with which token, is found
 * out when it is sent.
 */
export type Entry = Change & {
  /** The place in the queue. */
  order: number;
  /** Made on the device; the Idempotency-Key each time it is sent. */
  key: string;
  userId: string;
  /** `refused` once the server said no: it waits for the user then. */
  state: 'waiting' | 'refused';
  reason?: Refusal;
  /** It was sent at least once, and may have been done: from then on it stays as it is. */
  wasSent: boolean;
  /** By this device's clock, to be shown only. */
  madeAt: number;
};

/** An entry before the device has kept it and given it its place. */
export type NewEntry = Change & Omit<Entry, 'order' | 'operation' | 'input'>;

export type CartEntry = Entry & CartChange;

export const isOfCart = (entry: Entry): entry is CartEntry => entry.operation !== 'createContactMessage';

/** @returns whether a row read from the device is whole; what is not is left alone */
export function isEntry(row: unknown): row is Entry {
  const { order, key, userId, operation, input, state } = (row ?? {}) as Partial<Entry>;
  return (
    typeof order === 'number' &&
    typeof key === 'string' &&
    typeof userId === 'string' &&
    typeof operation === 'string' &&
    typeof input === 'object' &&
    (state === 'waiting' || state === 'refused')
  );
}
