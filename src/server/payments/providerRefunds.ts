/** Refunds at the provider. Each carries our row's id, so its outcome can be looked up after any failure. */
import { Stripe } from 'stripe';
import { RefundRefused, unavailable } from './providerErrors';

export type ProviderRefund = {
  id: string;
  amountCents: number;
  /** Refunded, or on its way to the bank. */
  isMade: boolean;
  /** Our row's id if we requested it; undefined for a refund made by hand at the provider. */
  refundId: string | undefined;
};

export type ProviderRefundRequest = {
  refundId: string;
  orderId: string;
  paymentIntentId: string;
  amountCents: number;
  /** A new number is a new attempt; the same number asks for the outcome of the same attempt. */
  attempt: number;
};

const pageSize = 100;

export const refundCalls = (stripe: Stripe) => ({
  /** @throws RefundRefused, or Problem 502 payment_unavailable: then it may or may not have been made */
  async refund({
    refundId,
    orderId,
    paymentIntentId,
    amountCents,
    attempt,
  }: ProviderRefundRequest): Promise<ProviderRefund> {
    const request = {
      payment_intent: paymentIntentId,
      amount: amountCents,
      metadata: { refund_id: refundId, order_id: orderId },
    };
    const idempotencyKey = attempt === 0 ? `refund-${refundId}` : `refund-${refundId}-${attempt}`;
    try {
      return readRefund(await stripe.refunds.create(request, { idempotencyKey }));
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400)
        throw new RefundRefused(error.code ?? error.message, { cause: error });
      throw unavailable(error);
    }
  },

  /** All refunds of a payment: ours and those made by hand at the provider. */
  async listRefunds(paymentIntentId: string): Promise<ProviderRefund[]> {
    try {
      const { data } = await stripe.refunds.list({ payment_intent: paymentIntentId, limit: pageSize });
      return data.map(readRefund);
    } catch (error) {
      throw unavailable(error);
    }
  },

  /** @returns the session of a payment; undefined for a payment without one, such as another shop's */
  async findSessionIdOf(paymentIntentId: string): Promise<string | undefined> {
    try {
      const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 });
      return data[0]?.id;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return undefined;
      throw unavailable(error);
    }
  },
});

const readRefund = ({ id, amount, status, metadata }: Stripe.Refund): ProviderRefund => ({
  id,
  amountCents: amount,
  isMade: status !== 'failed' && status !== 'canceled',
  refundId: metadata?.['refund_id'],
});
