/**
 * The system user of the embedded PostgreSQL. PostgreSQL refuses to run as root, so root runs it as another user without
 * capabilities, shared groups or ways to gain rights: even a query of its superuser cannot read root's files. That user
 * often cannot enter the folder's parents (root's home), so the server is started inside the folder and refers to it as its
 * working directory. If the user cannot reach the programs, they are copied.
 */
import { StartError } from '../../core/startError';
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { isWindows, reason, run, type Binaries } from './postgresPrograms';

export type DatabaseUser = {
  uid: number;
  gid: number;
  /** Whether root switches to this user. */
  isLent: boolean;
  /** The command prefix of every program; empty when it runs as the shop's own user. */
  command: string[];
};

/** The path by which a lent user refers to its start folder. */
export const startedIn = '/proc/self/cwd';

/** @returns the folder's owner; as root, for a new folder, its parent's owner, or `nobody` if that is root */
export async function chooseSystemUser(folder: string): Promise<DatabaseUser> {
  const self = process.getuid?.() ?? -1;
  const owner = await findOwner(folder);
  if (self !== 0) {
    if (!isWindows && owner !== undefined && owner !== self)
      throw new StartError(
        `${folder} belongs to another user. Start the shop as that user, or change the folder's owner`,
      );
    return { uid: self, gid: process.getgid?.() ?? -1, isLent: false, command: [] };
  }
  const uid = (owner ?? (await findOwner(path.dirname(folder)))) || uidOfNobody();
  const gid = groupOf(folder);
  const nothing = ['--clear-groups', '--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs'];
  const command = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...nothing, '--'];
  try {
    run([...command, 'true']);
  } catch (error) {
    const why = `root can't run PostgreSQL as another user with setpriv (${reason(error)})`;
    throw new StartError(`${why}: ${instead}`, { cause: error });
  }
  return { uid, gid, isLent: true, command };
}

const instead = 'start the shop as a regular user, or set DATABASE_URL';

/** Ids that distributions do not assign; the range of many containers ends not far above. */
const groups = { first: 30_000, count: 29_000 };

/** A group without a name or members, through which root shares the socket's folder with only the database. */
const groupOf = (folder: string) => groups.first + (Number.parseInt(shortHash(folder), 16) % groups.count);

/** Persistent folders first: unused files in the others may be cleaned up. */
const placesForPrograms = ['/var/cache', '/var/tmp', '/tmp'];

/** @returns programs that the user can run: the given ones, or a copy if only root can reach those */
export async function withinReach(binaries: Binaries, user: DatabaseUser): Promise<Binaries> {
  if (!user.isLent || canRun(user, binaries.postgres)) return binaries;
  const native = path.resolve(binaries.postgres, '../..');
  const { size, mtimeMs } = await fs.stat(binaries.postgres);
  const ofThisPlace = `shop-postgres-${shortHash(native)}-`;
  const name = ofThisPlace + shortHash(`${run([binaries.postgres, '--version'])} ${size} ${mtimeMs}`);
  const failures: string[] = [];
  for (const place of placesForPrograms) {
    try {
      const copy = path.join(place, name);
      if (!(await isOurs(copy))) await copyPrograms(native, place, name, ofThisPlace);
      const programs = { ...binaries, ...programsIn(copy) };
      if ((await isOurs(copy)) && canRun(user, programs.postgres)) return programs;
    } catch (error) {
      failures.push(reason(error));
    }
  }
  throw new StartError(`PostgreSQL can't run its programs in ${native} (${failures.join('; ')}): ${instead}`);
}

const programsIn = (native: string) => {
  const at = (name: string) => path.join(native, 'bin', name);
  return { postgres: at('postgres'), initdb: at('initdb'), pg_ctl: at('pg_ctl') };
};

/** A crash leaves only a draft. Copies of other versions are removed. */
async function copyPrograms(native: string, place: string, name: string, ofThisPlace: string): Promise<void> {
  const draft = await fs.mkdtemp(path.join(place, `${ofThisPlace}draft-`));
  run(['cp', '-R', `${native}/.`, draft]);
  run(['chmod', '-R', 'u=rwX,go=rX', draft]);
  await fs.rename(draft, path.join(place, name)).catch(() => undefined); // another start was first
  const former = (await fs.readdir(place)).filter((each) => each.startsWith(ofThisPlace) && each !== name);
  for (const each of former) await fs.rm(path.join(place, each), { recursive: true, force: true });
}

/** Whether only root could have created or can change it. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await fs.lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === 0 && (found.mode & 0o022) === 0;
}

/** Whether a lent user can enter a folder, by its path. */
export const canEnter = (user: DatabaseUser, folder: string) => succeeds([...user.command, 'test', '-x', folder]);

const canRun = (user: DatabaseUser, program: string) => succeeds([...user.command, program, '--version']);

function succeeds(command: string[]): boolean {
  try {
    run(command);
    return true;
  } catch {
    return false;
  }
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

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
