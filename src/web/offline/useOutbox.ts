import { useSyncExternalStore } from 'react';
import { isAbout } from '../../shared/cart';
import { outbox } from './outbox';
import type { Entry, Refusal } from './outboxEntry';

/** What the outbox holds of one line of the cart. */
export interface LineState {
  /** Changes of this line (or of the whole cart) that are on their way. */
  waiting: readonly Entry[];
  /** Changes of this line that the server refused, the last with the reason to show. */
  refused: readonly Entry[];
  reason: Refusal | undefined;
  /** Sends the refused ones again. */
  retry: () => void;
  /** Gives the refused ones up. */
  discard: () => void;
}

const use = (read: () => readonly Entry[]) => useSyncExternalStore(outbox.subscribe, read, () => none);
const none: readonly Entry[] = [];

/** @returns the user's changes that wait to be sent, oldest first: their number is the banner's and the app badge's */
export function useWaiting(userId: string): readonly Entry[] {
  return use(() => outbox.waiting(userId));
}

/** @returns the user's changes that the server refused; one for a product without a line has its name in `input.item` */
export function useRefused(userId: string): readonly Entry[] {
  return use(() => outbox.refused(userId));
}

/** @returns how many changes of somebody else's wait on this device until that user signs in */
export function useSealedCount(userId: string): number {
  return use(() => outbox.sealed(userId)).length;
}

/** @returns what to mark on a product's line */
export function useLineState(userId: string, productId: string): LineState {
  const isOfLine = (entry: Entry) => {
    if (entry.operation === 'createContactMessage') return false;
    return entry.operation === 'clearCart' || isAbout(entry, userId, productId);
  };
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
