/** An order's payment session: opened after the order was written, ended before the order is replaced. */
import { and, eq, sql } from 'drizzle-orm';
import { orderItems, orders, paymentSessions, users } from '../db/schema';
import type { Clock } from '../clock';
import { transact, type Db } from '../db/transact';
import { cancelOrder, finalise, type FinaliserParts } from './finaliser';
import {
  SessionFailed,
  SessionRefused,
  unavailable,
  type Payments,
  type ProviderSession,
  type SessionRequest,
} from './provider';
import { lockCart } from '../cart/repository';
import { lockOrder } from '../orders/repository';

type Parts = { db: Db; clock: Clock; payments: Payments };

/**
 * Opens the order's session, or finds the one that is open: asked again after any failure, it is the same one.
 * @returns the page where it is paid
 * @throws Problem 502 payment_unavailable
 */
export async function openPayment(parts: Parts, orderId: string): Promise<string> {
  const known = await findPayment(parts.db, orderId);
  if (known?.url) return known.url;
  const session = await createSession(parts, orderId);
  if (!session?.url) throw unavailable(undefined);
  return session.url;
}

/**
 * Makes an order's payment impossible. One that was paid first is finished instead; one whose session was never opened
 * is opened under its own key, so that no late answer can open it afterwards.
 */
export async function endPayment(parts: FinaliserParts, orderId: string): Promise<void> {
  const known = await findPayment(parts.db, orderId);
  const sessionId = known?.sessionId ?? (await createSession(parts, orderId))?.id;
  if (sessionId === undefined) return; // refused for good, and its order cancelled
  const ended = await parts.payments.expireSession(sessionId);
  // an expired one is left to the caller, who replaces order and hold in one transaction
  if (ended.isPaid) await finalise(parts, ended);
}

/** @returns undefined when the provider refuses: then no session exists, and the order has been cancelled */
async function createSession({ db, clock, payments }: Parts, orderId: string): Promise<ProviderSession | undefined> {
  try {
    const session = await payments.openSession(await readRequest(db, orderId));
    await db
      .update(paymentSessions)
      .set({ sessionId: session.id, url: session.url ?? null, state: 'open' })
      .where(and(eq(paymentSessions.orderId, orderId), eq(paymentSessions.state, 'creating')));
    return session;
  } catch (error) {
    if (error instanceof SessionFailed) {
      await nextAttempt(db, orderId);
      throw unavailable(error);
    }
    if (!(error instanceof SessionRefused)) throw error;
    await transact(db, async (tx) => {
      const [owner] = await tx.select({ userId: orders.userId }).from(orders).where(eq(orders.id, orderId));
      if (owner) await lockCart(tx, owner.userId);
      const order = await lockOrder(tx, orderId);
      if (order?.status === 'PENDING_PAYMENT')
        await cancelOrder(tx, order, clock.now(), 'The payment could not be opened');
    });
    return undefined;
  }
}

/** What the provider made of the failed try can be paid by nobody: its page was never told to anyone. */
const nextAttempt = (db: Db, orderId: string) =>
  db
    .update(paymentSessions)
    .set({ attempt: sql`${paymentSessions.attempt} + 1` })
    .where(eq(paymentSessions.orderId, orderId));

async function findPayment(db: Db, orderId: string) {
  const [found] = await db.select().from(paymentSessions).where(eq(paymentSessions.orderId, orderId));
  return found;
}

/** The same call for the same order, to the letter: the provider tells a repetition by it. */
async function readRequest(db: Db, orderId: string): Promise<SessionRequest> {
  const rows = await db
    .select({
      order: orders,
      email: users.email,
      expiresAt: paymentSessions.expiresAt,
      attempt: paymentSessions.attempt,
      item: orderItems,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .innerJoin(paymentSessions, eq(paymentSessions.orderId, orders.id))
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(eq(orders.id, orderId))
    .orderBy(orderItems.position);
  const [first] = rows;
  if (!first) throw new Error(`order ${orderId} has no lines`);
  const { userId, cartId } = first.order;
  return {
    orderId,
    userId,
    cartId,
    email: first.email,
    expiresAt: first.expiresAt,
    attempt: first.attempt,
    lines: rows.map(({ item }) => ({
      name: item.productName,
      unitPriceCents: item.unitPriceCents,
      quantity: item.quantity,
    })),
  };
}
