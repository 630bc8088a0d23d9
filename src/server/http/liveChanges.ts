/**
 * Tells those who listen that something of a user's own changed, after the commit that changed it. Several apps in one
 * process (tests) hear each other; other processes hear of it from live.ts.
 */
import type { OwnChange } from '../../shared/live';
import { afterCommit, type Tx } from '../db/transact';

/** `paid` is a change of `orders` that staff are told apart from others. */
export type LiveChange = OwnChange | 'paid';
type Listener = (userId: string, what: LiveChange) => void;
const listeners = new Set<Listener>();

export function onLiveChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Call it with every change of a user's cart or orders, inside its transaction. */
export function liveChanged(tx: Tx, userId: string, what: LiveChange): void {
  afterCommit(tx, () => {
    for (const listener of listeners) listener(userId, what);
  });
}
