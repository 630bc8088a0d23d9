/** Canceling by staff. Rule: docs/rules/orders-and-payment.md, Canceling by staff */
import { eq } from 'drizzle-orm';
import { orderMessages } from '../../shared/orders';
import { writeAudit } from '../audit/service';
import { orders, type OrderStatus } from '../db/schema/tables';
import type { Connection } from '../db/core/transact';
import { conflict, Problem } from '../http/core/problems';
import { orderNotFound } from '../orders/service';
import type { PaymentParts } from './provider';
import { refundOrder, type RefundRequest } from './refunds';
import { cancelFor } from './sessions';

type Cancellation = Omit<RefundRequest, 'selection'> & { restock: boolean };

/**
 * Cancels an order before anything has shipped: an unpaid one once it can't be paid any longer, a paid one by refunding all
 * of it. An order that is already canceled or refunded stays as it is.
 * @throws Problem 404 order_not_found, 409 order_paid, order_shipped, refund_refused, 502 payment_unavailable
 */
export async function cancelByStaff(parts: PaymentParts, { restock, ...request }: Cancellation): Promise<void> {
  const status = await findStatus(parts.db, request.orderId);
  if (status === 'CANCELLED' || status === 'REFUNDED') return;
  if (status === 'PENDING_PAYMENT') return cancelUnpaidByStaff(parts, request);
  try {
    await refundOrder(parts, { ...request, selection: { isCancel: true, restock } });
  } catch (error) {
    // a colleague's refund returns all of it, or has done so meanwhile
    const isAsked = error instanceof Problem && error.code === 'refund_too_large';
    if (!isAsked && (await findStatus(parts.db, request.orderId)) !== 'REFUNDED') throw error;
  }
}

async function cancelUnpaidByStaff(parts: PaymentParts, { orderId, by, reason }: Omit<Cancellation, 'restock'>) {
  const target = { kind: 'order' as const, id: orderId };
  const [before, after] = [{ status: 'PENDING_PAYMENT' }, { status: 'CANCELLED', reason }];
  await cancelFor(parts, orderId, { as: 'staff', userId: by.userId }, (tx) =>
    writeAudit(tx, { by, action: 'order.canceled', target, before, after, now: parts.clock.now() }),
  );
  if ((await findStatus(parts.db, orderId)) !== 'CANCELLED') throw conflict('order_paid', orderMessages.paidJustNow);
}

async function findStatus(connection: Connection, orderId: string): Promise<OrderStatus> {
  const [order] = await connection.select({ status: orders.status }).from(orders).where(eq(orders.id, orderId));
  if (!order) throw orderNotFound();
  return order.status;
}
