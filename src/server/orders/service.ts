/** Reading orders and changing their status by hand. Placing is in placing.ts. */
import { canMove, illegalMove, orderMessages, undoStatusMs } from '../../shared/orders';
import { writeAudit } from '../audit/service';
import type { Actor, Session } from '../http/contract/access';
import type { OrderStatus } from '../db/schema/tables';
import type { Connection, Db, Tx } from '../db/core/transact';
import { conflict, notFound } from '../http/core/problems';
import { type Canceler, lockOrder, moveOrder } from './lifecycle';
import { shipRest, unshipStep } from './parcelRows';
import { findLastSteps, findOrder, type FullOrder } from './repository';

/**
 * @returns the order; staff may read any customer's
 * @throws Problem 404 order_not_found, also for another customer's order
 */
export async function readOrder(connection: Connection, orderId: string, session: Session): Promise<FullOrder> {
  const order = await findOrder(connection, orderId);
  const isStaff = session.role !== 'ROLE_CUSTOMER';
  if (!order || (order.userId !== session.userId && !isStaff)) throw orderNotFound();
  return order;
}

type CancelingParts = { db: Db; payments: { cancelFor: (orderId: string, canceler: Canceler) => Promise<void> } };

/**
 * Cancels the user's own unpaid order. A repeated call changes nothing.
 * @throws Problem 404 order_not_found, 409 order_paid, 502 payment_unavailable
 * Rule: docs/rules/orders-and-payment.md, Canceling an unpaid order
 */
export async function cancelOwnOrder(parts: CancelingParts, orderId: string, session: Session): Promise<FullOrder> {
  const order = await readOwnOrder(parts.db, orderId, session);
  if (order.status === 'PENDING_PAYMENT')
    await parts.payments.cancelFor(orderId, { as: 'customer', userId: order.userId });
  const after = order.status === 'PENDING_PAYMENT' ? await readOwnOrder(parts.db, orderId, session) : order;
  if (after.status !== 'CANCELLED') throw conflict('order_paid', orderMessages.orderPaid);
  return after;
}

async function readOwnOrder(db: Db, orderId: string, session: Session): Promise<FullOrder> {
  const order = await findOrder(db, orderId);
  if (order?.userId !== session.userId) throw orderNotFound();
  return order;
}

/**
 * Moves an order forward, or back for the staff member who moved it within the last 10 s. A step forward ships what is left
 * in an automatic parcel, and a step back takes that parcel along with its mail.
 * @throws Problem 404 order_not_found, 409 illegal_status_change
 * Rule: docs/rules/orders-and-payment.md, Status changes
 */
export async function updateOrderStatus(
  tx: Tx,
  orderId: string,
  status: OrderStatus,
  session: Session,
  by: Actor,
  now: Date,
): Promise<FullOrder> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw orderNotFound();
  const isForward = canMove(order.status, status);
  if (!isForward && !(await mayUndo(tx, orderId, status, session.userId, now))) {
    throw conflict('illegal_status_change', illegalMove(order.status, status));
  }
  const unmoved = isForward ? await findOrder(tx, orderId) : undefined;
  await moveOrder(tx, orderId, { status, byUserId: session.userId, at: now });
  const target = { kind: 'order' as const, id: orderId };
  const [before, after] = [{ status: order.status }, { status }];
  await writeAudit(tx, { by, action: 'order.status_changed', target, before, after, now });
  const notify = status === 'OUT_FOR_DELIVERY';
  if (unmoved) await shipRest(tx, unmoved, { status, byUserId: session.userId, notify, now });
  else await unshipStep(tx, orderId, order.status);
  return readOrder(tx, orderId, session);
}

async function mayUndo(tx: Tx, orderId: string, status: OrderStatus, userId: string, now: Date): Promise<boolean> {
  const [last, previous] = await findLastSteps(tx, orderId);
  if (!last || previous?.status !== status || last.byUserId !== userId) return false;
  return canMove(previous.status, last.status) && now.getTime() - last.at.getTime() <= undoStatusMs;
}

export const orderNotFound = () => notFound('order_not_found', 'Order not found');
