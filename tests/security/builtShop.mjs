/** The built shop on a data folder of its own, for the scripts in this folder. Run `npm run build` first. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * @param settings environment variables besides PATH and DATA_DIR; PORT must be among them
 * @returns its URL, and a function that ends it and removes its folder
 */
export async function openBuiltShop(settings) {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-security-'));
  const env = { PATH: process.env.PATH, DATA_DIR: folder, OWNER_PASSWORD: 'only for this run 1', ...settings };
  const shop = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => shop.once('exit', resolve));
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => shop.kill('SIGTERM') && process.exit(1));
  const url = `http://127.0.0.1:${settings.PORT}`;
  const close = async () => {
    shop.kill('SIGTERM');
    await Promise.race([ended, pause(12_000)]);
    shop.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return { url, close };
    await pause(200);
  }
  await close();
  throw new Error('the shop did not start');
}
