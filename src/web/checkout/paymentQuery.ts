import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../server/client';
import { ApiError, isNoConnection } from '../server/errors';
import { personalKey } from '../server/queries';

export interface PaymentReturn {
  session_id: string;
  user_id: string;
  cart_id: string;
}

const askAgainAfterMs = 3000;

/** Of too many calls, or of a shop that is just closing, starting or crowded. */
const isForLater = (error: unknown) => error instanceof ApiError && (error.status === 429 || error.status === 503);

/**
 * What became of a payment: first asks whether it is known, and captures it when it is not. While the shop cannot
 * be reached, or asks to come later, it is asked again: the customer has paid, and must not be told otherwise.
 * @param userId who asks; whose payment it is, the server says
 */
export const paymentQuery = (userId: string, back: PaymentReturn) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'payment', back.session_id],
    queryFn: async ({ client }) => {
      const { session_id } = back;
      const known = await answer(api.GET('/public/order/check-status', { params: { query: { session_id } } }));
      const payment =
        known.payment ?? (await answer(api.GET('/public/order/payment/success', { params: { query: back } }))).payment;
      // the order has left the cart and is in the history now
      void client.invalidateQueries({ queryKey: [...personalKey(userId), 'cart'] });
      void client.invalidateQueries({ queryKey: [...personalKey(userId), 'orders'] });
      return payment;
    },
    retry: (_failures, error) => isNoConnection(error) || isForLater(error),
    retryDelay: askAgainAfterMs,
    staleTime: Infinity,
    // a stale failure would be read again, and the payment captured, without the customer's action
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
