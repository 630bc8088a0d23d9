/** An order's payment session: opened after the order is written, ended before the order is replaced. */
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { nameWithSize } from '../../shared/sizes';
import { findOrderHistory } from '../users/core/orderHistory';
import { orderItems, orders, paymentSessions, users } from '../db/schema/tables';
import { prepared, transact, type Connection, type Db, type Tx } from '../db/core/transact';
import { moveHold } from '../orders/holding';
import {
  cancelOrder,
  type Canceler,
  lockOrderAndCart,
  nameCanceler,
  notesOfCanceler,
  payableForMs,
} from '../orders/lifecycle';
import { settlePayment } from './settlePayment';
import { paidPartsOf } from './chargedParts';
import type { PaymentParts, ProviderSession, SessionRequest } from './provider';
import { SessionBeingOpened, SessionFailed, SessionRefused, SessionTooLate, unavailable } from './providerErrors';

type OpenedSession = Pick<ProviderSession, 'id' | 'url'>;

/** A concurrent call waits about as long as the first one may take. */
const twinWaitMs = 10_000;
const pollMs = 200;

/** The payment functions that placing an order uses. */
export const paymentsOfOrders = (parts: PaymentParts) => ({
  open: (orderId: string) => openPayment(parts, orderId),
  end: async (orderId: string) => void (await endPayment(parts, orderId)),
  cancel: (orderId: string) => cancelPayment(parts, orderId),
  cancelFor: (orderId: string, canceler: Canceler) => cancelFor(parts, orderId, canceler),
});

/** The payment functions that claiming an email address uses. */
export const paymentsOfAccounts = (parts: PaymentParts) => ({
  async endUnpaid(userId: string): Promise<void> {
    const { openOrderId } = await findOrderHistory(parts.db, userId);
    if (openOrderId === undefined) return;
    await endPayment(parts, openOrderId);
    await cancelUnpaid(parts, openOrderId, 'The email of the account was claimed');
  },
});

/**
 * Opens the order's session, or finds the open one: a retry after any failure gets the same session. If the requested end
 * is now too close and the provider has no such session, it is requested with a later end under the next key, and a first
 * order's hold moves with it.
 * @returns the payment page; undefined when the order can no longer be paid and has been canceled
 * @throws Problem 502 payment_unavailable; the order has been canceled if the provider rejected it for good
 */
export async function openPayment(parts: PaymentParts, orderId: string): Promise<string | undefined> {
  const { payment, request } = await readPayment(parts.db, orderId);
  if (payment.url) return payment.url;
  try {
    const session = await createSession(parts, request).catch((error: unknown) =>
      retryWithLaterEnd(parts, request, error),
    );
    return session?.url;
  } catch (error) {
    await cancelRefused(parts, orderId, error);
    if (error instanceof SessionTooLate) return undefined;
    throw unavailable(error); // a new order would be rejected like this one
  }
}

/**
 * Makes an order's payment impossible. If it was paid first, it is finished instead. If its session was never opened, it is
 * opened under its own key, so that no late response can open it afterwards.
 * @returns the session afterwards; undefined when there is none to pay, because the provider rejected it (then the order
 *   has been canceled) or does not know it
 */
export async function endPayment(parts: PaymentParts, orderId: string): Promise<ProviderSession | undefined> {
  const { payment, request } = await readPayment(parts.db, orderId);
  const open = async () => createSession(parts, request).catch((error) => cancelRefused(parts, orderId, error));
  const sessionId = payment.sessionId ?? (await open())?.id;
  if (sessionId === undefined) return undefined;
  const ended = await parts.payments.expireSession(sessionId);
  // expiry is left to the caller, who replaces order and hold in one transaction
  if (ended?.isPaid) await settlePayment(parts, ended);
  return ended;
}

/** Makes an order's payment impossible and then cancels the order; if it was paid first, it is finished instead. */
export async function cancelPayment(parts: PaymentParts, orderId: string): Promise<void> {
  const ended = await endPayment(parts, orderId);
  // other keys, another account, a lost folder of the test provider: nobody can pay a session it does not know
  if (!ended) await cancelUnpaid(parts, orderId, "The payment provider doesn't know this payment");
  else if (!ended.isPaid) await settlePayment(parts, ended);
}

/**
 * Makes an order's payment impossible and cancels the order in a person's name. Nothing is canceled if the provider
 * does not confirm that; if the order was paid first, it is finished.
 * @param record writes more in the same transaction, unless another call canceled the order
 * @throws Problem 502 payment_unavailable
 */
export async function cancelFor(
  parts: PaymentParts,
  orderId: string,
  canceler: Canceler,
  record?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const ended = await endPayment(parts, orderId);
  if (ended?.isPaid) return;
  const words = { note: notesOfCanceler[canceler.as], byUserId: canceler.userId };
  await transact(parts.db, async (tx) => {
    const order = await lockOrderAndCart(tx, orderId);
    if (order?.status === 'PENDING_PAYMENT') await cancelOrder(tx, order, parts.clock.now(), words);
    else if (order?.status !== 'CANCELLED' || !(await nameCanceler(tx, order, words))) return;
    await record?.(tx);
  });
}

/**
 * @returns undefined when the order was canceled meanwhile
 * @throws SessionRefused: no session exists under this key; Problem 502 payment_unavailable
 */
async function createSession(parts: PaymentParts, request: SessionRequest): Promise<OpenedSession | undefined> {
  const { db, payments } = parts;
  const { orderId } = request;
  try {
    const session = await payments.openSession(request);
    const stored = await db
      .update(paymentSessions)
      .set({ sessionId: session.id, url: session.url ?? null, state: 'open' })
      .where(and(eq(paymentSessions.orderId, orderId), eq(paymentSessions.state, 'creating')))
      .returning({ orderId: paymentSessions.orderId });
    return stored.length > 0 ? session : await preferStored(parts, orderId, session);
  } catch (error) {
    if (error instanceof SessionBeingOpened) return waitForTwin(db, request, error);
    if (!(error instanceof SessionFailed)) throw error;
    await raiseAttempt(db, request);
    throw unavailable(error);
  }
}

/**
 * No session exists under the key that came too late, and none can be created later, since the time left only shrinks. So
 * the next key cannot create a second session.
 */
async function retryWithLaterEnd(
  parts: PaymentParts,
  rejected: SessionRequest,
  error: unknown,
): Promise<OpenedSession | undefined> {
  if (!(error instanceof SessionTooLate)) throw error;
  const { orderId, expiresAt: from } = rejected;
  const expiresAt = new Date(parts.clock.now().getTime() + payableForMs);
  await transact(parts.db, async (tx) => {
    await raiseAttempt(tx, rejected, { expiresAt });
    await moveHold(tx, { orderId, from, to: expiresAt });
  });
  const { request } = await readPayment(parts.db, orderId); // a concurrent call may have raised it first
  return createSession(parts, request);
}

async function cancelRefused(parts: PaymentParts, orderId: string, error: unknown): Promise<undefined> {
  if (!(error instanceof SessionRefused)) throw error;
  await cancelUnpaid(parts, orderId, "The payment page couldn't be opened");
}

/** The first click's call is in flight, and stores its result. */
async function waitForTwin(
  db: Db,
  { orderId, attempt }: SessionRequest,
  cause: Error,
): Promise<OpenedSession | undefined> {
  for (const end = performance.now() + twinWaitMs; performance.now() < end; await pause(pollMs)) {
    const payment = await findPayment(db, orderId);
    if (payment?.sessionId) return { id: payment.sessionId, url: payment.url ?? undefined };
    if (payment?.state !== 'creating') return undefined;
    if (payment.attempt !== attempt) break; // the first call failed
  }
  throw unavailable(cause);
}

/**
 * Another call stored a session meanwhile, or ended the order. It is usually this same session; a different one must not
 * stay payable.
 */
async function preferStored({ db, payments }: PaymentParts, orderId: string, own: ProviderSession) {
  const stored = await findPayment(db, orderId);
  if (stored?.sessionId === own.id) return own;
  await payments.expireSession(own.id);
  return stored?.sessionId ? payments.findSession(stored.sessionId) : undefined;
}

/** Cancels an order whose payment can no longer come. */
export async function cancelUnpaid({ db, clock }: PaymentParts, orderId: string, note: string): Promise<void> {
  await transact(db, async (tx) => {
    const order = await lockOrderAndCart(tx, orderId);
    if (order?.status === 'PENDING_PAYMENT') await cancelOrder(tx, order, clock.now(), { note });
  });
}

/** The next attempt has a new key. Concurrent calls that fail together raise it once: two new keys would be two sessions. */
const raiseAttempt = (db: Connection, { orderId, attempt }: SessionRequest, changes: { expiresAt?: Date } = {}) =>
  db
    .update(paymentSessions)
    .set({ attempt: attempt + 1, ...changes })
    .where(
      and(
        eq(paymentSessions.orderId, orderId),
        eq(paymentSessions.attempt, attempt),
        eq(paymentSessions.state, 'creating'),
      ),
    );

async function findPayment(db: Db, orderId: string) {
  const [row] = await db.select().from(paymentSessions).where(eq(paymentSessions.orderId, orderId));
  return row;
}

type Payment = Pick<typeof paymentSessions.$inferSelect, 'sessionId' | 'url'>;

const paymentQuery = prepared('payment_of_order', (connection) =>
  connection
    .select({
      order: orders,
      email: users.email,
      payment: paymentSessions,
      item: orderItems,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .innerJoin(paymentSessions, eq(paymentSessions.orderId, orders.id))
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(eq(orders.id, sql.placeholder('orderId')))
    .orderBy(orderItems.position),
);

/**
 * Reads an order's session and the call that opens it. The call must be byte-for-byte the same each time, since the
 * provider compares it with the first one under the same key.
 */
async function readPayment(db: Db, orderId: string): Promise<{ payment: Payment; request: SessionRequest }> {
  const rows = await paymentQuery(db).execute({ orderId });
  const [first] = rows;
  if (!first) throw new Error(`order ${orderId} has no lines`);
  const { order, email, payment } = first;
  const { userId, cartId } = order;
  const { expiresAt, attempt } = payment;
  const lines = rows.map(({ item }) => ({
    // the size as staff wrote it: the setting for units may change before the call is repeated
    name: nameWithSize(item.unitSize ? { ...item, netGrams: null, netMillilitres: null } : item, 'us'),
    unitPriceCents: item.unitPriceCents,
    quantity: item.quantity,
  }));
  return { payment, request: { orderId, userId, cartId, email, expiresAt, attempt, lines, ...paidPartsOf(order) } };
}
