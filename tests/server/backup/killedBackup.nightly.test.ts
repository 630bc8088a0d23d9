/** The shop's program is killed in the middle of backups. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBackupFolders } from '../../../src/server/backup/folders';
import { requireWhole } from '../../../src/server/backup/manifest';
import type { Schema } from '../../../src/shared/contract';
import { createRandom } from '../../chaos/random';
import { builtApp } from '../../support/builtApp';
import { backupAlarms, backUp, listBackups, passNight, untilBackup } from '../../support/programBackups';
import { toldSeed } from '../../support/random';
import { startProgram, type ShopProgram } from '../../support/shopProgram';

const kills = 4;
let home: string;
let dataDir: string;
let shop: ShopProgram;
beforeAll(async () => {
  await builtApp();
  home = await mkdtemp(path.join(tmpdir(), 'shop-killed-backup-'));
  dataDir = path.join(home, 'data');
  shop = await startProgram(dataDir);
  await shop.query(`insert into idempotency_keys (scope, key, request_hash, status, created_at)
    select 'many', gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 200, now() from generate_series(1, 400000)`);
}, 600_000);
afterAll(async () => {
  await shop?.stop();
  await rm(home, { recursive: true, force: true, maxRetries: 20 });
});

const inBackups = async () => (await readdir(path.join(dataDir, 'backups'))).filter((name) => name.startsWith('20'));

/** Those of earlier turns were moved a day back. */
const isNew = ({ startedAt }: Schema<'Backup'>) => Date.parse(startedAt) > Date.now() - 12 * 3_600_000;

/** Waits until the backup writes its first table. */
async function untilBegun(known: readonly string[]): Promise<void> {
  for (;;) {
    const draft = (await inBackups()).find((name) => name.endsWith('.part') && !known.includes(name));
    const table = draft && (await stat(path.join(dataDir, 'backups', draft, 'database')).catch(() => undefined));
    if (table) return;
    await pause(2);
  }
}

test('a backup that was killed is never taken for a good one, raises an alarm, and is made again', async () => {
  const random = createRandom(toldSeed());
  await backUp(shop); // undisturbed
  for (let turn = 0; turn < kills; turn++) {
    const known = await inBackups();
    const whole = await listBackupFolders(dataDir);
    await shop.call('startBackup', { headers: await shop.logIn() });
    await untilBegun(known);
    await pause(random.below(400));
    await shop.kill();
    const left = (await inBackups()).filter((name) => !known.includes(name));
    expect(left, 'killed in the middle').toEqual([expect.stringMatching(/\.part$/)]);
    expect(await listBackupFolders(dataDir)).toEqual(whole);

    shop = await startProgram(dataDir);
    await untilBackup(shop, (backup) => isNew(backup) && backup.state === 'failed');
    expect(await inBackups()).not.toContain(left[0]);
    const interrupted = { kind: 'backup_failed', detail: expect.stringContaining('interrupted') };
    await expect.poll(() => backupAlarms(shop), { timeout: 30_000 }).toMatchObject([interrupted]);

    await passNight(shop);
    const { folder } = await untilBackup(
      shop,
      (each) => isNew(each) && each.state === 'good' && each.cause === 'nightly',
    );
    await requireWhole(folder ?? '');
    await expect.poll(() => backupAlarms(shop), { timeout: 30_000 }).toEqual([]);
  }
  const backups = await listBackups(shop);
  expect(backups.filter(({ state }) => state === 'good').length).toBeGreaterThanOrEqual(kills + 1);
  for (const { state, folder } of backups) if (state === 'good') await requireWhole(folder ?? '');
}, 1_800_000);
