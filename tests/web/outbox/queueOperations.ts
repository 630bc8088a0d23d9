/** The operations of the pure core's tests (queueWorld.ts): each change is a number, and nothing is really sent. */
import type { Entry, NewEntry } from '../../../src/web/outbox/entry';
import type { Operations } from '../../../src/web/outbox/operation';
import type { ApiError } from '../../../src/web/server/errors';

/** Each change is a number; a merged one has both. */
interface Numbered {
  userId: string;
  numbers: number[];
}
export const numbersOf = ({ input }: Pick<Entry, 'input'>) => (input as Numbered).numbers;
const messages = { success: '', failure: '' };
const send = () => Promise.reject(new Error('the world itself sends'));

export const operations = {
  plus: {
    messages,
    send,
    asOne: (earlier: Numbered, { userId, numbers }: Numbered) => ({
      userId,
      numbers: [...earlier.numbers, ...numbers],
    }),
  },
  remove: { messages, send, isDone: ({ code }: ApiError) => code === 'cart_item_not_found' },
  count: { messages, send, isBatched: true },
  message: { messages, send, isOfForm: true, isForVisitors: true },
} satisfies Operations;
export type Name = keyof typeof operations;

/** Operations that a newer version of the shop defines. */
export const newer = { ...operations, later: { says: messages, send, isForVisitors: true } };

export const isKnown = ({ operation }: Entry): boolean => Object.hasOwn(operations, operation);

export function madeEntry(number: number, userId: string, operation: string): NewEntry {
  const input: Numbered = { userId, numbers: [number] };
  return { key: `key ${number}`, userId, operation, input, state: 'waiting', wasSent: false, madeAt: 0 };
}

export function withoutReason(entry: Entry): Entry {
  const waiting: Entry = { ...entry, state: 'waiting' };
  delete waiting.reason;
  return waiting;
}
