/** One's own addresses. */
import type { AuditAction } from '../../shared/audit';
import { accountLimits, userMessages } from '../../shared/users';
import { changeAddress, createAddress, deleteAddress, findAddresses, type NewAddress } from '../account/addresses';
import { lockUser, readUser, type UserWithAddresses } from '../account/service';
import { writeAudit } from '../audit/service';
import type { Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import { conflict, notFound } from '../http/core/problems';

/** Whose address, who does it, and when. */
export type Own = { userId: string; by: Actor; now: Date };

/**
 * Saves one more address of one's own.
 * @throws Problem 409 too_many_addresses
 * Rule: docs/rules/accounts.md, Addresses
 */
export async function addAddress(tx: Tx, own: Own, address: NewAddress): Promise<UserWithAddresses> {
  await lockUser(tx, own.userId); // two at once would both find room for the last one
  const { length } = await findAddresses(tx, [own.userId]);
  if (length >= accountLimits.addresses) throw conflict('too_many_addresses', userMessages.tooManyAddresses);
  await createAddress(tx, own.userId, address, own.now);
  return audited(tx, own, 'user.address_added');
}

/** @throws Problem 404 address_not_found, alike for a missing one and somebody else's */
export async function updateAddress(tx: Tx, own: Own, id: string, address: NewAddress): Promise<UserWithAddresses> {
  if (!(await changeAddress(tx, own.userId, id, address))) throw addressNotFound();
  return audited(tx, own, 'user.address_changed');
}

/** @throws Problem 404 address_not_found, alike for a missing one and somebody else's */
export async function removeAddress(tx: Tx, own: Own, id: string): Promise<UserWithAddresses> {
  if (!(await deleteAddress(tx, own.userId, id))) throw addressNotFound();
  return audited(tx, own, 'user.address_removed');
}

/** An address is personal: that it changed is kept, not what it was. */
async function audited(tx: Tx, { userId, by, now }: Own, action: AuditAction): Promise<UserWithAddresses> {
  await writeAudit(tx, { by, action, target: { kind: 'user', id: userId }, now });
  return readUser(tx, userId);
}

const addressNotFound = () => notFound('address_not_found', userMessages.addressNotFound);
