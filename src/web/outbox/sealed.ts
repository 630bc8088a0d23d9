import { outboxMessages } from '../../shared/outbox';
import { ApiError } from '../server/errors';

/** The session of the entry's user is over: the entry waits until that user signs in again. */
export const sealed = () => new ApiError(401, { code: 'session_ended', message: outboxMessages.sealed });
