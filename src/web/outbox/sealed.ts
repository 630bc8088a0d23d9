import { outboxMessages, queuedMessages } from '../../shared/outbox';
import { ApiError } from '../server/errors';

/** The session of the entry's user is over: the entry waits until that user signs in again. */
export const sealed = () => new ApiError(401, { code: 'session_ended', message: outboxMessages.sealed });

/** The result of a change that waits. */
export const queuedFor = (because: keyof typeof queuedMessages) =>
  ({ queued: true, because, message: queuedMessages[because] }) as const;
