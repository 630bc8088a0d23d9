/**
 * The two calls of the return page. Both have the same response; only the second calls the provider.
 * Rule: docs/rules/orders-and-payment.md, The payment result page
 */
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import { orderMessages } from '../../shared/orders';
import { orders, orderTimeline, paymentSessions } from '../db/schema/tables';
import type { Db } from '../db/core/transact';
import { conflict, invalid, notFound } from '../http/core/problems';
import { presentParts } from '../orders/present';
import { settlePayment } from './settlePayment';
import type { PaymentParts } from './provider';

export type PaymentReturn = { sessionId: string | undefined; userId: string | undefined; cartId: string | undefined };

/** @returns the customer's own paid order of that session; null while it is unknown or unpaid */
export async function checkStatus(
  db: Db,
  sessionId: string | undefined,
  userId: string,
): Promise<Schema<'Payment'> | null> {
  if (!sessionId) throw missingInformation();
  const [order] = await db
    .select({
      orderId: orders.id,
      orderNumber: orders.orderNumber,
      parts: {
        totalCents: orders.totalCents,
        discountCode: orders.discountCode,
        discountCents: orders.discountCents,
        deliveryName: orders.deliveryName,
        deliveryCents: orders.deliveryCents,
        taxState: orders.taxState,
        taxRatePpm: orders.taxRatePpm,
        taxCents: orders.taxCents,
      },
      orderStatus: orders.status,
      isGivenBack: sql<boolean>`${orders.status} = 'CANCELLED' or (${orders.status} = 'REFUNDED' and not exists (
        select 1 from ${orderTimeline} where ${orderTimeline.orderId} = ${orders.id} and ${orderTimeline.status} = 'PAID'))`,
    })
    .from(paymentSessions)
    .innerJoin(orders, eq(orders.id, paymentSessions.orderId))
    .where(
      and(
        eq(paymentSessions.sessionId, sessionId),
        eq(orders.userId, userId),
        or(
          inArray(orders.status, ['PAID', 'OUT_FOR_DELIVERY', 'DELIVERED', 'REFUNDED']),
          // paid too late: about to be refunded
          and(eq(orders.status, 'CANCELLED'), eq(paymentSessions.state, 'paid')),
        ),
      ),
    );
  if (!order) return null;
  const { parts, ...payment } = order;
  return { ...payment, totalAmount: fromCents(parts.totalCents), ...presentParts(parts) };
}

/**
 * Fetches the session from the provider and finishes what it paid. It cannot create anything that the provider does not
 * confirm, so it may be a GET. Only the customer's own sessions are looked up, so that nobody can make the shop query
 * made-up ones.
 * @throws Problem 400 missing_payment_information; 404 payment_not_found, the same for a made-up, foreign or mismatched
 * one; 409 payment_not_completed; 502 payment_unavailable
 */
export async function capturePayment(
  parts: PaymentParts,
  returned: PaymentReturn,
  userId: string,
): Promise<Schema<'Payment'>> {
  if (!returned.sessionId || !returned.userId || !returned.cartId) throw missingInformation();
  const isOwn =
    returned.userId === userId && (await ownsSession(parts.db, returned.sessionId, returned.cartId, userId));
  const session = isOwn ? await parts.payments.findSession(returned.sessionId) : undefined;
  if (!session) throw notFound('payment_not_found', 'Payment not found');
  await settlePayment(parts, session);
  const payment = await checkStatus(parts.db, session.id, userId);
  if (!payment) throw conflict('payment_not_completed', "This payment hasn't been completed");
  return payment;
}

async function ownsSession(db: Db, sessionId: string, cartId: string, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ cartId: orders.cartId })
    .from(paymentSessions)
    .innerJoin(orders, eq(orders.id, paymentSessions.orderId))
    .where(and(eq(paymentSessions.sessionId, sessionId), eq(orders.userId, userId)));
  return row?.cartId === cartId.toLowerCase();
}

const missingInformation = () => invalid(orderMessages.missingPayment, [], 'missing_payment_information');
