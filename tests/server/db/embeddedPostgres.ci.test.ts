import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/server/db/embedded/embeddedPostgres';

/** The short form of embeddedPostgres.nightly.test.ts, whose shops are separate processes. */
async function ask({ connection }: EmbeddedPostgres, query: string): Promise<object[]> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<object>(query)).rows;
  } finally {
    await client.end();
  }
}

test('an embedded database killed with -9 restarts with its data, opens no network port and syncs commits to disk', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'own-postgres-'));
  const folder = path.join(home, 'postgres');
  const reported: string[] = [];
  const own = await startEmbeddedPostgres(folder, (sentence) => void reported.push(sentence));
  onTestFinished(async () => {
    await own.stop();
    await rm(home, { recursive: true, force: true });
  });
  const lock = async () => (await readFile(path.join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums'])
    expect(await ask(own, `show ${setting}`)).toEqual([{ [setting]: 'on' }]);
  await ask(own, `create table notes as select 'Black pepper' as words`);

  const [pid, , , , , addresses] = await lock();
  expect(addresses).toBe('');
  process.kill(Number(pid), 'SIGKILL');
  const kept = () => ask(own, 'select words from notes').catch(() => []);
  await expect.poll(async () => (await lock())[0] !== pid && (await kept())).toEqual([{ words: 'Black pepper' }]);
  expect(reported).toEqual(['The database stopped; restarting it']);
});
