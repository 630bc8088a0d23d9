/** Tells whether a running database holds the embedded cluster's folder, or only the lock files of a dead one. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';

/** PostgreSQL, or the shop's own lock, found the folder in use. */
export class FolderInUse extends Error {}

/**
 * Removes the lock files of a dead database, whose process id may now belong to a zombie or another program.
 * @param locks the lock files that name the process, postmaster.pid (which has the status) first
 * @returns the status of a running database (`ready`, `stopping` …), or undefined when none is running
 */
export async function clearDeadLocks(folder: string, locks: string[]): Promise<string | undefined> {
  for (const lock of locks) {
    const [pid = '', , , , , , , status = ''] = (await fs.readFile(lock, 'utf8').catch(() => '')).split('\n');
    if (!pid) continue;
    if (await isDatabaseOf(folder, Math.abs(Number(pid)))) return status.trim();
    await fs.rm(lock, { force: true });
  }
  return undefined;
}

export type Living = { port: number; socketFolder: string; address: string; status: string };

/** The running database of the folder, as described in its lock file; undefined when none is running. */
export async function findLiving(folder: string): Promise<Living | undefined> {
  const lock = await fs.readFile(path.join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid = '', , , port = '', socketFolder = '', address = '', , status = ''] = lock.split('\n');
  if (!pid || !(await isDatabaseOf(folder, Number(pid)))) return undefined;
  return { port: Number(port), socketFolder, address, status: status.trim() };
}

/** Returns true in doubt, since two databases in one folder would destroy the data. */
async function isDatabaseOf(folder: string, pid: number): Promise<boolean> {
  try {
    if (process.platform === 'linux') return await isDatabaseOnLinux(folder, pid);
    if (process.platform === 'win32') return run('tasklist', '/FI', `PID eq ${pid}`, '/NH').includes('postgres');
    return /^[^Z].*\bpostgres/.test(run('ps', '-o', 'stat=,comm=', '-p', String(pid)));
  } catch {
    return false; // no such process
  }
}

async function isDatabaseOnLinux(folder: string, pid: number): Promise<boolean> {
  const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8');
  if (!/^\d+ \(postgres\) [^ZX]/.test(stat)) return false;
  // a container reuses its few process ids quickly: this may be another shop's database, or a child process of one
  const command = (await fs.readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  if (command[0]?.startsWith('postgres: ')) return false;
  // the working directory of PostgreSQL is its data folder
  const places = [`/proc/${pid}/cwd`, folder].map((each) => fs.stat(each).catch(() => undefined));
  const [theirs, ours] = await Promise.all(places);
  return !theirs || !ours || (theirs.ino === ours.ino && theirs.dev === ours.dev);
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
}
