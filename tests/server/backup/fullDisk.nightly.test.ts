/** A backup on a disk that is really full: a small one in memory. Needs root, on Linux; without it, it fails. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { requireWhole } from '../../../src/server/backup/manifest';
import { jobsOf } from '../../../src/server/jobs/jobs';
import { growDisk, mountSmallDisk } from '../../chaos/fullDisk';
import { openOwnShop, type TestShop } from '../../support/shop';

const mb = 1024 * 1024;
const pictures = 12;

let shop: TestShop;
let folder: string;
let unmount: (() => Promise<unknown>) | undefined;
beforeAll(async () => {
  shop = await openOwnShop();
  folder = path.join(shop.dataDir, 'backups');
  await mkdir(path.join(shop.dataDir, 'pictures'));
  for (let at = 0; at < pictures; at++)
    await writeFile(path.join(shop.dataDir, 'pictures', `picture-${at}-320.avif`), randomBytes(mb));
  await shop.jobs.runBackups(); // the first look: from here on, nights count
});
afterEach(() => unmount?.());
afterAll(() => shop.close());

const backups = async () => {
  const as = await shop.signIn({ role: 'ROLE_OWNER' });
  return (await shop.call('listBackups', { as })).data.backups;
};
const alarms = async () => {
  const as = await shop.signIn({ role: 'ROLE_OWNER' });
  const { content } = (await shop.call('listAlarms', { as, query: { size: 100 } })).data.alarms;
  return content.filter(({ kind }) => kind.startsWith('backup'));
};
const freeOn = async (disk: string) => {
  const { bavail, bsize } = await statfs(disk);
  return bavail * bsize;
};

test.each([
  { how: 'the system refuses a write', reserveBytes: 0, disk: 5 },
  { how: 'only the reserve is left', reserveBytes: 64 * mb, disk: 64 + 5 },
])(
  'when $how, the backup fails, leaves nothing behind, and is made once there is space',
  async ({ reserveBytes, disk }) => {
    unmount = await mountSmallDisk(folder, disk);
    const { runBackups } = jobsOf({
      ...shop,
      logger: shop.app.log as never,
      backups: { ...shop.backups, reserveBytes },
    });
    shop.clock.advance(26 * 3_600_000);
    const before = (await backups()).length;
    const free = await freeOn(folder);
    await runBackups();
    const [failed] = await backups();
    expect(failed).toMatchObject({
      state: 'failed',
      cause: 'nightly',
      problem: expect.stringContaining('disk is full'),
    });
    expect(await alarms()).toContainEqual(
      expect.objectContaining({ kind: 'backup_failed', detail: expect.stringContaining('disk is full') }),
    );
    expect((await readdir(folder)).filter((name) => name !== 'place')).toEqual([]);
    expect(await freeOn(folder)).toBeGreaterThan(free - mb);
    expect(free).toBeGreaterThan(reserveBytes);

    await growDisk(folder, disk + pictures + 20);
    shop.clock.advance(61 * 60_000);
    await runBackups();
    const [good, ...others] = await backups();
    expect(good).toMatchObject({ state: 'good', isVerified: true });
    expect(others.length).toBeGreaterThan(before);
    await requireWhole(good?.folder ?? '');
    expect(await alarms()).toEqual([]);
  },
);
