/**
 * What the return page asks. Both answer the same; only the second asks the provider.
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
import { finalise } from './settlePayment';
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
          // paid when it was too late: the money is about to be given back
          and(eq(orders.status, 'CANCELLED'), eq(paymentSessions.state, 'paid')),
        ),
      ),
    );
  if (!order) return null;
  const { parts, ...payment } = order;
  return { ...payment, totalAmount: fromCents(parts.totalCents), ...presentParts(parts) };
}

/**
 * Asks the provider about the session and finishes what it paid. It cannot create anything that the provider does not
 * confirm, so it may be a GET. The provider is asked about the customer's own sessions only: nobody can have it asked
 * about made-up ones.
 * @throws Problem 400 missing_payment_information; 404 payment_not_found, the same for a guessed, foreign or mismatched
 * one; 409 payment_not_completed; 502 payment_unavailable
 */
export async function capturePayment(
  parts: PaymentParts,
  asked: PaymentReturn,
  userId: string,
): Promise<Schema<'Payment'>> {
  if (!asked.sessionId || !asked.userId || !asked.cartId) throw missingInformation();
  const isOwn = asked.userId === userId && (await ownsSession(parts.db, asked.sessionId, asked.cartId, userId));
  const session = isOwn ? await parts.payments.findSession(asked.sessionId) : undefined;
  if (!session) throw notFound('payment_not_found', 'Payment not found');
  await finalise(parts, session);
  const payment = await checkStatus(parts.db, session.id, userId);
  if (!payment) throw conflict('payment_not_completed', 'This payment has not been completed');
  return payment;
}

async function ownsSession(db: Db, sessionId: string, cartId: string, userId: string): Promise<boolean> {
  const [found] = await db
    .select({ cartId: orders.cartId })
    .from(paymentSessions)
    .innerJoin(orders, eq(orders.id, paymentSessions.orderId))
    .where(and(eq(paymentSessions.sessionId, sessionId), eq(orders.userId, userId)));
  return found?.cartId === cartId.toLowerCase();
}

const missingInformation = () => invalid(orderMessages.missingPayment, [], 'missing_payment_information');
