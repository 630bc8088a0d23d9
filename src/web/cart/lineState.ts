import { type CartChange, isCartChange } from '../../shared/cart';
import { type Entry, type Rejection } from '../outbox/entry';
import type { Operation } from '../outbox/operation';
import { outbox, useRefused, useWaiting } from '../outbox/outbox';
import { cartOperations } from './operations';

/** @returns whether a change affects only this product's line */
export function isAbout({ operation, input }: CartChange, productId: string): boolean {
  const definition: Operation = cartOperations[operation];
  return definition.isAbout?.(input, productId) ?? false;
}

/** The outbox entries of one cart line. */
export interface LineState {
  /** Unsent changes of this line or of the whole cart. */
  waiting: readonly Entry[];
  /** Rejected changes of this line; the reason of the last one is shown. */
  refused: readonly Entry[];
  reason: Rejection | undefined;
  /** Sends the rejected changes again. */
  retry: () => void;
  /** Discards the rejected changes. */
  discard: () => void;
}

/** @returns the state to show on a product's line */
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
