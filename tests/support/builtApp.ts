/** The built browser app, for tests of the pages that the server renders from it. */
import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const lock = '.cache/building';

let built: Promise<string> | undefined;

/**
 * Builds what is stale, in one test process at a time and once per process: sources do not change during a run, and the
 * check takes a second.
 * @returns the folder of the built app
 */
export const builtApp = (): Promise<string> => (built ??= build());

async function build(): Promise<string> {
  const held = await takeLock();
  try {
    await promisify(execFile)(process.execPath, ['src/tools/build.mjs']);
  } finally {
    await held.close();
    await rm(lock, { force: true });
  }
  return path.resolve('dist/web');
}

const longestBuildMs = 300_000;

async function takeLock() {
  for (const began = Date.now(); ; await pause(100)) {
    const held = await open(lock, 'wx').catch(() => undefined);
    if (held) return held;
    if (Date.now() - began > longestBuildMs) await rm(lock, { force: true }); // left behind by a killed run
  }
}
