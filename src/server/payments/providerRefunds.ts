/** Refunds at the provider. Each carries the id of our row, so that its fate can be asked for after any failure. */
import { Stripe } from 'stripe';
import { RefundRefused, unavailable } from './providerErrors';

export type ProviderRefund = {
  id: string;
  amountCents: number;
  /** Given back, or on its way to the bank. */
  isMade: boolean;
  /** Our row, when we asked for it; undefined for one that was made at the provider by hand. */
  refundId: string | undefined;
};

export type RefundAsked = {
  refundId: string;
  orderId: string;
  paymentIntentId: string;
  amountCents: number;
  /** A new number is a new try; the same number asks for the outcome of the same try. */
  attempt: number;
};

const pageSize = 100;

export const refundCalls = (stripe: Stripe) => ({
  /** @throws RefundRefused, or Problem 502 payment_unavailable: then it may have been made or not */
  async refund({ refundId, orderId, paymentIntentId, amountCents, attempt }: RefundAsked): Promise<ProviderRefund> {
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

  /** All refunds of a payment, ours and those made at the provider by hand. */
  async listRefunds(paymentIntentId: string): Promise<ProviderRefund[]> {
    try {
      const { data } = await stripe.refunds.list({ payment_intent: paymentIntentId, limit: pageSize });
      return data.map(readRefund);
    } catch (error) {
      throw unavailable(error);
    }
  },

  /** @returns the session that a payment was made in; undefined when it was made without one, as another shop's */
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
