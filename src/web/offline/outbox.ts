import type { CartChange, CartChanges } from '../../shared/cart';
import type { DataOf } from '../../shared/contract';
import { ApiError } from '../api/apiError';
import { answer, api } from '../api/client';
import { session } from '../api/session';

/**
 * The one way a change of the cart takes. It is kept here, shown at once (useCart puts what waits on top of what the
 * server said), sent in order, one after another, and let go when its answer is in the cache. Each change has its own
 * Idempotency-Key, so that sending it twice does it once.
 */
type Operation = keyof CartChanges;
type Answer = { [Name in Operation]: DataOf<Name> };
export type Waiting = CartChange & { key: string };
type KeepAnswer = (change: CartChange, data: Answer[Operation]) => void;

const listeners = new Set<() => void>();
const nothing: readonly Waiting[] = [];
let entries = nothing;
let lastSent: Promise<unknown> = Promise.resolve();
let keepAnswer: KeepAnswer = () => undefined;

export const outbox = {
  /**
   * Keeps the change and sends it after those before it.
   * @returns the `data` of the server's answer, when it is in the cache
   * @throws ApiError when the server refused; the change is then gone
   */
  send<Name extends Operation>(operation: Name, input: CartChanges[Name]): Promise<Answer[Name]> {
    const entry = { key: crypto.randomUUID(), operation, input } as Waiting;
    show([...entries, entry]);
    const sent = lastSent
      .then(() => senders[operation](requireOwner(input), entry.key))
      .then((data) => {
        keepAnswer(entry, data);
        return data;
      })
      .finally(() => show(entries.filter((each) => each !== entry)));
    lastSent = sent.catch(() => undefined); // a refusal does not hold up those behind it
    return sent;
  },

  /** @returns a user's changes on their way, oldest first; the same array until one comes or goes */
  waiting(userId: string): readonly Waiting[] {
    const known = byUser.get(userId);
    if (known) return known;
    const own = entries.filter((entry) => entry.input.userId === userId);
    byUser.set(userId, own);
    return own;
  },

  /** @returns how to stop listening */
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },

  /** @param keep puts an answer into the cache, before its change leaves */
  keepAnswersWith(keep: KeepAnswer): void {
    keepAnswer = keep;
  },
};

const byUser = new Map<string, readonly Waiting[]>();

function show(next: readonly Waiting[]): void {
  entries = next;
  byUser.clear();
  for (const notify of listeners) notify();
}

/**
 * A change waits under the user who made it; whoever is signed in by the time it is sent must be the same.
 * @throws ApiError
 */
function requireOwner<Input extends { userId: string }>(input: Input): Input {
  if (session.get()?.id !== input.userId) throw new ApiError(401, { code: 'session_ended' });
  return input;
}

type Sender<Name extends Operation> = (input: CartChanges[Name], key: string) => Promise<Answer[Name]>;

const senders: { [Name in Operation]: Sender<Name> } = {
  addCartItem: ({ userId, item }, key) =>
    answer(api.POST('/public/cart/add/{userId}', { params: { path: { userId }, header: once(key) }, body: item })),
  updateCartItem: ({ update }, key) =>
    answer(api.PUT('/public/cart/item/update', { params: { header: once(key) }, body: update })),
  removeCartItem: ({ userId, cartItemId }, key) => {
    const params = { path: { userId, cartItemId }, header: once(key) };
    return answer(api.DELETE('/public/cart/item/{userId}/remove/{cartItemId}', { params }));
  },
  clearCart: ({ userId }, key) =>
    answer(api.PUT('/public/cart/{userId}/clear', { params: { path: { userId }, header: once(key) } })),
};

const once = (key: string) => ({ 'Idempotency-Key': key });
