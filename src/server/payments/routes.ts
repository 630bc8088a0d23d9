import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { v5 as uuidFrom } from 'uuid';
import type { Schema } from '../../shared/contract';
import { toCents } from '../../shared/money';
import { orderMessages } from '../../shared/orders';
import { orderStaffMessages } from '../../shared/ordersStaff';
import { paymentSettingsMessages } from '../../shared/paymentSettings';
import type { ContractApi } from '../http/contract/contract';
import { presentOrder } from '../orders/present';
import { readOrder } from '../orders/service';
import { cancelByStaff } from './cancelOrder';
import { receiveEvent } from './events';
import { invalid } from '../http/core/problems';
import { checkPaymentKey } from './keyCheck';
import type { PaymentParts } from './provider';
import type { RefundSelection } from './refundParts';
import { refundOrder } from './refunds';
import { capturePayment, checkStatus } from './service';
import { readPaymentStatus } from './status';

export function paymentRoutes(api: ContractApi, parts: PaymentParts): void {
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
  api.on('getPaymentStatus', async ({ db }) => ({
    message: paymentSettingsMessages.getPaymentStatus.success,
    data: { payments: await readPaymentStatus(db, parts.payments) },
  }));
  api.on('checkPayments', async ({ db, request }) => {
    await checkPaymentKey(parts, request.log);
    return {
      message: paymentSettingsMessages.checkPayments.success,
      data: { payments: await readPaymentStatus(db, parts.payments) },
    };
  });
  api.on('refundOrder', async ({ db, params, session, by, body, request }) => {
    const refund = await refundOrder(parts, {
      refundId: refundIdOf(request.headers['idempotency-key'], session.userId),
      orderId: params.orderId,
      selection: selectionOf(body),
      reason: body.reason.trim(),
      customerNote: body.customerNote?.trim() || null,
      by,
    });
    const { id, orderId, state, amountCents } = refund;
    request.log.info({ refund: id, orderId, state, amountCents, actor: session.userId }, 'refund');
    const orderResponse = presentOrder(await readOrder(db, orderId, session), session);
    const presented = orderResponse.refunds?.find((each) => each.id === id);
    if (!presented) throw new Error(`refund ${id} isn't in its order's refunds`);
    return {
      message: state === 'done' ? orderMessages.refundOrder.success : orderMessages.refundOrder.asked,
      data: { refund: presented, orderResponse },
    };
  });
  api.on('cancelOrder', async ({ db, params, session, by, body, request }) => {
    await cancelByStaff(parts, {
      refundId: refundIdOf(request.headers['idempotency-key'], session.userId),
      orderId: params.orderId,
      reason: body.reason?.trim() || orderStaffMessages.canceled,
      customerNote: body.customerNote?.trim() || null,
      restock: body.restock,
      by,
    });
    return {
      message: orderMessages.cancelOrder.success,
      data: { orderResponse: presentOrder(await readOrder(db, params.orderId, session), session) },
    };
  });
  receiveEvents(api, parts);
}

function receiveEvents(api: ContractApi, parts: PaymentParts): void {
  api.on(
    'receivePaymentEvent',
    async ({ request, now }) => {
      const event = parts.payments.readEvent(request.rawBody, signatureOf(request.headers), now);
      const { outcome, reason } = await receiveEvent(parts, event);
      // a refused event is genuine but not about an order of ours: staff have to look at it
      const level = outcome === 'refused' ? 'warn' : 'info';
      request.log[level]({ event: event.id, type: event.type, outcome, reason }, 'payment event');
      return { message: 'Event received', data: {} };
    },
    // before parsing: parsing a megabyte takes much longer, and any client can send one
    { checkBytes: (bytes, headers) => parts.payments.requireSigned(bytes, signatureOf(headers), parts.clock.now()) },
  );
}

function signatureOf({ 'stripe-signature': header }: IncomingHttpHeaders): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

/** @throws Problem 400 invalid_request for both lines and an amount, or for the same line twice */
function selectionOf({ amount, restock, lines, delivery }: Schema<'NewRefund'>): RefundSelection {
  if (!lines && !delivery) return { amountCents: amount === undefined ? undefined : toCents(amount), restock };
  if (amount !== undefined) throw invalid(orderStaffMessages.isBoth);
  if (restock) throw invalid(orderStaffMessages.isNoRestock);
  const selectedLines = (lines ?? []).map(({ orderItemId, quantity, restock: restocks, cameBack = false }) => ({
    orderItemId: orderItemId.toLowerCase(),
    units: quantity,
    restock: restocks,
    cameBack,
  }));
  if (new Set(selectedLines.map(({ orderItemId }) => orderItemId)).size < selectedLines.length)
    throw invalid(orderStaffMessages.isTwice);
  return { lines: selectedLines, delivery: delivery ?? false };
}

/** A repeated click is the same refund, also when the first response was lost. */
const refundIdOf = (key: unknown, userId: string) =>
  typeof key === 'string' ? uuidFrom(`refund by ${userId}`, key.toLowerCase()) : randomUUID();
