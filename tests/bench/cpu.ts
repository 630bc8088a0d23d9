/** Processor time of processes, as the system counts it: on a shared machine it holds where a rate does not. */
import { readdirSync, readFileSync } from 'node:fs';

const tickMs = 10;

/** Processes whose work counts: each with its threads; of a database also what its ended connections used. */
export type Measured = { pids: readonly (number | undefined)[]; databasePid?: number | undefined };

/** @returns milliseconds, user and system, so far */
export function cpuMsOf({ pids, databasePid }: Measured): number {
  const own = pids.reduce<number>((sum, pid) => sum + (fieldsOf(pid)?.own ?? 0), 0);
  return own + (databasePid === undefined ? 0 : treeMsOf(databasePid));
}

function treeMsOf(pid: number): number {
  const main = fieldsOf(pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => fieldsOf(Number(name)))
    .filter((fields) => fields?.parent === pid);
  return children.reduce((sum, fields) => sum + (fields?.own ?? 0), (main?.own ?? 0) + (main?.ofEnded ?? 0));
}

function fieldsOf(pid: number | undefined) {
  try {
    const [, text = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = text.split(' ').map(Number);
    const ticks = (...at: number[]) => at.reduce((sum, index) => sum + (fields[index] ?? 0), 0) * tickMs;
    return { parent: fields[1], own: ticks(11, 12), ofEnded: ticks(13, 14) };
  } catch {
    return undefined; // it has ended
  }
}

/** @returns megabytes of memory that the process has now, and had at most */
export function memoryOf(pid: number | undefined): { nowMb: number; mostMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { nowMb: read('VmRSS'), mostMb: read('VmHWM') };
}
