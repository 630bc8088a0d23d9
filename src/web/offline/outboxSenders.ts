import { offlineSays } from '../../shared/offline';
import { ApiError } from '../api/apiError';
import { answer, api, apiForVisitors, speaksFor } from '../api/client';
import { type Answers, type Change, type Changes, type Entry, type Operation, visitor } from './outboxEntry';

type Sender<Name extends Operation> = (input: Changes[Name], options: Options) => Promise<Answers[Name]>;
interface Options {
  header: { 'Idempotency-Key': string };
  signal: AbortSignal;
}

const timeoutMs = 10_000;

/**
 * Sends an entry in the name of the user who made it, whoever the browser's cookie belongs to by now.
 * @throws ApiError of the server; 401 when that user's session is over
 */
export async function sendEntry(entry: Entry): Promise<Answers[Operation]> {
  if (entry.userId !== visitor && !(await speaksFor(entry.userId))) throw sealed();
  const options = { header: { 'Idempotency-Key': entry.key }, signal: AbortSignal.timeout(timeoutMs) };
  try {
    return await sendChange(entry, options);
  } catch (error) {
    throw error instanceof ApiError && error.status === 401 ? sealed() : error;
  }
}

const sealed = () => new ApiError(401, { code: 'session_ended', message: offlineSays.sealed });

function sendChange(change: Change, options: Options): Promise<Answers[Operation]> {
  const send = senders[change.operation] as Sender<Operation>;
  return send(change.input, options);
}

const senders: { [Name in Operation]: Sender<Name> } = {
  addCartItem: ({ userId, item }, { header, signal }) =>
    answer(api.POST('/public/cart/add/{userId}', { params: { path: { userId }, header }, body: item, signal })),
  updateCartItem: ({ update }, { header, signal }) =>
    answer(api.PUT('/public/cart/item/update', { params: { header }, body: update, signal })),
  removeCartItem: ({ userId, cartItemId }, { header, signal }) => {
    const params = { path: { userId, cartItemId }, header };
    return answer(api.DELETE('/public/cart/item/{userId}/remove/{cartItemId}', { params, signal }));
  },
  clearCart: ({ userId }, { header, signal }) =>
    answer(api.PUT('/public/cart/{userId}/clear', { params: { path: { userId }, header }, signal })),
  createContactMessage: ({ userId, message }, { header, signal }) => {
    const { POST } = userId === visitor ? apiForVisitors : api;
    return answer(POST('/public/contact/create', { params: { header }, body: message, signal }));
  },
};
