import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../server/client';
import { ApiError, isNoConnection } from '../server/errors';
import { personalKey } from '../server/queries';

export interface PaymentReturn {
  session_id: string;
  user_id: string;
  cart_id: string;
}

const retryAfterMs = 3000;

/** Too many calls, or a server that is stopping, starting or overloaded. */
const isTemporary = (error: unknown) => error instanceof ApiError && (error.status === 429 || error.status === 503);

/**
 * The result of a payment: asks whether it is known, and captures it if not. Retries while the shop is unreachable or
 * asks to come back later, because the customer has paid and must not be told otherwise.
 * @param userId the signed-in user; the server decides whose payment it is
 */
export const paymentQuery = (userId: string, back: PaymentReturn) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'payment', back.session_id],
    queryFn: async ({ client }) => {
      const { session_id } = back;
      const known = await answer(api.GET('/public/order/check-status', { params: { query: { session_id } } }));
      const payment =
        known.payment ?? (await answer(api.GET('/public/order/payment/success', { params: { query: back } }))).payment;
      // the order has left the cart and is now in the history
      void client.invalidateQueries({ queryKey: [...personalKey(userId), 'cart'] });
      void client.invalidateQueries({ queryKey: [...personalKey(userId), 'orders'] });
      return payment;
    },
    retry: (_failures, error) => isNoConnection(error) || isTemporary(error),
    retryDelay: retryAfterMs,
    staleTime: Infinity,
    // a stale failure would be read again, and the payment captured, without an action of the customer
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
