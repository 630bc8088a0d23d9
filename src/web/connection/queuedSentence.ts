import { offlineMessages } from '../../shared/offline';
import type { Sent } from '../outbox/operation';

/** @returns the message for a change stored in the outbox; undefined for a completed one */
export function queuedSentence(answer: unknown): string | undefined {
  const { queued, because } = (answer ?? {}) as Partial<Extract<Sent, { queued: true }>>;
  if (!queued) return undefined;
  if (because === 'unkept') return offlineMessages.heldOpen;
  return because === 'busy' ? offlineMessages.retried : offlineMessages.queued;
}
