/**
 * Ends this process when one of its starters ends. Killing npm ends npm and its shell, but neither passes the signal on,
 * so the shop would keep running and occupy its ports and data folder.
 *
 * Watches the ancestors of this process upwards, as long as each is known to wait for its child: npm, `timeout`, and a
 * shell that runs its command in the foreground. Stops at any other ancestor, which may leave a process behind on purpose
 * (a shell with `&`, a program that starts the shop and exits), and at the border of a process group: jobs of an
 * interactive shell, `setsid`, systemd, and a container's first process.
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
 * Sends SIGHUP to this process, like a closed terminal, when one of its starters ends. Does nothing on Windows.
 * Call it first thing at startup: a starter that has already ended is not found.
 */
export function endWithStarters() {
  const starters = findStarters();
  if (starters.length === 0) return;
  const watch = setInterval(() => {
    if (starters.every(isRunning)) return;
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

/** Checks the parent id, since an ended parent that is not reaped yet still exists; its children get another parent. */
function isRunning({ child, pid }) {
  if (child === process.pid) return process.ppid === pid;
  if (isLinux) return readProcess(child)?.parent === pid;
  try {
    return process.kill(pid, 0);
  } catch ({ code }) {
    return code === 'EPERM';
  }
}

/**
 * A shell without job control gives background commands an empty input (POSIX, Asynchronous Lists). But the input may be
 * empty for other reasons, so a readable command is checked for `&` instead.
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

/** @returns undefined if the process does not exist or is not readable */
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
  const output = execFileSync('ps', columns, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [parent, group, ...words] = output.trim().split(/ +/);
  return describe(pid, parent, group, words);
}

/** npm appends its command to its process name; a login shell's name starts with a hyphen. */
function describe(pid, parent, group, [program, ...args]) {
  const name = path.basename(program.split(' ')[0]).replace(/^-/, '');
  const firstNamed = args.findIndex((word) => !word.startsWith('-'));
  const hasCommand = firstNamed > 0 && /^-[a-z]*c$/.test(args[firstNamed - 1]);
  const command = hasCommand ? args.slice(firstNamed).join(' ') : undefined;
  return { pid, parent: Number(parent), group: Number(group), name, command };
}
