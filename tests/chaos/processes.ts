/** Starts, kills and finds the processes of a chaos run: the shop, its database and the test provider. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolConfig } from 'pg';

const readyWithinMs = 60_000; // a busy machine starts Node slowly

export type Child = {
  process: ChildProcess;
  /** The last lines that the process printed, which say why it ended. */
  said: () => string;
  /** Secrets that the process printed; only their first characters. */
  leaked: () => string[];
  isRunning: () => boolean;
};

/**
 * Keys, tokens, passwords of a chaos run, and card numbers (except the test card that the shop prints at its start).
 * Rule: docs/rules/failures.md, Invariants
 */
const secrets =
  /\b(?:[sr]k_(?:test|live)|whsec)_\w+|\beyJ[\w-]+\.eyJ[\w-]+|(?<![Cc]ard [\d ]*)\b4242 ?4242|(?:pepper and salt|owner of the chaos run) 1/g;

/**
 * Starts a program with an empty environment, except for what every program needs.
 * @param output 'ignore' drops its output, so that reading it costs no time
 */
export function startNode(args: string[], env: Record<string, string>, output: 'pipe' | 'ignore' = 'pipe'): Child {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), NODE_ENV: 'production', ...env },
    stdio: ['ignore', output, 'pipe'],
  });
  let said = '';
  const leaked = new Set<string>();
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-8_000);
      for (const [secret] of text.matchAll(secrets)) leaked.add(`${secret.slice(0, 12)}… was printed`);
    });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return { process: child, said: () => said, leaked: () => [...leaked], isRunning };
}

/** @returns the exit code, null after a kill */
export async function end({ process: child, isRunning }: Child, signal: NodeJS.Signals): Promise<number | null> {
  if (!isRunning()) return child.exitCode;
  const ended = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await ended)[0];
}

/**
 * Waits until the shop is ready.
 * @returns after how many milliseconds
 * @throws Error with its last lines when the process ended instead
 */
export async function untilReady(shop: Child, url: string): Promise<number> {
  for (const began = Date.now(); ; await pause(20)) {
    if (!shop.isRunning()) throw new Error(`the shop ended instead of starting: ${shop.said()}`);
    if (await isReady(url)) return Date.now() - began;
    if (Date.now() - began > readyWithinMs)
      throw new Error(`the shop is not ready after ${readyWithinMs / 1000} s: ${shop.said()}`);
  }
}

export async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

export type OwnDatabase = { pid: number; socketFolder: string; config: PoolConfig };

/** The process of the shop's own database, from its lock file; undefined while there is none. */
export function findOwnDatabase(dataDir: string): OwnDatabase | undefined {
  const [pid, , , port, host = ''] = readOr('', path.join(dataDir, 'postgres/postmaster.pid')).split('\n');
  if (!pid || !host) return undefined;
  const config = { host, port: Number(port), user: 'shop', database: 'shop' };
  return { pid: Number(pid), socketFolder: host, config };
}

/** Every running process of the folder, by its arguments or its working directory (as PostgreSQL's child processes). */
export function findProcessesOn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => !/^\d+ \(.*\) [ZX]/s.test(readOr('', `/proc/${pid}/stat`)))
    .filter(
      (pid) =>
        ['cmdline', 'environ'].some((file) => readOr('', `/proc/${pid}/${file}`).includes(folder)) ||
        standsIn(pid, folder),
    )
    .map(Number);
}

function standsIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    return false; // the process ended meanwhile
  }
}

function readOr(otherwise: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
