/**
 * Without SESSION_SECRET, the secret of the token keys is a file in DATA_DIR that only its owner can read. It is in no
 * backup, so a backup cannot sign anyone in. Processes that share DATA_DIR share it; the first to start creates it.
 * Rule: docs/rules/running.md, Secrets
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, open, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '../../core/config';

export const keyFileName = 'session.key';

const secretBytes = 32;
const pattern = /^(?<secret>[\w-]{43})\n$/;

/**
 * Reads the secret, and creates the file if it does not exist.
 * @throws ConfigError when the file cannot be created or read, or is damaged
 */
export async function readKeySecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, keyFileName);
  const fresh = randomBytes(secretBytes).toString('base64url');
  const text = (await readIfExists(file)) ?? (await createOnce(file, `${fresh}\n`));
  await chmod(file, 0o600).catch(() => undefined); // copying DATA_DIR may reset the mode; fails on another user's file
  const secret = secretOf(text);
  if (secret === undefined)
    throw new ConfigError(
      `DATA_DIR: ${file} is damaged. If you delete it, the shop creates a new key and everyone has to log in again`,
    );
  return secret;
}

/** @returns undefined when the file does not exist or cannot be read */
export async function findKeySecret(dataDir: string): Promise<string | undefined> {
  const text = await readFile(path.join(dataDir, keyFileName), 'utf8').catch(() => '');
  return secretOf(text);
}

const secretOf = (text: string) => pattern.exec(text)?.groups?.['secret'];

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ConfigError(`DATA_DIR: can't read the session key (${message})`);
  }
}

/** A hard link is atomic and never overwrites: of several processes, all use what the first one wrote. */
async function createOnce(file: string, text: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`DATA_DIR: can't save the session key there (${message}). Set SESSION_SECRET`);
  } finally {
    await unlink(draft).catch(() => undefined); // it may not exist
  }
  return readFile(file, 'utf8');
}
