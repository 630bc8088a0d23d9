/** The built shop as a program, with its own database and test provider, for tests that kill it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { end, findOwnDatabase, startNode, untilReady } from '../chaos/processes';
import { bearer } from './accounts';
import { callerAt } from './caller';
import { findFreePort } from './freePort';

const account = { email: 'owner@example.com', password: 'pepper and salt of the owner' };

export type ShopProgram = Awaited<ReturnType<typeof startProgram>>;

/** Run `builtApp()` first. */
export async function startProgram(dataDir: string) {
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const url = `http://127.0.0.1:${port}`;
  const program = startNode(['dist/server/main.js'], {
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DEMO_SIZES: 'off',
    LOG_LEVEL: 'warn',
    OWNER_EMAIL: account.email,
    OWNER_PASSWORD: account.password,
  });
  await untilReady(program, url);
  const call = callerAt(url);
  let login: { headers: ReturnType<typeof bearer>; at: number } | undefined;
  return {
    call,
    /** @returns the headers of the owner's login; a token lives 15 minutes */
    logIn: async () => {
      if (login && Date.now() - login.at < 10 * 60_000) return login.headers;
      const { data } = await call('login', { body: account });
      login = { headers: bearer(data.authResponse), at: Date.now() };
      return login.headers;
    },
    query: async <Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> => {
      const client = new Client(findOwnDatabase(dataDir)?.config);
      await client.connect();
      try {
        await client.query('set role none'); // the rights of the login, which the shop does not use
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    /** Its database stays, and the next start takes it over. */
    kill: () => end(program, 'SIGKILL'),
    stop: () => end(program, 'SIGTERM'),
  };
}

/** The command, as an operator types it. @throws Error with its `stderr` when it fails */
export async function restoreCommand(folder: string, dataDir: string): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', DATABASE_DIRECT_URL: '', S3_URL: '' };
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/server/backup.js', 'restore', folder], { env });
  return stdout;
}
