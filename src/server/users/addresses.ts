/** The user's own addresses. */
import type { AuditAction } from '../../shared/audit';
import { accountLimits, userMessages } from '../../shared/users';
import { changeAddress, createAddress, deleteAddress, findAddresses, type NewAddress } from './core/addresses';
import { lockUser, readUser, type UserWithAddresses } from './core/service';
import { writeAudit } from '../audit/service';
import type { Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { conflict, notFound } from '../http/core/problems';

/** The owner of the data, the actor for the audit log, and the time. */
export type OwnContext = { userId: string; by: Actor; now: Date };

/**
 * Adds an address.
 * @throws Problem 409 too_many_addresses
 * Rule: docs/rules/accounts.md, Addresses
 */
export async function addAddress(tx: Tx, own: OwnContext, address: NewAddress): Promise<UserWithAddresses> {
  await lockUser(tx, own.userId); // otherwise two parallel calls could both pass the limit
  const { length } = await findAddresses(tx, [own.userId]);
  if (length >= accountLimits.addresses) throw conflict('too_many_addresses', userMessages.tooManyAddresses);
  await createAddress(tx, own.userId, address, own.now);
  return audited(tx, own, 'user.address_added');
}

/** @throws Problem 404 address_not_found, the same for a missing address and another user's */
export async function updateAddress(
  tx: Tx,
  own: OwnContext,
  id: string,
  address: NewAddress,
): Promise<UserWithAddresses> {
  if (!(await changeAddress(tx, own.userId, id, address))) throw addressNotFound();
  return audited(tx, own, 'user.address_changed');
}

/** @throws Problem 404 address_not_found, the same for a missing address and another user's */
export async function removeAddress(tx: Tx, own: OwnContext, id: string): Promise<UserWithAddresses> {
  if (!(await deleteAddress(tx, own.userId, id))) throw addressNotFound();
  return audited(tx, own, 'user.address_removed');
}

/** Addresses are personal data, so the audit log records the change but not the content. */
async function audited(tx: Tx, { userId, by, now }: OwnContext, action: AuditAction): Promise<UserWithAddresses> {
  await writeAudit(tx, { by, action, target: { kind: 'user', id: userId }, now });
  return readUser(tx, userId);
}

const addressNotFound = () => notFound('address_not_found', userMessages.addressNotFound);
