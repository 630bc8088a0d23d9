/** Backups that the shop makes by itself, and those that the owner asks for and downloads. */
import { appendFile, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Parser } from 'tar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPlaceId } from '../../../src/server/backup/folders';
import { requireWhole } from '../../../src/server/backup/manifest';
import { takeBackup } from '../../../src/server/backup/takeBackup';
import { jobsOf } from '../../../src/server/jobs/jobs';
import { bearer, longPassword, mailsTo, newStaff, nextStep, otpOf, switchOnFactor } from '../../support/accounts';
import { logIn, type SignedIn } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Awaited<ReturnType<typeof newStaff>>;
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await newStaff(shop, 'ROLE_OWNER');
  await shop.jobs.runBackups(); // the first look: from here on, nights count
});
afterAll(() => shop.close());

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Advances the clock to the next time it is `hour` in New York, and looks whether a backup is due. */
async function untilHour(hour: number): Promise<void> {
  const hourAt = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  const now = shop.clock.now().getTime();
  const nextHour = Math.ceil((now + 1) / hourMs) * hourMs;
  const hours = Array.from({ length: 25 }, (_, index) => nextHour + index * hourMs);
  const moment = hours.find((each) => Number(hourAt.format(each)) === hour) ?? nextHour;
  shop.clock.advance(moment - now + 1_000);
  owner = { ...owner, ...(await logIn(shop, owner.account)) };
  await shop.jobs.runBackups();
}
const list = async () => (await shop.call('listBackups', { headers: bearer(owner) })).data;
const alarmsNow = async () => {
  await shop.jobs.watchBackups();
  const { data } = await shop.call('listAlarms', { headers: bearer(owner), query: { size: 100 } });
  return data.alarms.content.filter(({ kind }) => kind.startsWith('backup'));
};
const backUpNow = () => shop.call('startBackup', { headers: bearer(owner) });
/** A finished backup that the owner asked for. */
async function backedUp() {
  await backUpNow();
  shop.clock.advance(1000);
  await shop.jobs.runBackups();
  return (await list()).backups[0];
}
const folderOf = (name: string) => path.join(shop.dataDir, 'backups', name);
const folders = async () => (await readdir(folderOf('')).catch(() => [])).filter((name) => name.startsWith('20'));

test('at three at night the shop is backed up, the backup is read back, and the list shows it', async () => {
  await untilHour(2);
  await untilHour(3);
  const { backups, schedule, isOverdue, lastGoodAt } = await list();
  expect(schedule).toEqual({ isOn: true, hour: 3, days: 7, weeks: 4 });
  const good = { state: 'good', cause: 'nightly', startedBy: null, isVerified: true, isHere: true, problem: null };
  expect(backups[0]).toMatchObject(good);
  expect(backups[0]?.bytes).toBeGreaterThan(1000);
  expect({ isOverdue, lastGoodAt }).toEqual({ isOverdue: false, lastGoodAt: backups[0]?.startedAt });
  await requireWhole(backups[0]?.folder ?? '');
  const once = await folders();
  await shop.jobs.runBackups();
  expect(await folders()).toEqual(once);
});

test('the owner backs up now; a second request waits for the first, and the audit log has it', async () => {
  const before = (await folders()).length;
  expect((await backUpNow()).data.backup).toMatchObject({ state: 'waiting', cause: 'asked' });
  expect(await backUpNow()).toMatchObject({
    status: 409,
    code: 'backup_running',
    message: 'A backup is already running',
  });
  shop.clock.advance(1000);
  await shop.jobs.runBackups();
  expect((await list()).backups[0]).toMatchObject({ state: 'good', cause: 'asked', startedBy: 'Awa Jallow' });
  expect(await folders()).toHaveLength(before + 1);
  const { data } = await shop.call('listAudit', { headers: bearer(owner), query: { action: 'backup.started' } });
  expect(data.entries.content[0]).toMatchObject({ thing: 'Backup' });
});

test('only the owner may see or start backups', async () => {
  const as = await shop.signIn({ role: 'ROLE_ADMIN' });
  expect((await shop.call('listBackups', { as })).status).toBe(403);
  expect((await shop.call('startBackup', { as })).status).toBe(403);
});

test('a download needs password and code, works for a minute with that login, and is told to the owner', async () => {
  const backup = await backedUp();
  const { secret } = await switchOnFactor(shop, owner, longPassword);
  const backupId = backup?.id ?? '';
  const open = (body: object) => shop.call('openBackupDownload', { headers: bearer(owner), path: { backupId }, body });
  expect((await open({ password: 'pepper', otp: otpOf(shop, secret) })).code).toBe('wrong_password');
  expect((await open({ password: longPassword })).code).toBe('wrong_code');
  const { data } = await open({ password: longPassword, otp: otpOf(shop, secret) });
  const token = new URL(data.link.url, shop.url).searchParams.get('token') ?? '';

  const get = (who: SignedIn, at = backupId) =>
    fetch(`${shop.url}/api/admin/backups/${at}/file?token=${token}`, { headers: bearer(who) });
  const file = await get(owner);
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="20[\w-]+\.tar"$/);
  const names: string[] = [];
  const parser = new Parser({
    onReadEntry: (entry) => {
      names.push(entry.path);
      entry.resume();
    },
  });
  parser.end(Buffer.from(await file.arrayBuffer()));
  const folder = path.basename(backup?.folder ?? '');
  const written = await readdir(backup?.folder ?? '', { recursive: true, withFileTypes: true });
  expect(names).toHaveLength(written.filter((each) => each.isFile()).length);
  expect(names).toEqual(expect.arrayContaining([`${folder}/manifest.json`, `${folder}/database/users.copy.gz`]));
  expect(names.filter((name) => /key|place/.test(path.basename(name)))).toEqual([
    `${folder}/database/idempotency_keys.copy.gz`,
  ]);

  const again = await logIn(shop, owner.account, {
    otp: (nextStep(shop), shop.clock.advance(-61_000), otpOf(shop, secret, 30_000)),
  });
  expect((await get(again)).status, 'another login').toBe(400);
  shop.clock.advance(minuteMs);
  expect(((await (await get(owner)).json()) as { code: string }).code).toBe('download_link_invalid');

  expect((await mailsTo(shop, owner.account.email)).join('\n')).toContain('was downloaded with your login');
  const log = await shop.call('listAudit', { headers: bearer(owner), query: { action: 'backup.downloaded' } });
  expect(log.data.entries.content).toHaveLength(1);
  await shop.pool.query('update users set totp_secret = null, totp_confirmed_at = null where id = $1', [owner.user.id]);
});

test('on a full disk the backup fails, its alarm says so, and it is tried again every hour until it succeeds', async () => {
  const full = jobsOf({ ...shop, logger: shop.app.log as never, backups: { ...shop.backups, reserveBytes: 2 ** 60 } });
  const before = await folders();
  await untilHour(2);
  shop.clock.advance(hourMs);
  await full.runBackups();
  owner = { ...owner, ...(await logIn(shop, owner.account)) };
  expect((await list()).backups[0]).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('disk is full'),
  });
  expect(await alarmsNow()).toMatchObject([{ kind: 'backup_failed', detail: expect.stringContaining('disk is full') }]);
  expect((await readdir(folderOf(''))).filter((name) => name.endsWith('.part'))).toEqual([]);
  shop.clock.advance(30 * minuteMs);
  await shop.jobs.runBackups();
  expect(await folders(), 'not yet').toEqual(before);
  shop.clock.advance(31 * minuteMs);
  await shop.jobs.runBackups();
  owner = { ...owner, ...(await logIn(shop, owner.account)) };
  expect((await list()).backups[0]).toMatchObject({ state: 'good', cause: 'nightly' });
  expect(await alarmsNow()).toEqual([]);
});

test('a backup whose process ended in the middle is an alarm, and is made again within minutes', async () => {
  await untilHour(2);
  shop.clock.advance(hourMs);
  await readPlaceId(shop.dataDir);
  const name = '2026-01-01T08-00-00';
  await mkdir(folderOf(`${name}.part`));
  await shop.pool.query(
    `insert into backups (id, state, cause, started_at, place, name)
     values (gen_random_uuid(), 'running', 'nightly', $1, $3, $2)`,
    [shop.clock.now(), name, await readPlaceId(shop.dataDir)],
  );
  await shop.jobs.runBackups();
  expect(await readdir(folderOf(''))).not.toContain(`${name}.part`);
  owner = { ...owner, ...(await logIn(shop, owner.account)) };
  expect(await alarmsNow()).toMatchObject([{ kind: 'backup_failed', detail: expect.stringContaining('interrupted') }]);
  shop.clock.advance(5 * minuteMs);
  await shop.jobs.runBackups();
  expect((await list()).backups[0]).toMatchObject({ state: 'good', cause: 'nightly' });
  expect(await alarmsNow()).toEqual([]);
});

test('a file that spoils is found the next night, with an alarm that names the newest good backup', async () => {
  await untilHour(3);
  const newest = await backedUp();
  await appendFile(path.join(newest?.folder ?? '', 'database/users.copy.gz'), 'x');
  await untilHour(3);
  const { backups } = await list();
  const damaged = backups.find(({ id }) => id === newest?.id);
  expect(damaged).toMatchObject({ state: 'damaged', isVerified: false, problem: expect.stringContaining('changed') });
  const good = path.basename(backups.find(({ state }) => state === 'good')?.folder ?? '');
  expect(await alarmsNow()).toMatchObject([
    { kind: 'backup_damaged', detail: expect.stringContaining(`newest good backup is ${good}`) },
  ]);
  await requireWhole(folderOf(good));
  await rm(newest?.folder ?? '', { recursive: true });
  await untilHour(3);
  expect(await alarmsNow(), 'its folder is gone').toEqual([]);
});

test('a backup that `npm run backup` made joins the list, and the shop never deletes it', async () => {
  const folder = folderOf('2026-01-02T08-00-00');
  const { direct, dataDir, pictureStore } = shop;
  await takeBackup({ direct, dataDir, pictureStore, folder, cause: 'command' });
  await untilHour(3);
  const set = (days: number, weeks: number) =>
    shop.call('setBackups', { headers: bearer(owner), body: { isOn: true, hour: 3, days, weeks } });
  await set(1, 0);
  await untilHour(3);
  const { backups } = await list();
  expect(
    backups
      .map(({ cause, state }) => `${cause} ${state}`)
      .filter((each) => !each.endsWith('failed'))
      .toSorted(),
  ).toEqual(['command good', 'nightly good']);
  await set(7, 4);
});

test('without a good backup for 26 hours there is an alarm, unless the owner has turned backups off', async () => {
  const set = (isOn: boolean) =>
    shop.call('setBackups', { headers: bearer(owner), body: { isOn, hour: 3, days: 7, weeks: 4 } });
  await untilHour(3);
  await rm(folderOf('place'));
  await mkdir(folderOf('place')); // no backup can begin
  shop.clock.advance(25 * hourMs);
  owner = { ...owner, ...(await logIn(shop, owner.account)) };
  expect(await alarmsNow()).toEqual([]);
  shop.clock.advance(2 * hourMs);
  owner = { ...owner, ...(await logIn(shop, owner.account)) };
  expect(await alarmsNow()).toMatchObject([{ kind: 'backup_overdue' }]);
  await set(false);
  expect(await alarmsNow()).toEqual([]);
  await rm(folderOf('place'), { recursive: true });
  await untilHour(3);
  expect(await alarmsNow()).toEqual([]);
  await set(true);
  expect(await alarmsNow(), 'the first backup is due at the next hour').toEqual([]);
});
