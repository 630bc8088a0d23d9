/**
 * Access rules of the embedded PostgreSQL: the owner needs no password, since no other user can enter the socket's folder.
 * All others need one, above all the app login (roles/appLogin.ts).
 */
import { StartError } from '../../core/startError';
import { randomBytes } from 'node:crypto';
import fs, { constants } from 'node:fs/promises';
import path from 'node:path';
import { isWindows } from './postgresPrograms';
import type { DatabaseUser } from './postgresUser';

const rules = `# The shop writes this file at its start.
local all shop trust
local all all scram-sha-256
`;

/**
 * Writes the rules into a cluster atomically, since initdb lets every local user log in as any role. On Windows, initdb
 * already requires passwords.
 */
export async function writeAccessRules(folder: string, user: DatabaseUser): Promise<void> {
  const file = path.join(folder, 'pg_hba.conf');
  if (isWindows || (await fs.readFile(file, 'utf8').catch(() => '')) === rules) return;
  await replaceFile(file, rules, user);
}

const passwordBytes = 24;

/**
 * The app login's password, in a file beside the cluster that only the shop's user may read. If the file is missing or
 * belongs to another user, a new password is created, and the login is updated when the database rejects it.
 */
export async function requireAppPassword(folder: string): Promise<string> {
  const file = `${folder}.password`;
  const kept = await readOwnFile(file).catch(() => '');
  if (/^[\w-]{32}$/.test(kept)) return kept;
  const password = randomBytes(passwordBytes).toString('base64url');
  await replaceFile(file, password);
  return password;
}

/** @throws if the file is a symbolic link or belongs to another user. Root could read both, so it is checked. */
async function readOwnFile(file: string): Promise<string> {
  const handle = await fs.open(file, constants.O_RDONLY | (isWindows ? 0 : constants.O_NOFOLLOW));
  try {
    const self = process.getuid?.();
    if (self !== undefined && (await handle.stat()).uid !== self)
      throw new StartError(`${file} belongs to another user`);
    await handle.chmod(0o600);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Does not follow a link at the draft's path: the folder may belong to a user with fewer rights. */
async function replaceFile(file: string, content: string, owner?: DatabaseUser): Promise<void> {
  const draft = `${file}.part`;
  await fs.rm(draft, { force: true });
  const handle = await fs.open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    if (owner?.isLent) await handle.chown(owner.uid, owner.gid);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await fs.rename(draft, file);
}
