/**
 * Ends this process together with its starters: `kill` of npm reaches npm and the shell below it, but no signal is passed
 * on to the command, so the shop would keep running with its ports and its data folder.
 *
 * Watched are this process's ancestors, upwards, as long as each is known to wait for the one below: npm, `timeout`, and a
 * shell that runs its command in the foreground. The watch ends at any other ancestor, which may have meant to leave a
 * process behind (a shell with `&`, a program that starts the shop and exits), and at the border of a process group: jobs
 * of an interactive shell, `setsid`, systemd, and a container's first process.
 * Rule: docs/rules/running.md, Stopping
 */
import { execFileSync } from 'node:child_process';
import { fstatSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const watchEveryMs = 500;
const isLinux = process.platform === 'linux';
const shells = new Set(['sh', 'ash', 'bash', 'dash', 'ksh', 'mksh', 'zsh']);
const waiting = new Set(['npm', 'timeout']);

/**
 * Sends this process SIGHUP, as a closed terminal does, when one of its starters ends. Does nothing on Windows.
 * Call it at the very start: a starter that has already ended is not found.
 */
export function endWithStarters() {
  const starters = findStarters();
  if (starters.length === 0) return;
  const watch = setInterval(() => {
    if (starters.every(isThere)) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGHUP');
  }, watchEveryMs);
  watch.unref();
}

/**
 * The processes that this one ends with, nearest first.
 * @returns {{ child: number, pid: number, name: string }[]} `child` was started by `pid`
 */
export function findStarters() {
  if (process.platform === 'win32') return [];
  const starters = [];
  const own = readProcess(process.pid);
  for (let child = own; child && child.parent > 1;) {
    const starter = readProcess(child.parent);
    if (starter?.group !== own.group || !waitsForChild(starter)) break;
    starters.push({ child: child.pid, pid: starter.pid, name: starter.name });
    child = starter;
  }
  return starters;
}

/** A process whose parent ended gets another parent, though the parent's own parent may not have reaped it yet. */
function isThere({ child, pid }) {
  if (child === process.pid) return process.ppid === pid;
  if (isLinux) return readProcess(child)?.parent === pid;
  try {
    return process.kill(pid, 0);
  } catch ({ code }) {
    return code === 'EPERM';
  }
}

/**
 * A shell without job control gives background commands an empty input (POSIX, Asynchronous Lists). If the command itself
 * is readable and has no `&`, it waits: the input may be empty for another reason.
 */
function waitsForChild({ name, command }) {
  if (waiting.has(name)) return true;
  if (!shells.has(name)) return false;
  if (command === undefined) return !hasEmptyInput();
  return !command.replaceAll(/&&|[<>]&/g, '').includes('&');
}

function hasEmptyInput() {
  return fstatSync(0).rdev === statSync('/dev/null').rdev;
}

/** @returns undefined when there is no such process, or it is not readable */
function readProcess(pid) {
  try {
    return isLinux ? readLinux(pid) : readByPs(pid);
  } catch {
    return undefined;
  }
}

function readLinux(pid) {
  // the name, up to the last bracket, may contain spaces and brackets itself
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  return describe(pid, parent, group, words);
}

function readByPs(pid) {
  const columns = ['-o', 'ppid=', '-o', 'pgid=', '-o', 'args=', '-p', String(pid)];
  const said = execFileSync('ps', columns, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [parent, group, ...words] = said.trim().split(/ +/);
  return describe(pid, parent, group, words);
}

/** npm writes its command into its own name; a login shell's name begins with a hyphen. */
function describe(pid, parent, group, [program, ...args]) {
  const name = path.basename(program.split(' ')[0]).replace(/^-/, '');
  const firstNamed = args.findIndex((word) => !word.startsWith('-'));
  const hasCommand = firstNamed > 0 && /^-[a-z]*c$/.test(args[firstNamed - 1]);
  const command = hasCommand ? args.slice(firstNamed).join(' ') : undefined;
  return { pid, parent: Number(parent), group: Number(group), name, command };
}
