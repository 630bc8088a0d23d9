/**
 * What started this process, and the end with it: `kill` of npm reaches npm and the shell below it, and no signal comes
 * from there to what the shell runs, so the shop would go on for nobody, with its ports and its data folder.
 *
 * Who is watched: from this process upwards, each that is known to wait for the one below. That is npm, `timeout`, and a
 * shell that runs its command in the foreground. Whatever else may have been meant to leave something behind (a shell
 * with `&`, a program that starts the shop and goes): there the watch ends, and so it does at the border of a process
 * group, where the job of an interactive shell, `setsid`, systemd and a container's first process stand.
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
 * Sends this process SIGHUP, as the end of a terminal does, when one of its starters is gone. Does nothing on Windows.
 * To be called at the very start: a starter that is gone by then is not known.
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
 * The processes that this one ends with, the nearest first.
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

/** A process whose parent has ended has another one, though the parent's own may not have taken note of its end yet. */
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
 * A shell without job control gives what runs in its background an empty input (POSIX, Asynchronous Lists). Where the
 * command itself can be read, no `&` in it says more: then the input may be empty for another reason.
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

/** @returns undefined when there is no such process, or it cannot be read */
function readProcess(pid) {
  try {
    return isLinux ? readLinux(pid) : readByPs(pid);
  } catch {
    return undefined;
  }
}

function readLinux(pid) {
  // the name before the last bracket may have spaces and brackets itself
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
