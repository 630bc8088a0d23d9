/** Staff's view of an order (notes, payment, emails, undo), and what staff write to it. */
import { randomUUID } from 'node:crypto';
import { and, asc, desc, eq, inArray, ne } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import type { Carrier } from '../../shared/parcels';
import { fromCents } from '../../shared/money';
import { canMove, staffStatuses, undoStatusMs } from '../../shared/orders';
import { changed, notKept, writeAudit } from '../audit/service';
import { auditLog, mails, orderNotes, orders, paymentEvents, paymentSessions, users } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor, Session } from '../http/contract/access';
import { liveChanged } from '../db/core/changes';
import { mailStateOf } from '../mail/service';
import { lockOrder, type OrderRow } from './lifecycle';
import { setAutomaticLink } from './parcelRows';
import { findLastSteps, findOrder, type FullOrder } from './repository';
import { orderNotFound } from './service';

export type StaffOrder = { order: FullOrder; details: Schema<'OrderDetails'> };
type StaffCall = { session: Session; by: Actor; now: Date };

/** @throws Problem 404 order_not_found */
export async function readOrderForStaff(
  connection: Connection,
  orderId: string,
  session: Session,
  now: Date,
): Promise<StaffOrder> {
  const order = await findOrder(connection, orderId);
  if (!order) throw orderNotFound();
  return {
    order,
    details: {
      account: await findAccount(connection, order.userId),
      notes: await findNotes(connection, orderId),
      payment: await findPayment(connection, orderId),
      emails: await findEmails(connection, orderId),
      ...(await findChanges(connection, order.id)),
      nextStatuses: staffStatuses.filter((status) => canMove(order.status, status)),
      undo: await findUndo(connection, order, session, now),
    },
  };
}

/**
 * Sets or removes the order's tracking link, which its automatic parcel shows.
 * @param url starts with https://, checked by the form
 * @throws Problem 404 order_not_found
 * Rule: docs/rules/orders-and-payment.md, Status changes
 */
export async function setTracking(
  tx: Tx,
  orderId: string,
  shipmentTrackingUrl: string | null,
  { session, by, now }: StaffCall,
): Promise<StaffOrder> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw orderNotFound();
  // the link reveals a person's address
  const facts = changed({ ...order }, { shipmentTrackingUrl }, ['shipmentTrackingUrl']);
  if (facts) {
    await tx.update(orders).set({ shipmentTrackingUrl }).where(eq(orders.id, orderId));
    await setAutomaticLink(tx, orderId, shipmentTrackingUrl);
    await writeAudit(tx, { by, action: trackingSet, target: { kind: 'order', id: orderId }, ...facts, now });
    liveChanged(tx, order.userId, 'orders');
  }
  return readOrderForStaff(tx, orderId, session, now);
}

/** @throws Problem 404 order_not_found */
export async function addNote(
  tx: Tx,
  orderId: string,
  text: string,
  { session, by, now }: StaffCall,
): Promise<StaffOrder> {
  if (!(await lockOrder(tx, orderId))) throw orderNotFound();
  await tx.insert(orderNotes).values({ id: randomUUID(), orderId, byUserId: session.userId, text, at: now });
  const target = { kind: 'order', id: orderId } as const;
  await writeAudit(tx, { by, action: 'order.note_added', target, after: { text: notKept }, now });
  return readOrderForStaff(tx, orderId, session, now);
}

async function findAccount(connection: Connection, userId: string): Promise<Schema<'OrderDetails'>['account']> {
  const { id, fullName, email } = users;
  const [account] = await connection.select({ userId: id, fullName, email }).from(users).where(eq(id, userId));
  if (!account) throw new Error('an order has no account');
  return account;
}

async function findNotes(connection: Connection, orderId: string): Promise<Schema<'OrderNote'>[]> {
  const notes = await connection
    .select({ id: orderNotes.id, text: orderNotes.text, by: users.fullName, at: orderNotes.at })
    .from(orderNotes)
    .innerJoin(users, eq(users.id, orderNotes.byUserId))
    .where(eq(orderNotes.orderId, orderId))
    .orderBy(asc(orderNotes.at), asc(orderNotes.id));
  return notes.map((note) => ({ ...note, at: note.at.toISOString() }));
}

async function findPayment(connection: Connection, orderId: string): Promise<Schema<'OrderPayment'> | null> {
  const [payment] = await connection.select().from(paymentSessions).where(eq(paymentSessions.orderId, orderId));
  if (!payment) return null;
  const { state, amountCents, sessionId, paymentIntentId: paymentId } = payment;
  const declines = await findDeclines(connection, orderId);
  return { state, amount: fromCents(amountCents), sessionId, paymentId, declines };
}

const maxDeclines = 50;

/** The provider sends several events per declined attempt; this one is sent for every kind of failure. */
async function findDeclines(connection: Connection, orderId: string): Promise<Schema<'PaymentDecline'>[]> {
  const declines = await connection
    .select({ reason: paymentEvents.reason, at: paymentEvents.receivedAt })
    .from(paymentEvents)
    .where(and(eq(paymentEvents.orderId, orderId), eq(paymentEvents.type, 'payment_intent.payment_failed')))
    .orderBy(desc(paymentEvents.receivedAt), desc(paymentEvents.id))
    .limit(maxDeclines);
  return declines.toReversed().map(({ reason, at }) => ({ reason, at: at.toISOString() }));
}

async function findEmails(connection: Connection, orderId: string): Promise<Schema<'OrderEmail'>[]> {
  const rows = await connection
    .select({
      id: mails.id,
      kind: mails.kind,
      state: mails.state,
      recipient: mails.recipient,
      sentAt: mails.sentAt,
      createdAt: mails.createdAt,
    })
    .from(mails)
    .where(and(eq(mails.orderId, orderId), ne(mails.kind, 'new_order'))) // that one is for staff
    .orderBy(asc(mails.createdAt), asc(mails.id));
  return rows.map(({ id, kind, state, recipient, sentAt, createdAt }) => ({
    id,
    kind,
    recipient,
    state: mailStateOf({ state, sentAt }),
    at: (sentAt ?? createdAt).toISOString(),
  }));
}

const trackingSet = 'order.tracking_set';

const parcelChanges = {
  'order.parcel_created': 'created',
  'order.parcel_changed': 'changed',
  'order.parcel_deleted': 'deleted',
} as const;
const isParcelChange = (action: string): action is keyof typeof parcelChanges => Object.hasOwn(parcelChanges, action);

/** Read from the audit log. Tracking links and numbers reveal a person's address and are not stored there. */
async function findChanges(
  connection: Connection,
  orderId: string,
): Promise<Pick<Schema<'OrderDetails'>, 'trackingChanges' | 'parcelChanges'>> {
  const rows = await connection
    .select({ action: auditLog.action, after: auditLog.after, by: users.fullName, at: auditLog.at })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.actorId))
    .where(
      and(
        eq(auditLog.targetKind, 'order'),
        eq(auditLog.targetId, orderId),
        inArray(auditLog.action, [trackingSet, ...Object.keys(parcelChanges)]),
      ),
    )
    .orderBy(asc(auditLog.id));
  const changes = rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
  return {
    trackingChanges: changes.filter(({ action }) => action === trackingSet).map(({ by, at }) => ({ by, at })),
    parcelChanges: changes.flatMap(({ action, after, by, at }) => {
      if (!isParcelChange(action)) return [];
      const { carrier = null } = (after ?? {}) as { carrier?: Carrier };
      return [{ change: parcelChanges[action], carrier, by, at }];
    }),
  };
}

/** The status change that this staff member may undo. Rule: docs/rules/orders-and-payment.md, Status changes */
async function findUndo(
  connection: Connection,
  order: OrderRow,
  { userId }: Session,
  now: Date,
): Promise<Schema<'OrderUndo'> | null> {
  const [last, previous] = await findLastSteps(connection, order.id);
  if (!last || !previous || last.byUserId !== userId || !canMove(previous.status, last.status)) return null;
  const until = new Date(last.at.getTime() + undoStatusMs);
  return until < now ? null : { status: previous.status, until: until.toISOString() };
}
