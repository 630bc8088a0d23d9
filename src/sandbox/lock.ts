/**
 * Ensures one process per folder, using only files.
 *
 * A lock is a file `lock.<n>` that names its holder, and the highest n counts. The file appears complete (written under
 * another name, then linked, which fails when the name exists). A process that finds a dead holder links n + 1, so of
 * several successors one wins. Numbers only grow: a slow process that acts on an old number finds a higher one after its
 * own link, and gives up. For the same reason a release empties the file instead of deleting it.
 * A plain pid file does not work: a container's process often restarts with the pid of the one that was killed.
 */
import { randomUUID } from 'node:crypto';
import { link, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Holder = { pid: number; instance: string; started: string | null };

const instance = randomUUID();

/**
 * Locks the folder for this process.
 * @returns a function that releases the lock
 * @throws Error in one sentence while another living process (or another sandbox in this one) holds it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  for (;;) {
    const newest = (await listLocks(folder)).at(-1) ?? 0;
    if (newest > 0 && (await isHeld(lockPath(folder, newest)))) throw inUse(folder);

    const own = newest + 1;
    if (!(await takeNumber(folder, own))) continue;
    const numbers = await listLocks(folder);
    if (numbers.at(-1) !== own) {
      await rm(lockPath(folder, own), { force: true });
      throw inUse(folder);
    }
    for (const old of numbers) if (old < own) await rm(lockPath(folder, old), { force: true });
    return () => truncate(lockPath(folder, own));
  }
}

async function takeNumber(folder: string, number: number): Promise<boolean> {
  const temporary = join(folder, `.lock-${randomUUID()}`);
  const holder: Holder = { pid: process.pid, instance, started: await startTimeOf(process.pid) };
  await writeFile(temporary, JSON.stringify(holder), { mode: 0o600, flush: true });
  try {
    await link(temporary, lockPath(folder, number));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function isHeld(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text === '') return false;
  const holder = JSON.parse(text) as Holder;
  if (holder.pid === process.pid) return holder.instance === instance;
  return isAlive(holder.pid) && (await startTimeOf(holder.pid)) === holder.started;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** The process's start time (Linux only), which distinguishes it from a later process with the same pid. */
async function startTimeOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z') return 'ended';
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${boot.trim()}:${fields[19]}`;
}

async function listLocks(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

const lockPath = (folder: string, number: number) => join(folder, `lock.${number}`);
const inUse = (folder: string) => new Error(`Another test payment provider is already using the folder ${folder}.`);
const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;
