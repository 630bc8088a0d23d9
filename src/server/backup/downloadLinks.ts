/** Links to download a backup: each works for a minute, for one backup, with the login that asked for it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { downloadLinkSeconds } from '../../shared/backups';

export type DownloadLink = { backupId: string; familyId: string };

export function makeDownloadLink(link: DownloadLink, key: Uint8Array, now: Date): { url: string; expiresAt: Date } {
  const expiresAt = new Date(now.getTime() + downloadLinkSeconds * 1000);
  const token = `${expiresAt.getTime().toString(36)}.${sign(link, expiresAt, key).toString('base64url')}`;
  return { url: `/api/admin/backups/${link.backupId}/file?token=${token}`, expiresAt };
}

export function isDownloadLink(token: string, link: DownloadLink, key: Uint8Array, now: Date): boolean {
  const [, time = '', signature = ''] = /^([\da-z]{1,11})\.([\w-]{43})$/.exec(token) ?? [];
  const expiresAt = new Date(Number.parseInt(time, 36));
  if (!(expiresAt > now)) return false;
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(link, expiresAt, key);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const sign = ({ backupId, familyId }: DownloadLink, expiresAt: Date, key: Uint8Array) =>
  createHmac('sha256', key).update(`${backupId} ${familyId} ${expiresAt.getTime()}`).digest();
