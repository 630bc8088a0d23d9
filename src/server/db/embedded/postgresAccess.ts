/**
 * Who the shop's own PostgreSQL lets in: its owner, who needs no password since nobody else can enter the socket's
 * folder, and everybody else with a password, above all the shop's second login (secondLogin.ts).
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
 * Puts the rules into a cluster, since initdb lets everybody in as anybody. The file is put there whole or not at all. On
 * Windows initdb asks everybody for a password.
 */
export async function writeAccessRules(folder: string, user: DatabaseUser): Promise<void> {
  const file = path.join(folder, 'pg_hba.conf');
  if (isWindows || (await fs.readFile(file, 'utf8').catch(() => '')) === rules) return;
  await replaceFile(file, rules, user);
}

const passwordBytes = 24;

/**
 * The password of the shop's second login, in a file beside the cluster that only who runs the shop may read. One that is
 * not there, or was left by somebody else, is made anew: the login gets it when it is refused.
 */
export async function requireAppPassword(folder: string): Promise<string> {
  const file = `${folder}.password`;
  const kept = await readOwnFile(file).catch(() => '');
  if (/^[\w-]{32}$/.test(kept)) return kept;
  const password = randomBytes(passwordBytes).toString('base64url');
  await replaceFile(file, password);
  return password;
}

/** @throws when it is somebody else's, which root could read and change all the same, or a link */
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

/** Follows no link that lies in the place of the draft: the folder may belong to a user with fewer rights. */
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
