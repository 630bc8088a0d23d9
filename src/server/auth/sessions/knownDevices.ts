/**
 * Known devices: a login leaves a cookie by which the shop recognizes the browser next time. Its attempts at that
 * account are counted separately, so strangers' failed logins do not lock the owner out.
 *
 * The cookie holds its own id and, for each of the last accounts, two tags that need the shop's key. The first
 * identifies the account, so a cookie that does not know the account causes no lookup. The second covers the
 * credentials at that login, so a new password, or two-step login turned on or off, makes all devices of the account
 * unknown. Nothing is stored on the server.
 * Rule: docs/rules/accounts.md, Known devices; OWASP, Slow Down Online Guessing Attacks with Device Cookies
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { emailKey, findUserByEmail, type UserRow } from '../../users/core/service';
import type { Connection } from '../../db/core/transact';

export const maxKnownAccounts = 5;

const idBytes = 16;
const tagBytes = 16;
const tagLength = 22; // in base64url
const pattern = /^[\w-]{22}(?:\.[\w-]{44}){1,5}$/; // an id, and two tags for each account

export type DeviceSecrets = { deviceKey: Uint8Array };

/** @param cookie as sent, unchecked @returns the device's id, if the account knows the device */
export async function findKnownDevice(
  connection: Connection,
  { deviceKey }: DeviceSecrets,
  cookie: string | undefined,
  email: string,
): Promise<string | undefined> {
  const { id, entries } = read(cookie);
  const name = nameTag(id, email, deviceKey);
  const entry = entries.find((each) => isSame(each.slice(0, tagLength), name));
  const user = entry && (await findUserByEmail(connection, email));
  return user && isSame(entry.slice(tagLength), loginTag(id, user, deviceKey)) ? id : undefined;
}

export type Holder = Pick<UserRow, 'id' | 'email' | 'passwordHash' | 'totpConfirmedAt'>;

/** The cookie after `user` has authenticated in a browser. @param cookie the one it sent, unchecked */
export function knownDeviceCookie({ deviceKey }: DeviceSecrets, cookie: string | undefined, user: Holder): string {
  const { id, entries } = read(cookie);
  const name = nameTag(id, user.email, deviceKey);
  const others = entries.filter((each) => !isSame(each.slice(0, tagLength), name));
  return [id, `${name}${loginTag(id, user, deviceKey)}`, ...others].slice(0, 1 + maxKnownAccounts).join('.');
}

/** A browser without a valid cookie gets a new id. */
function read(cookie: string | undefined): { id: string; entries: string[] } {
  const [id = '', ...entries] = cookie !== undefined && pattern.test(cookie) ? cookie.split('.') : [];
  return { id: id || randomBytes(idBytes).toString('base64url'), entries };
}

const nameTag = (id: string, email: string, key: Uint8Array): string => tag(key, `account ${id} ${emailKey(email)}`);

const loginTag = (id: string, { id: userId, passwordHash, totpConfirmedAt }: Holder, key: Uint8Array): string =>
  tag(key, `login ${id} ${userId} ${passwordHash} ${totpConfirmedAt?.toISOString() ?? ''}`);

const tag = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, tagBytes).toString('base64url');

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));
