/** What staff do with other users' accounts. Rule: docs/rules/back-office.md, Users */
import { isStaff } from '../../shared/auth';
import { userMessages } from '../../shared/users';
import { userStaffMessages } from '../../shared/usersStaff';
import type { Schema } from '../../shared/contract';
import { createAddress } from './core/addresses';
import {
  changeUser,
  createUser,
  emailTaken,
  findUser,
  findOwners,
  findUserByEmail,
  lockUser,
  readUser,
  requireStaff,
  type UserRow,
  type UserWithAddresses,
} from './core/service';
import { writeAudit } from '../audit/service';
import { sendNotice } from '../auth/core/notices';
import { findLiveSessions } from '../auth/sessions/userSessions';
import type { Sessions } from '../auth/sessions/sessions';
import { requestTakeoverLink, canBeTakenOver } from '../auth/links/takeoverLinks';
import { refuseViolation } from '../db/core/errors';
import type { UserRole } from '../db/schema/tables';
import type { Connection, Db, Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { conflict, notFound } from '../http/core/problems';

export type ByStaff = { sessions: Sessions; by: Actor; now: Date };

/** @throws Problem 404 user_not_found */
export async function readUserForStaff(connection: Connection, id: string): Promise<UserWithAddresses> {
  const user = await findUser(connection, id);
  if (!user) throw userNotFound();
  return readUser(connection, id);
}

/** Maps a role of the contract to the stored one. Rule: docs/rules/accounts.md, Roles */
export const storedRole = (role: Schema<'AssignableRole'>): UserRole => (role === 'ROLE_USER' ? 'ROLE_CUSTOMER' : role);

/**
 * Creates an account for another person. An admin created this way must change the password at the first login, since
 * its creator knows it too.
 * @throws Problem 409 email_taken
 */
export async function createUserByStaff(
  tx: Tx,
  { fullName, email, role: asked, ...address }: Schema<'NewUser'>,
  passwordHash: string,
  { by, now }: ByStaff,
): Promise<UserWithAddresses> {
  await requireStaff(tx, by);
  const role = storedRole(asked);
  const mustChangePassword = role === 'ROLE_ADMIN';
  const user = { email, fullName, role, passwordHash, mustChangePassword, emailProvenAt: now };
  const { id } = await createUser(tx, user, now);
  await createAddress(tx, id, address, now);
  await writeAudit(tx, { by, action: 'user.created', target: { kind: 'user', id }, after: { role }, now });
  return readUser(tx, id);
}

/**
 * Rejects an email that is registered but unproven, and mails its owner a takeover link; otherwise the email would stay
 * taken forever.
 * @throws Problem 409 email_taken
 */
export async function refuseUnproven(db: Db, email: string, address: string): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (!user || !(await canBeTakenOver(db, user))) return;
  await requestTakeoverLink(db, { email, address });
  throw emailTaken(userStaffMessages.emailUnproven);
}

/**
 * Makes a user an admin or a customer, and ends the user's sessions so that the next login has the new role. The owners
 * get a mail when one admin makes another a customer.
 * @throws Problem 404 user_not_found, 409 own_role, owner_role, or email_not_proven when promoting an unproven account
 */
export async function updateUserRole(tx: Tx, id: string, role: UserRole, byStaff: ByStaff): Promise<UserWithAddresses> {
  const { sessions, by, now } = byStaff;
  if (id === by.userId) throw conflict('own_role', userStaffMessages.ownRole);
  const staff = await requireStaff(tx, by);
  const user = await requireUser(tx, id);
  if (user.role === 'ROLE_OWNER') throw ownerRole();
  if (user.role === role) return readUser(tx, id);
  if (isStaff(role) && !user.emailProvenAt) throw conflict('email_not_proven', userStaffMessages.unprovenRole);
  await requiringAnOwner(changeUser(tx, id, { role }), ownerRole);
  await sessions.endAllOf(tx, id, 'role_changed');
  const facts = { before: { role: user.role }, after: { role } };
  await writeAudit(tx, { by, action: 'user.role_changed', target: { kind: 'user', id }, ...facts, now });
  if (!isStaff(role) && staff.role !== 'ROLE_OWNER') await notifyOwners(tx, { demotedId: id, byId: staff.id }, now);
  return readUser(tx, id);
}

/**
 * Enables or disables a user; disabling ends the user's sessions.
 * @throws Problem 404 user_not_found, 409 owner_enabled
 */
export async function updateUserEnabled(
  tx: Tx,
  id: string,
  isEnabled: boolean,
  { sessions, by, now }: ByStaff,
): Promise<UserWithAddresses> {
  await requireStaff(tx, by);
  const user = await requireUser(tx, id);
  if (user.role === 'ROLE_OWNER' && !isEnabled) throw ownerEnabled();
  if (user.isEnabled === isEnabled) return readUser(tx, id);
  await requiringAnOwner(changeUser(tx, id, { isEnabled }), ownerEnabled);
  if (!isEnabled) await sessions.endAllOf(tx, id, 'user_disabled');
  const facts = { before: { isEnabled: user.isEnabled }, after: { isEnabled } };
  const action = isEnabled ? 'user.enabled' : 'user.disabled';
  await writeAudit(tx, { by, action, target: { kind: 'user', id }, ...facts, now });
  return readUser(tx, id);
}

/**
 * Signs a user out everywhere. Only an owner may end an owner's sessions.
 * @returns how many sessions ended
 * @throws Problem 404 user_not_found, 409 owner_sessions
 */
export async function endSessionsOfUser(tx: Tx, id: string, { sessions, by, now }: ByStaff): Promise<number> {
  const staff = await requireStaff(tx, by);
  const user = await requireUser(tx, id);
  if (user.role === 'ROLE_OWNER' && staff.role !== 'ROLE_OWNER')
    throw conflict('owner_sessions', userStaffMessages.ownerSessions);
  const { length: ended } = await findLiveSessions(tx, id, now);
  await sessions.endAllOf(tx, id, 'ended_by_user');
  const target = { kind: 'user', id } as const;
  if (ended > 0) await writeAudit(tx, { by, action: 'user.sessions_ended', target, after: { ended }, now });
  return ended;
}

async function requireUser(tx: Tx, id: string): Promise<UserRow> {
  const user = await lockUser(tx, id);
  if (!user) throw userNotFound();
  return user;
}

/** Mails the owners that an admin demoted another one, so that they can review the promotions of the demoted admin. */
async function notifyOwners(tx: Tx, demotion: { demotedId: string; byId: string }, now: Date): Promise<void> {
  for (const owner of await findOwners(tx)) await sendNotice(tx, owner, { what: 'admin_demoted', ...demotion }, now);
}

/** A database constraint is the final check: the only enabled owner cannot be removed. */
const requiringAnOwner = (write: Promise<void>, rejection: () => Error): Promise<void> =>
  refuseViolation(write, 'users_an_owner', rejection);

export const userNotFound = () => notFound('user_not_found', userMessages.userNotFound);
const ownerRole = () => conflict('owner_role', userStaffMessages.ownerRole);
const ownerEnabled = () => conflict('owner_enabled', userStaffMessages.ownerEnabled);
