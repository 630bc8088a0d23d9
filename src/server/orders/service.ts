/** Reading orders, and moving them by hand. Placing one is in placing.ts. */
import { canMove, statusLabels, undoStatusMs } from '../../shared/orders';
import type { Session } from '../http/access';
import type { OrderStatus } from '../db/schema';
import type { Connection, Tx } from '../db/transact';
import { conflict, notFound } from '../http/problems';
import { findLastSteps, findOrder, lockOrder, moveOrder, type FullOrder } from './repository';

/**
 * @returns the order; staff read anybody's
 * @throws Problem 404 order_not_found, for another customer's order too
 */
export async function readOrder(connection: Connection, orderId: string, session: Session): Promise<FullOrder> {
  const order = await findOrder(connection, orderId);
  const isStaff = session.role !== 'ROLE_CUSTOMER';
  if (!order || (order.userId !== session.userId && !isStaff)) throw orderNotFound();
  return order;
}

/**
 * Moves an order forward, or, for whoever just moved it and within 10 s, back.
 * @throws Problem 404 order_not_found, 409 illegal_status_change
 * Source: decisions §7
 */
export async function updateOrderStatus(
  tx: Tx,
  orderId: string,
  status: OrderStatus,
  session: Session,
  now: Date,
): Promise<FullOrder> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw orderNotFound();
  if (!canMove(order.status, status) && !(await mayTakeBack(tx, orderId, status, session.userId, now))) {
    throw conflict(
      'illegal_status_change',
      `An order that is ${statusLabels[order.status]} cannot become ${statusLabels[status]}`,
    );
  }
  await moveOrder(tx, orderId, { status, byUserId: session.userId, at: now });
  return readOrder(tx, orderId, session);
}

async function mayTakeBack(tx: Tx, orderId: string, status: OrderStatus, userId: string, now: Date): Promise<boolean> {
  const [last, former] = await findLastSteps(tx, orderId);
  if (!last || former?.status !== status || last.byUserId !== userId) return false;
  return canMove(former.status, last.status) && now.getTime() - last.at.getTime() <= undoStatusMs;
}

const orderNotFound = () => notFound('order_not_found', 'Order not found');
