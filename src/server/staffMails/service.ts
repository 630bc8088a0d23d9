/**
 * Emails to staff about orders, messages, and stock: who chose which, and writing them. Without a mail server none is
 * written, so that none pile up. Rule: docs/rules/contact-and-mail.md, Emails to staff
 */
import { and, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import { defaultStaffMails, type StaffMails } from '../../shared/staffMails';
import { changed, writeAudit } from '../audit/service';
import { dailyMailOrders, staffMails, users } from '../db/schema/tables';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor, Session } from '../http/contract/access';
import type { Mailer } from '../mail/mailer';
import { writeMail } from '../mail/outbox';
import { hasMailServer } from '../mail/serverState';

export type StaffMailParts = { mail: { mailer: Pick<Mailer, 'fixed'> } };
type StaffCall = { session: Session; by: Actor; now: Date };

/** @returns the user's choice, or the default */
export async function readStaffMails(
  connection: Connection,
  { userId, role }: Pick<Session, 'userId' | 'role'>,
): Promise<StaffMails> {
  const [chosen] = await connection.select().from(staffMails).where(eq(staffMails.userId, userId));
  if (!chosen) return defaultStaffMails(role === 'ROLE_OWNER');
  const { userId: _userId, ...choice } = chosen;
  return choice;
}

export async function setStaffMails(tx: Tx, choice: StaffMails, { session, by, now }: StaffCall): Promise<StaffMails> {
  const { userId } = session;
  const facts = changed(await readStaffMails(tx, session), choice);
  await tx
    .insert(staffMails)
    .values({ userId, ...choice })
    .onConflictDoUpdate({ target: staffMails.userId, set: choice });
  // orders that wait for the daily email still come with the next one, unless all are off
  if (choice.newOrder === 'off') await tx.delete(dailyMailOrders).where(eq(dailyMailOrders.userId, userId));
  const target = { kind: 'user', id: userId } as const;
  if (facts) await writeAudit(tx, { by, action: 'user.staff_mails_changed', target, ...facts, now });
  return choice;
}

export type Recipient = { userId: string; email: string };

/** Active staff whose choice fulfills `where`. A former admin's choice has no effect. */
export const findStaff = (connection: Connection, where: SQL) =>
  connection
    .select({ userId: users.id, email: users.email, newOrder: staffMails.newOrder })
    .from(staffMails)
    .innerJoin(users, eq(users.id, staffMails.userId))
    .where(and(isActiveStaff, where));

/** Asked again when an email is sent: the recipient may have been deactivated, or made a customer, since it was written. */
export async function isStaff(connection: Connection, userId: string): Promise<boolean> {
  const found = await connection
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isActiveStaff));
  return found.length > 0;
}

const isActiveStaff = and(eq(users.isEnabled, true), inArray(users.role, ['ROLE_ADMIN', 'ROLE_OWNER']));

/**
 * Tells staff of a paid order: with an email each, or in the next daily one.
 * @param tx the transaction that settles the payment, so each order is told once
 */
export async function notifyOfOrder(
  tx: Tx,
  { mail: { mailer } }: StaffMailParts,
  { orderId, now }: { orderId: string; now: Date },
): Promise<void> {
  const staff = await findStaff(tx, ne(staffMails.newOrder, 'off'));
  if (staff.length === 0 || !(await hasMailServer(tx, mailer))) return;
  const daily = staff.filter(({ newOrder }) => newOrder === 'daily');
  if (daily.length > 0) await tx.insert(dailyMailOrders).values(daily.map(({ userId }) => ({ userId, orderId })));
  for (const { userId, email: recipient } of staff.filter(({ newOrder }) => newOrder === 'each')) {
    const about = `new_order:${orderId}:${userId}`;
    await writeMail(tx, { kind: 'new_order', about, recipient, userId, orderId, now });
  }
}

/**
 * Active staff who want an email for each message: admins who chose it, and owners who didn't turn it off.
 * Without a mail server only owners, whose emails then are 'Not sent'.
 */
export async function findMessageReaders(
  connection: Connection,
  { mail: { mailer } }: StaffMailParts,
): Promise<(Recipient & { isOwner: boolean })[]> {
  const staff = await connection
    .select({ userId: users.id, email: users.email, role: users.role })
    .from(users)
    .leftJoin(staffMails, eq(staffMails.userId, users.id))
    .where(and(isActiveStaff, sql`coalesce(${staffMails.newMessage}, ${users.role} = 'ROLE_OWNER')`));
  const readers = staff.map(({ role, ...reader }) => ({ ...reader, isOwner: role === 'ROLE_OWNER' }));
  const owners = readers.filter(({ isOwner }) => isOwner);
  return owners.length === readers.length || (await hasMailServer(connection, mailer)) ? readers : owners;
}
