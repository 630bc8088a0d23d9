/**
 * Invitations to work in the shop: a mailed link with which a person chooses a password. The link's token is not stored.
 * Rule: docs/rules/accounts.md, Invitations
 */
import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { authMessages } from '../../shared/authMessages';
import type { Schema } from '../../shared/contract';
import { isStaff } from '../../shared/auth';
import { writeAudit } from '../audit/service';
import type { AuthParts, Caller } from './service';
import type { Secrets } from './core/secrets';
import { hashPassword, inTurn } from './factors/passwords';
import { hashLinkToken, invitationHours, invitationTokenOf } from './links/linkTokens';
import { requirePassword } from './passwordReset';
import { staffInvitations } from '../db/schema/tables';
import { transact, type Connection, type Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { invalid } from '../http/core/problems';
import { writeMail } from '../mail/outbox';
import { createUser, emailTaken, findUser, findUserByEmail, requireStaff, type UserRow } from '../users/core/service';

type Invitation = typeof staffInvitations.$inferSelect;

/**
 * Ends the address's older invitations and mails a new one.
 * @throws Problem 409 email_taken, 403 forbidden
 */
export async function inviteStaff(
  tx: Tx,
  { fullName, email, role }: Schema<'NewInvitation'>,
  { secrets, by, now }: { secrets: Pick<Secrets, 'resetKey'>; by: Actor; now: Date },
): Promise<void> {
  const inviter = await requireStaff(tx, by);
  if (await findUserByEmail(tx, email)) throw emailTaken();
  const isOfAddress = sql`lower(${staffInvitations.email}) = lower(${email})`;
  await tx
    .update(staffInvitations)
    .set({ endedAt: now })
    .where(and(isOfAddress, isNull(staffInvitations.endedAt)));
  const id = randomUUID();
  await tx.insert(staffInvitations).values({
    id,
    fullName,
    email,
    role,
    invitedBy: inviter.id,
    tokenHash: hashLinkToken(invitationTokenOf(id, secrets.resetKey)),
    createdAt: now,
    expiresAt: new Date(now.getTime() + invitationHours * 3_600_000),
  });
  const about = `staff_invitation:${id}`;
  await writeMail(tx, { kind: 'staff_invitation', about, recipient: email, facts: { invitationId: id }, now });
  await writeAudit(tx, { by, action: 'user.invited', target: { kind: 'user', id }, after: { role }, now });
}

/**
 * Creates the account of an invitation, with a password that only its owner knows. The audit log names who sent it.
 * @returns the new user
 * @throws Problem 400 invitation_invalid, or invalid_request for a password that is too common or too short,
 *   409 email_taken
 */
export async function acceptInvitation(
  { db }: Pick<AuthParts, 'db'>,
  { token, password }: { token: string; password: string },
  { log, address }: Pick<Caller, 'log' | 'address'>,
  now: Date,
): Promise<UserRow> {
  const tokenHash = hashLinkToken(token);
  const found = await requireInvitation(db, tokenHash, now);
  requirePassword(password, found);
  const passwordHash = await inTurn({ account: found.id, address }, () => hashPassword(password));
  const user = await transact(db, async (tx) => {
    const [used] = await tx.update(staffInvitations).set({ endedAt: now }).where(isUsable(tokenHash, now)).returning();
    if (!used) throw invitationInvalid();
    await requireInviter(tx, used);
    const { id, fullName, email, role, invitedBy } = used;
    const created = await createUser(tx, { id, fullName, email, role, passwordHash, emailProvenAt: now }, now);
    const by = { userId: invitedBy, requestId: null };
    await writeAudit(tx, { by, action: 'user.created', target: { kind: 'user', id }, after: { role }, now });
    return created;
  });
  log.info({ event: 'invitation_accepted', user: user.id });
  return user;
}

async function requireInvitation(connection: Connection, tokenHash: Buffer, now: Date): Promise<Invitation> {
  const [invitation] = await connection.select().from(staffInvitations).where(isUsable(tokenHash, now));
  if (!invitation) throw invitationInvalid();
  await requireInviter(connection, invitation);
  return invitation;
}

/** A person who is staff no more has no say in who is. */
async function requireInviter(connection: Connection, { invitedBy }: Invitation): Promise<void> {
  const inviter = await findUser(connection, invitedBy);
  if (!inviter?.isEnabled || !isStaff(inviter.role)) throw invitationInvalid();
}

const isUsable = (tokenHash: Buffer, now: Date) =>
  and(eq(staffInvitations.tokenHash, tokenHash), isNull(staffInvitations.endedAt), gt(staffInvitations.expiresAt, now));

const invitationInvalid = () => invalid(authMessages.invitationInvalid, [], 'invitation_invalid');
