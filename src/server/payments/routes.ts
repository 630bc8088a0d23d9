import type { ContractApi } from '../http/contract';
import { receiveEvent } from './events';
import type { FinaliserParts } from './finaliser';
import { capturePayment, checkStatus } from './service';

export function paymentRoutes(api: ContractApi, parts: FinaliserParts): void {
  api.on('checkPaymentStatus', async ({ db, query, session }) => ({
    message: 'Payment status',
    data: { payment: await checkStatus(db, query.session_id, session.userId) },
  }));
  api.on('capturePayment', async ({ query, session }) => ({
    message: 'Payment received',
    data: {
      payment: await capturePayment(
        parts,
        { sessionId: query.session_id, userId: query.user_id, cartId: query.cart_id },
        session.userId,
      ),
    },
  }));
  api.on('getPaymentSettings', async () => ({
    message: 'Payment settings',
    data: { publishableKey: parts.payments.publishableKey ?? null },
  }));
  api.on('receivePaymentEvent', async ({ request, now }) => {
    const { 'stripe-signature': header } = request.headers;
    const signature = typeof header === 'string' ? header : undefined;
    const event = parts.payments.readEvent(request.rawBody, signature, now);
    const { outcome, reason } = await receiveEvent(parts, event);
    // a refused one is true to its signature and not about an order of ours: somebody has to look at it
    const level = outcome === 'refused' ? 'warn' : 'info';
    request.log[level]({ event: event.id, type: event.type, outcome, reason }, 'payment event');
    return { message: 'Event received', data: {} };
  });
}
