/** The user's own picture. Rule: docs/rules/accounts.md, Picture */
import type { AuditAction } from '../../shared/audit';
import { changeUser, lockUser, readUser, type UserRow, type UserWithAddresses } from './core/service';
import { writeAudit } from '../audit/service';
import { afterCommit, type Tx } from '../db/core/transact';
import { notFound } from '../http/core/problems';
import type { PictureStore } from '../pictures/files';
import { removeAvatar, writeAvatar, type Avatar } from '../pictures/avatars';
import type { OwnContext } from './addresses';

/**
 * Sets the user's picture; the files of the previous one are removed after the commit.
 * @throws Problem 507 storage_full, 503 unavailable
 */
export async function setOwnPicture(
  tx: Tx,
  store: PictureStore,
  own: OwnContext,
  avatar: Avatar,
): Promise<UserWithAddresses> {
  const imageUrl = await writeAvatar(store, avatar);
  try {
    const before = await requireOwn(tx, own);
    await change(tx, store, before, imageUrl);
    return await audited(tx, own, 'user.picture_changed');
  } catch (error) {
    await removeAvatar(store, imageUrl);
    throw error;
  }
}

/** Removes the user's picture and its files. */
export async function removeOwnPicture(tx: Tx, store: PictureStore, own: OwnContext): Promise<UserWithAddresses> {
  const before = await requireOwn(tx, own);
  if (before.imageUrl === null) return readUser(tx, own.userId);
  await change(tx, store, before, null);
  return audited(tx, own, 'user.picture_removed');
}

async function requireOwn(tx: Tx, { userId }: OwnContext): Promise<UserRow> {
  const user = await lockUser(tx, userId);
  if (!user) throw notFound();
  return user;
}

async function change(tx: Tx, store: PictureStore, before: UserRow, imageUrl: string | null): Promise<void> {
  await changeUser(tx, before.id, { imageUrl });
  afterCommit(tx, () => void removeAvatar(store, before.imageUrl));
}

/** Pictures are personal data, so the audit log records the change but not the picture. */
async function audited(tx: Tx, { userId, by, now }: OwnContext, action: AuditAction): Promise<UserWithAddresses> {
  await writeAudit(tx, { by, action, target: { kind: 'user', id: userId }, now });
  return readUser(tx, userId);
}
