import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from './ids';

export type Keys = { secretKey: string; webhookSecret: string };

/**
 * The provider's random keys, stored in `keys.json` in the folder (mode 0600). If two processes start at the same time, one
 * creates the complete file atomically and the other reads it.
 */
export async function readOrCreateKeys(folder: string): Promise<Keys> {
  const path = join(folder, 'keys.json');
  const existing = await readKeys(path);
  if (existing) return existing;

  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.keys-${randomUUID()}`);
  const keys: Keys = { secretKey: newId('sk_test_'), webhookSecret: newId('whsec_') };
  await writeFile(temporary, JSON.stringify(keys), { mode: 0o600, flush: true });
  try {
    await link(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return (await readKeys(path)) ?? keys;
}

/** @throws Error in one sentence for a live key, or for text that is not a key of this provider */
export function requireTestKey(secretKey: string): void {
  if (/^[sr]k_live_/.test(secretKey)) throw new Error('The test payment provider refuses live keys.');
  if (!/^[sr]k_test_\w{8,}$/.test(secretKey)) {
    throw new Error('The test payment provider needs a secret key that begins with sk_test_.');
  }
}

async function readKeys(path: string): Promise<Keys | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as Keys);
}
