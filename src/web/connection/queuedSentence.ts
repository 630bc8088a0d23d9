import type { Sent } from '../outbox/operation';

/** @returns the message for a change stored in the outbox; undefined for a completed one */
export function queuedSentence(answer: unknown): string | undefined {
  const { queued, message } = (answer ?? {}) as Partial<Extract<Sent, { queued: true }>>;
  return queued ? message : undefined;
}
