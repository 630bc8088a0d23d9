import { queryOptions, useMutation } from '@tanstack/react-query';
import { isCartChange } from '../../shared/cart';
import { says } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { unexpected } from '../../shared/failures';
import { ApiError, isNoConnection } from '../server/errors';
import { answer, api } from '../server/client';
import { personalKey } from '../server/queries';
import { outbox } from '../outbox/outbox';
import { toast } from '../ui/toast';

interface Placing {
  userId: string;
  cartId: string;
  order: Schema<'NewOrder'>;
}

const sendsWithinMs = 10_000;

/**
 * Placing is idempotent by what is ordered: the same again gives the same order, so it carries no key. What is ordered is
 * the server's cart, and what is shown has the changes on top that wait: they are sent first, or nothing is ordered.
 */
export function usePlaceOrder() {
  return useMutation({
    mutationFn: async ({ userId, cartId, order }: Placing) => {
      if (!(await isCartSent(userId))) throw new ApiError(0, { message: says.cartUnsent });
      const params = { path: { userId, cartId } };
      const call = api.POST('/public/order/{userId}/payment/{cartId}', { params, body: order });
      return answer(call, says.notCreated).catch(sayUnexpected);
    },
    onSuccess: ({ paymentUrl }) => {
      if (!paymentUrl) toast.warning(says.noPaymentUrl);
    },
    meta: { success: says.created, failure: says.failed },
  });
}

/**
 * What is no refusal, as an answer that cannot be read, has a sentence of its own here.
 * Rule: docs/rules/orders-and-payment.md, Messages
 */
function sayUnexpected(error: unknown): never {
  throw error instanceof ApiError ? error : new ApiError(0, { message: unexpected });
}

/** Sends what waits. @returns false when the shop did not take a change of the cart, or not in time */
async function isCartSent(userId: string): Promise<boolean> {
  const tooLate = new Promise<void>((resolve) => setTimeout(resolve, sendsWithinMs));
  await Promise.race([outbox.flush(), tooLate]);
  return ![...outbox.waiting(userId), ...outbox.refused(userId)].some(isCartChange);
}

export interface PaymentReturn {
  session_id: string;
  user_id: string;
  cart_id: string;
}

const askAgainAfterMs = 3000;

/**
 * What became of a payment: first asks whether it is known, and captures it, once, when it is not. While the shop cannot
 * be reached it is asked again: the customer has paid, and must not be told otherwise.
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
    retry: (_failures, error) => isNoConnection(error),
    retryDelay: askAgainAfterMs,
    staleTime: Infinity,
    // a stale failure would be read again, and the payment captured, without the customer's action
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
