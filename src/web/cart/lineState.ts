import { type CartChange, isCartChange } from '../../shared/cart';
import { type Entry, type Rejection } from '../outbox/entry';
import type { Operation } from '../outbox/operation';
import { outbox, useRefused, useWaiting } from '../outbox/outbox';
import { cartOperations } from './operations';

/** @returns whether a change is about a product's line alone */
export function isAbout({ operation, input }: CartChange, productId: string): boolean {
  const definition: Operation = cartOperations[operation];
  return definition.isAbout?.(input, productId) ?? false;
}

/** What the outbox holds of one line of the cart. */
export interface LineState {
  /** Changes of this line (or of the whole cart) that are on their way. */
  waiting: readonly Entry[];
  /** Changes of this line that the server refused, the last with the reason to show. */
  refused: readonly Entry[];
  reason: Rejection | undefined;
  /** Sends the refused ones again. */
  retry: () => void;
  /** Gives the refused ones up. */
  discard: () => void;
}

/** @returns what to mark on a product's line */
export function useLineState(userId: string, productId: string): LineState {
  const isOfLine = (entry: Entry) =>
    isCartChange(entry) && (entry.operation === 'clearCart' || isAbout(entry, productId));
  const waiting = useWaiting(userId).filter(isOfLine);
  const refused = useRefused(userId).filter(isOfLine);
  const each = (act: (key: string) => Promise<void>) => () => refused.forEach(({ key }) => void act(key));
  return {
    waiting,
    refused,
    reason: refused.at(-1)?.reason,
    retry: each(outbox.retry),
    discard: each(outbox.discard),
  };
}
