import { offlineMessages } from '../../shared/offline';
import type { Sent } from '../outbox/operation';

/** @returns what to say of a change that the outbox keeps for now; nothing of one that was done */
export function queuedSentence(answer: unknown): string | undefined {
  const { queued, because } = (answer ?? {}) as Partial<Extract<Sent, { queued: true }>>;
  if (!queued) return undefined;
  if (because === 'unkept') return offlineMessages.heldOpen;
  return because === 'busy' ? offlineMessages.retried : offlineMessages.queued;
}
