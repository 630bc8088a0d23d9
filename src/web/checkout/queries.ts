import { type QueryClient, queryOptions, useMutation } from '@tanstack/react-query';
import { isCartChange } from '../../shared/cart';
import { messages } from '../../shared/checkout';
import type { Schema } from '../../shared/contract';
import { unexpected } from '../../shared/failures';
import { formatMoney, toCents } from '../../shared/money';
import { ApiError } from '../server/errors';
import { answer, api } from '../server/client';
import { belongsToCurrentUser, personalKey } from '../server/queries';
import { session } from '../server/session';
import { outbox } from '../outbox/outbox';
import { toast } from '../ui/toast';
import { notePaying } from '../unpaid/paying';

interface Placing {
  userId: string;
  cartId: string;
  order: Schema<'NewOrder'>;
  /** For an order that waited for a connection: saves what this press accepts. @throws if it must not be ordered */
  accept?: (() => Promise<void>) | undefined;
}

export type OnPlaced = (cache: QueryClient) => Promise<void>;

/** Called when the order is placed, even after the page was left. */
export type GoToPay = (userId: string, placed: { paymentUrl: string; orderId: string }) => void;

const sendTimeoutMs = 10_000;

/**
 * Placing is idempotent by content: the same order again returns the same one, so it needs no idempotency key. The
 * server orders its own cart, but the shown cart includes unsent changes, so these are sent first; if that fails,
 * nothing is ordered.
 */
export function usePlaceOrder(onPlaced: OnPlaced, goToPay: GoToPay) {
  return useMutation({
    mutationFn: async ({ userId, cartId, order, accept }: Placing) => {
      await accept?.();
      if (!(await sendCartChanges(userId))) throw new ApiError(0, { message: messages.cartUnsent });
      const params = { path: { userId, cartId } };
      const call = api.POST('/public/order/{userId}/payment/{cartId}', { params, body: order });
      const throwRejected = async (error: unknown) =>
        throwWithMessage(await withNewTotal(error, call, order.expectedTotal));
      return answer(call, messages.notCreated).catch(throwRejected);
    },
    onSuccess: (placed, { userId }, _before, { client }) => {
      void onPlaced(client);
      if (placed.paymentUrl) goToPay(userId, placed);
      else toast.warning(messages.noPaymentUrl);
    },
    meta: { success: messages.created, failure: messages.failed, shownOnPage: ['total_changed'] },
  });
}

const offerMs = 60_000;

/** Notes the order, so that the cart and the checkout can say what became of it. */
export function goToPaymentPage(
  userId: string,
  { paymentUrl, orderId }: { paymentUrl: string; orderId: string },
): void {
  notePaying(userId, orderId);
  location.assign(paymentUrl);
}

/** Never redirects from another page to the payment: a customer who has left the checkout gets a toast instead. */
export function offerPayment(userId: string, placed: { paymentUrl: string; orderId: string }): void {
  if (session.get()?.id !== userId) return;
  toast.info(messages.unpaid, {
    label: 'Pay now',
    onPress: () => goToPaymentPage(userId, placed),
    endsAt: Date.now() + offerMs,
  });
}

/** The total differs from the shown one, so nothing was ordered; `quote` is the new one. */
export class TotalChanged extends ApiError {
  readonly quote: Schema<'Quote'>;

  constructor({ status, code }: ApiError, message: string, quote: Schema<'Quote'>) {
    super(status, { code, message });
    this.quote = quote;
  }
}

/** Names the old and the new total, in addition to the server's message. */
async function withNewTotal(
  error: unknown,
  call: Promise<{ error?: Schema<'Problem'> }>,
  shown: number | null | undefined,
): Promise<unknown> {
  if (!(error instanceof ApiError && error.code === 'total_changed')) return error;
  const { quote } = (await call).error ?? {};
  if (!quote) return error;
  const { total } = quote;
  const sentences = new Set([error.message]);
  if (typeof shown === 'number' && total !== null && shown !== total)
    sentences.add(messages.totalChanged(formatMoney(toCents(shown)), formatMoney(toCents(total))));
  return new TotalChanged(error, [...sentences].join(' '), quote);
}

/**
 * Errors other than API errors, such as an unreadable response, get their own sentence here.
 * Rule: docs/rules/orders-and-payment.md, Messages
 */
function throwWithMessage(error: unknown): never {
  throw error instanceof ApiError ? error : new ApiError(0, { message: unexpected });
}

/** Sends the unsent changes. @returns false if a cart change was rejected or not sent in time */
async function sendCartChanges(userId: string): Promise<boolean> {
  const tooLate = new Promise<void>((resolve) => setTimeout(resolve, sendTimeoutMs));
  await Promise.race([outbox.flush(), tooLate]);
  return ![...outbox.waiting(userId), ...outbox.refused(userId)].some(isCartChange);
}

/** The inputs of a total, apart from the owner's settings. */
export interface QuoteRequest {
  userId: string;
  cart: Schema<'Cart'> | undefined;
  state: string | undefined;
  methodId: string | undefined;
  code: string | undefined;
}

/**
 * What the cart would cost. Each choice has its own query key, so late responses to older choices are dropped and
 * aborted.
 * Rule: docs/rules/orders-and-payment.md, The quote
 */
export const quoteQuery = ({ userId, cart, state, methodId, code }: QuoteRequest) =>
  queryOptions({
    queryKey: [...personalKey(userId), 'quote', cart?.cartId, cart?.cartItems.map(fingerprint), state, methodId, code],
    queryFn: async ({ signal }) => {
      const call = api.POST('/public/order/{userId}/quote/{cartId}', {
        params: { path: { userId, cartId: cart?.cartId ?? '' } },
        body: {
          ...(state !== undefined && { deliveryAddress: { state } }),
          ...(methodId !== undefined && { deliveryMethodId: methodId }),
          ...(code !== undefined && { discountCode: code }),
        },
        signal,
      });
      return (await answer(call, messages.quoteOrder.failure)).quote;
    },
    staleTime: quoteStaleMs,
    retry: (failures, error) => failures < 1 && !isAnswered(error),
    enabled: ({ queryKey }) => belongsToCurrentUser(queryKey) && Boolean(cart && cart.cartItems.length > 0),
  });

const quoteStaleMs = 5000;

const fingerprint = ({ productId, quantity, currentPrice }: Schema<'CartItem'>) => [productId, quantity, currentPrice];

/** A 4xx is not retried; other errors only once, because a waiting customer presses Try again sooner. */
const isAnswered = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;
