/** The embedded PostgreSQL's cluster folder: its version check and its creation. */
import { StartError } from '../../core/startError';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { isWindows, reason, runBeside, type Binaries } from './postgresPrograms';
import { startedIn, type DatabaseUser } from './postgresUser';

const passwordFile = 'shop.password';
const draftsAreStaleAfterMs = 10 * 60_000;

/**
 * Creates the cluster when it is missing. A crash leaves only a draft, never an incomplete cluster.
 * @param begun called once initdb is running
 */
export async function prepareCluster(
  folder: string,
  binaries: Binaries,
  user: DatabaseUser,
  begun: () => void,
): Promise<void> {
  const theirs = await findMajor(folder);
  if (theirs === undefined) return createCluster(folder, binaries, user, begun);
  if (theirs !== binaries.major)
    throw new StartError(
      `${folder} was made by PostgreSQL ${theirs}, but this shop includes PostgreSQL ${binaries.major}: ` +
        `upgrade it with pg_upgrade from PostgreSQL ${binaries.major}, ` +
        `or start PostgreSQL ${theirs} on it and set DATABASE_URL to that`,
    );
}

/** Only a server on a TCP port has a password; on a socket, access to its folder is the login. */
export async function readPassword(folder: string): Promise<string> {
  return (await fs.readFile(path.join(folder, passwordFile), 'utf8')).trim();
}

async function createCluster(
  folder: string,
  { initdb }: Binaries,
  user: DatabaseUser,
  begun: () => void,
): Promise<void> {
  if ((await fs.readdir(folder).catch(() => [])).length)
    throw new StartError(`${folder} has files but no database. Move them, or restore the whole folder`);
  await removeStaleDrafts(folder);
  const draft = `${folder}.new-${process.pid}`;
  const passwordDraft = `${draft}.password`;
  await fs.rm(draft, { recursive: true, force: true });
  await fs.mkdir(draft, { recursive: true, mode: 0o700 });
  if (user.isLent) await fs.chown(draft, user.uid, user.gid);
  if (isWindows) await fs.writeFile(passwordDraft, randomBytes(24).toString('base64url'), { mode: 0o600 });
  const login = isWindows ? ['--auth=scram-sha-256', `--pwfile=${passwordDraft}`] : ['--auth=trust'];
  // sorts by code point, knows the letters of all languages, and does not change with the system's locales
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const sync = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];
  try {
    const at = user.isLent ? startedIn : draft;
    const options = ['--username=shop', '--data-checksums', ...login, ...locale, ...sync];
    const pending = runBeside([...user.command, initdb, '-D', at, ...options], user.isLent ? draft : undefined);
    begun();
    await pending;
    if (isWindows) await fs.rename(passwordDraft, path.join(draft, passwordFile));
    await fs.rmdir(folder).catch(() => undefined); // an empty folder, which Windows would not replace
    await fs.rename(draft, folder);
  } catch (error) {
    for (const each of [draft, passwordDraft]) await fs.rm(each, { recursive: true, force: true });
    if (await findMajor(folder)) return; // another start was first: its cluster is used
    throw new StartError(`Couldn't create the database in ${folder}: ${reason(error)}`, { cause: error });
  }
  if (!isWindows) await syncFolder(path.dirname(folder));
}

/** Makes the rename durable, and with it everything written below the new name. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeStaleDrafts(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  for (const name of await fs.readdir(parent).catch(() => [])) {
    if (!name.startsWith(`${path.basename(folder)}.new-`)) continue;
    const draft = path.join(parent, name);
    const { mtimeMs } = await fs.stat(draft);
    if (Date.now() - mtimeMs > draftsAreStaleAfterMs) await fs.rm(draft, { recursive: true, force: true });
  }
}

/** The PostgreSQL major version of the cluster in `folder`. */
async function findMajor(folder: string): Promise<number | undefined> {
  const version = await fs.readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  return version === undefined ? undefined : Number(version);
}
