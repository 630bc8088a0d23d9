/**
 * Takes over an address whose account never proved it. Opening the mailed link creates a new account with the address;
 * the former one loses it, is emptied and disabled. The former account is not handed over: its canceled orders,
 * requests in flight and unsent changes on its devices belong to another person.
 * Rule: docs/rules/accounts.md, Taking over an address
 */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Schema } from '../../shared/contract';
import { createUser, changeUser, emailKey, findUser, lockUser, type UserRow } from '../users/core/service';
import { writeAudit } from '../audit/service';
import { lockCart } from '../cart/lines';
import { clearCart } from '../cart/service';
import { addresses } from '../db/schema/tables';
import { transact, type Connection, type Tx } from '../db/core/transact';
import { unavailable } from '../http/core/problems';
import { findOrderHistory } from '../users/core/orderHistory';
import { emailLinkInvalid, endEmailLinks, findEmailLink, spendEmailLink, takeoverPurposes } from './links/emailLinks';
import { endResets } from './passwordReset';
import { hashPassword, inTurn, unusableHash, refuseCommonPassword } from './factors/passwords';
import { deleteOldAttempts, loginRateLimits } from './core/attemptLimits';
import { removeSecondFactor } from './factors/secondFactor';
import type { AuthParts, Caller } from './service';
import { canBeTakenOver } from './links/takeoverLinks';

export type TakeoverParts = AuthParts & {
  payments: {
    /** Makes the customer's open order unpayable and cancels it, or finishes it if it was paid in the meantime. */
    endUnpaid: (userId: string) => Promise<void>;
  };
};

const maxAttempts = 3;

/**
 * Creates an account with a link's address and releases the former one.
 * @returns the new account
 * @throws Problem 400 email_link_invalid, also when the former account was proven or paid meanwhile, or invalid_request
 *   for a password that is too common; 502 payment_unavailable, 503 unavailable
 */
export async function takeOverAccount(
  parts: TakeoverParts,
  { token, fullName, password }: Pick<Schema<'Takeover'>, 'token' | 'fullName' | 'password'>,
  { address, log }: Pick<Caller, 'address' | 'log'>,
  now: Date,
): Promise<UserRow> {
  const { db, sessions, payments } = parts;
  const { userId: formerId } = await requireTakeoverLink(db, token, now);
  refuseCommonPassword(password);
  const passwordHash = await inTurn({ account: formerId, address }, () => hashPassword(password));
  await transact(db, (tx) => sessions.endAllOf(tx, formerId, 'taken_over')); // so that it places no more orders
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    await payments.endUnpaid(formerId);
    const user = await transact(db, (tx) => replace(tx, parts, { formerId, token, fullName, passwordHash, now }));
    if (user) {
      log.info({ event: 'taken_over', user: user.id, former: formerId });
      return user;
    }
  }
  throw unavailable();
}

type Replacing = { formerId: string; token: string; fullName: string; passwordHash: string; now: Date };

/** @returns the new account; undefined if the former one has an open order, placed just before its sessions ended */
async function replace(
  tx: Tx,
  { sessions }: AuthParts,
  { formerId, token, fullName, passwordHash, now }: Replacing,
): Promise<UserRow | undefined> {
  await lockCart(tx, formerId); // same lock order as placing an order
  const former = await lockUser(tx, formerId);
  const { openOrderId } = await findOrderHistory(tx, formerId);
  if (openOrderId !== undefined) return undefined;
  const { email } = await spendEmailLink(tx, takeoverPurposes, token, now);
  if (!former || former.emailKey !== emailKey(email) || !(await canBeTakenOver(tx, former))) throw emailLinkInvalid();
  await release(tx, former, now);
  await sessions.endAllOf(tx, formerId, 'taken_over');
  const account = { email, fullName, role: 'ROLE_CUSTOMER', passwordHash, emailProvenAt: now } as const;
  const user = await createUser(tx, account, now);
  const [attempts] = loginRateLimits(email, { address: '' });
  if (attempts) await deleteOldAttempts(tx, attempts);
  const target = { kind: 'user', id: formerId } as const;
  const by = { userId: user.id, requestId: null };
  await writeAudit(tx, { by, action: 'user.taken_over', target, after: { userId: user.id }, now });
  return user;
}

/** Empties the account and frees its address; a placeholder name stays for its canceled orders. */
async function release(tx: Tx, { id }: UserRow, now: Date): Promise<void> {
  // RFC 6761 domain, never a mailbox. Random, since a stranger who knows the id could register a derived address first
  const email = `${randomUUID()}@released.invalid`;
  await changeUser(tx, id, {
    email,
    emailKey: emailKey(email),
    fullName: 'Released account',
    isEnabled: false,
    passwordHash: unusableHash,
    imageUrl: null,
    phoneNumber: null,
    dob: null,
    description: null,
  });
  await removeSecondFactor(tx, id);
  await tx.delete(addresses).where(eq(addresses.userId, id));
  await clearCart(tx, id);
  await endResets(tx, id, now);
  await endEmailLinks(tx, id, now);
}

async function requireTakeoverLink(connection: Connection, token: string, now: Date) {
  const link = await findEmailLink(connection, takeoverPurposes, token, now);
  const user = link && (await findUser(connection, link.userId));
  if (!link || !user || !(await canBeTakenOver(connection, user))) throw emailLinkInvalid();
  return link;
}
