/** A file of the newest backup spoils, and the machine is lost: the shop goes on from the last good backup. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOwnDatabase } from '../../chaos/processes';
import { findBreaches } from '../../support/books';
import { builtApp } from '../../support/builtApp';
import { backupAlarms, backUp, listBackups, passNight, untilBackup } from '../../support/programBackups';
import { restoreCommand, startProgram, type ShopProgram } from '../../support/shopProgram';

let home: string;
let shop: ShopProgram;
const running: ShopProgram[] = [];
beforeAll(async () => {
  await builtApp();
  home = await mkdtemp(path.join(tmpdir(), 'shop-last-good-'));
  running.push((shop = await startProgram(path.join(home, 'data'))));
}, 600_000);
afterAll(async () => {
  for (const each of running) await each.stop();
  await rm(home, { recursive: true, force: true, maxRetries: 20 });
});

const nameShop = async ({ call, logIn }: ShopProgram, shopName: string) => {
  const headers = await logIn();
  const { settings } = (await call('getSettings', { headers })).data;
  expect((await call('updateSettings', { headers, body: { ...settings, shopName } })).status).toBe(200);
};
const nameOf = async ({ call, logIn }: ShopProgram) =>
  (await call('getSettings', { headers: await logIn() })).data.settings.shopName;

/** One bit in the middle, as a dying disk does. */
async function spoil(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const middle = Math.floor((await handle.stat()).size / 2);
    const [byte = 0] = (await handle.read(Buffer.alloc(1), 0, 1, middle)).buffer;
    await handle.write(Buffer.from([byte ^ 4]), 0, 1, middle);
  } finally {
    await handle.close();
  }
}

test('the alarm names the last good backup, and that one becomes a whole shop on another machine', async () => {
  await nameShop(shop, 'Kerr Spices');
  await backUp(shop);
  await passNight(shop);
  const { folder: spoiled } = await untilBackup(shop, ({ cause, state }) => cause === 'nightly' && state === 'good');
  await spoil(path.join(spoiled ?? '', 'database/products.copy.gz'));
  await nameShop(shop, 'Kerr Spices and Seeds');
  await passNight(shop);
  await untilBackup(shop, ({ state }) => state === 'damaged');
  await expect.poll(() => backupAlarms(shop), { timeout: 30_000 }).toHaveLength(1);
  const [alarm] = await backupAlarms(shop);
  expect(alarm).toMatchObject({
    kind: 'backup_damaged',
    detail: expect.stringContaining(path.basename(spoiled ?? '')),
  });
  const good = /newest good backup is ([\w-]+)/.exec(alarm?.detail ?? '')?.[1] ?? '';
  expect((await listBackups(shop)).find(({ state }) => state === 'good')?.folder).toContain(good);

  const oldLogin = await shop.logIn();
  const { changes: before } = (await shop.call('getCatalogChanges', { query: { since: 0 } })).data;
  await nameShop(shop, 'Lost with the machine');
  await shop.kill();
  const elsewhere = path.join(home, 'elsewhere');
  await expect(restoreCommand(spoiled ?? '', elsewhere)).rejects.toMatchObject({
    stderr: expect.stringContaining("database/products.copy.gz doesn't match its checksum"),
  });
  const said = await restoreCommand(path.join(path.dirname(spoiled ?? ''), good), elsewhere);
  expect(said).toContain('Backup restored in');

  const restored = await startProgram(elsewhere);
  running.push(restored);
  expect(await nameOf(restored)).toBe('Kerr Spices and Seeds');
  expect((await restored.call('getSettings', { headers: oldLogin })).status, 'logins of before').toBe(401);
  const pool = new Pool(findOwnDatabase(elsewhere)?.config);
  expect(await findBreaches({ pool, ledger: undefined })).toEqual([]);
  await pool.end();

  const { changes } = (await restored.call('getCatalogChanges', { query: { since: before.next } })).data;
  expect(changes.startOver).toBe(true);
  expect(changes.products).toHaveLength(before.products.length);
  expect(await listBackups(restored), 'those of the lost machine').toEqual([]);
  expect(await backupAlarms(restored)).toEqual([]);
  await backUp(restored);
}, 900_000);
