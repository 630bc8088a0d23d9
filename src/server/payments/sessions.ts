/** An order's payment session: opened after the order was written, ended before the order is replaced. */
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { findStanding } from '../account/standing';
import { orderItems, orders, paymentSessions, users } from '../db/schema/tables';
import { prepared, transact, type Connection, type Db } from '../db/core/transact';
import { moveHold } from '../orders/holding';
import { cancelOrder, lockOrderAndCart, payableForMs } from '../orders/lifecycle';
import { finalise } from './settlePayment';
import { paidPartsOf } from './paidParts';
import type { PaymentParts, ProviderSession, SessionRequest } from './provider';
import { SessionBeingOpened, SessionFailed, SessionRefused, SessionTooLate, unavailable } from './providerErrors';

type Opened = Pick<ProviderSession, 'id' | 'url'>;

/** A twin waits about as long as the first one may take. */
const twinTakesMs = 10_000;
const lookEveryMs = 200;

/** What placing an order needs of payments. */
export const paymentsOfOrders = (parts: PaymentParts) => ({
  open: (orderId: string) => openPayment(parts, orderId),
  end: async (orderId: string) => void (await endPayment(parts, orderId)),
  cancel: (orderId: string) => cancelPayment(parts, orderId),
});

/** What taking over an address needs of payments. */
export const paymentsOfAccounts = (parts: PaymentParts) => ({
  async endUnpaid(userId: string): Promise<void> {
    const { openOrderId } = await findStanding(parts.db, userId);
    if (openOrderId === undefined) return;
    await endPayment(parts, openOrderId);
    await cancelUnpaid(parts, openOrderId, 'The account of the order was given up');
  },
});

/**
 * Opens the order's session, or finds the one that is open: asked again after any failure, it is the same one. When too
 * much time has passed for the session as it was first asked for, and the provider has none of that, it is asked for
 * with a later end under the next key, and a first order's hold moves with it.
 * @returns the page where it is paid; undefined when it cannot be any more: then the order has been cancelled
 * @throws Problem 502 payment_unavailable; the order has been cancelled where the provider refused it for good
 */
export async function openPayment(parts: PaymentParts, orderId: string): Promise<string | undefined> {
  const { payment, request } = await readPayment(parts.db, orderId);
  if (payment.url) return payment.url;
  try {
    const session = await createSession(parts, request).catch((error: unknown) => createLater(parts, request, error));
    return session?.url;
  } catch (error) {
    await cancelRefused(parts, orderId, error);
    if (error instanceof SessionTooLate) return undefined;
    throw unavailable(error); // a new order would be refused like this one
  }
}

/**
 * Makes an order's payment impossible. One that was paid first is finished instead; one whose session was never opened
 * is opened under its own key, so that no late answer can open it afterwards.
 * @returns the session as it is then; undefined when none can be paid, since the provider refused it (then the order has
 *   been cancelled) or does not know it
 */
export async function endPayment(parts: PaymentParts, orderId: string): Promise<ProviderSession | undefined> {
  const { payment, request } = await readPayment(parts.db, orderId);
  const open = async () => createSession(parts, request).catch((error) => cancelRefused(parts, orderId, error));
  const sessionId = payment.sessionId ?? (await open())?.id;
  if (sessionId === undefined) return undefined;
  const ended = await parts.payments.expireSession(sessionId);
  // an expired one is left to the caller, who replaces order and hold in one transaction
  if (ended?.isPaid) await finalise(parts, ended);
  return ended;
}

/** Makes an order's payment impossible and then cancels it; one that was paid first is finished instead. */
export async function cancelPayment(parts: PaymentParts, orderId: string): Promise<void> {
  const ended = await endPayment(parts, orderId);
  // other keys, another account, a lost folder of the test provider: nobody can pay what it does not know
  if (!ended) await cancelUnpaid(parts, orderId, 'The provider does not know this payment');
  else if (!ended.isPaid) await finalise(parts, ended);
}

/**
 * @returns undefined when the order was cancelled meanwhile
 * @throws SessionRefused: no session exists under this key; Problem 502 payment_unavailable
 */
async function createSession(parts: PaymentParts, request: SessionRequest): Promise<Opened | undefined> {
  const { db, payments } = parts;
  const { orderId } = request;
  try {
    const session = await payments.openSession(request);
    const stored = await db
      .update(paymentSessions)
      .set({ sessionId: session.id, url: session.url ?? null, state: 'open' })
      .where(and(eq(paymentSessions.orderId, orderId), eq(paymentSessions.state, 'creating')))
      .returning({ orderId: paymentSessions.orderId });
    return stored.length > 0 ? session : await yieldToStored(parts, orderId, session);
  } catch (error) {
    if (error instanceof SessionBeingOpened) return awaitTwin(db, request, error);
    if (!(error instanceof SessionFailed)) throw error;
    await raiseAttempt(db, request);
    throw unavailable(error);
  }
}

/**
 * Nothing exists under the key that came too late, and nothing can any more: the time that is left only gets shorter.
 * So the next key cannot make a second session.
 */
async function createLater(parts: PaymentParts, tooLate: SessionRequest, error: unknown): Promise<Opened | undefined> {
  if (!(error instanceof SessionTooLate)) throw error;
  const { orderId, expiresAt: from } = tooLate;
  const expiresAt = new Date(parts.clock.now().getTime() + payableForMs);
  await transact(parts.db, async (tx) => {
    await raiseAttempt(tx, tooLate, { expiresAt });
    await moveHold(tx, { orderId, from, to: expiresAt });
  });
  const { request } = await readPayment(parts.db, orderId); // a twin may have raised it first
  return createSession(parts, request);
}

async function cancelRefused(parts: PaymentParts, orderId: string, error: unknown): Promise<undefined> {
  if (!(error instanceof SessionRefused)) throw error;
  await cancelUnpaid(parts, orderId, 'The payment could not be opened');
}

/** The first click's call is at the provider, and stores what comes of it. */
async function awaitTwin(db: Db, { orderId, attempt }: SessionRequest, cause: Error): Promise<Opened | undefined> {
  for (const end = performance.now() + twinTakesMs; performance.now() < end; await pause(lookEveryMs)) {
    const payment = await findPayment(db, orderId);
    if (payment?.sessionId) return { id: payment.sessionId, url: payment.url ?? undefined };
    if (payment?.state !== 'creating') return undefined;
    if (payment.attempt !== attempt) break; // it failed
  }
  throw unavailable(cause);
}

/**
 * Somebody else stored a session meanwhile, or ended the order. Usually it is this very one; another one must not stay
 * payable.
 */
async function yieldToStored({ db, payments }: PaymentParts, orderId: string, own: ProviderSession) {
  const stored = await findPayment(db, orderId);
  if (stored?.sessionId === own.id) return own;
  await payments.expireSession(own.id);
  return stored?.sessionId ? payments.findSession(stored.sessionId) : undefined;
}

/** Ends an order that waits for a payment that cannot come. */
export async function cancelUnpaid({ db, clock }: PaymentParts, orderId: string, note: string): Promise<void> {
  await transact(db, async (tx) => {
    const order = await lockOrderAndCart(tx, orderId);
    if (order?.status === 'PENDING_PAYMENT') await cancelOrder(tx, order, clock.now(), note);
  });
}

/** The next try has a new key. Twins that failed together raise it once: two new keys would be two sessions. */
const raiseAttempt = (db: Connection, { orderId, attempt }: SessionRequest, later: { expiresAt?: Date } = {}) =>
  db
    .update(paymentSessions)
    .set({ attempt: attempt + 1, ...later })
    .where(
      and(
        eq(paymentSessions.orderId, orderId),
        eq(paymentSessions.attempt, attempt),
        eq(paymentSessions.state, 'creating'),
      ),
    );

async function findPayment(db: Db, orderId: string) {
  const [found] = await db.select().from(paymentSessions).where(eq(paymentSessions.orderId, orderId));
  return found;
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
 * What is known of an order's session, and the call that opens it: the same for the same order, to the letter, since the
 * provider tells a repetition by it.
 */
async function readPayment(db: Db, orderId: string): Promise<{ payment: Payment; request: SessionRequest }> {
  const rows = await paymentQuery(db).execute({ orderId });
  const [first] = rows;
  if (!first) throw new Error(`order ${orderId} has no lines`);
  const { order, email, payment } = first;
  const { userId, cartId } = order;
  const { expiresAt, attempt } = payment;
  const lines = rows.map(({ item }) => ({
    name: item.productName,
    unitPriceCents: item.unitPriceCents,
    quantity: item.quantity,
  }));
  return { payment, request: { orderId, userId, cartId, email, expiresAt, attempt, lines, ...paidPartsOf(order) } };
}
