/** Many nights of backups, with the clock moved on: which are kept, and that each of them is whole. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireWhole } from '../../../src/server/backup/manifest';
import { takeBackup } from '../../../src/server/backup/takeBackup';
import { isNightly } from '../../support/nightly';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

/** In the long form more weeks than are kept. */
const nights = isNightly ? 45 : 14;
const dayMs = 86_400_000;
const madeByCommand = '2026-01-01T08-00-00';

let shop: TestShop;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  await shop.call('updateSettings', { as: owner, body: { ...(await settings()), timeZone: 'Pacific/Auckland' } });
  while (hourAt(shop.clock.now()) !== 12) shop.clock.advance(3_600_000); // whatever the time is now
  await shop.jobs.runBackups(); // the first look: from here on, nights count
  const { direct, dataDir, pictureStore } = shop;
  const folder = path.join(dataDir, 'backups', madeByCommand);
  await takeBackup({ direct, dataDir, pictureStore, folder, cause: 'command' });
});
afterAll(() => shop.close());

const settings = async () => (await shop.call('getSettings', { as: owner })).data.settings;
const folders = async () => (await readdir(path.join(shop.dataDir, 'backups'))).filter((name) => name.startsWith('20'));
const hourAt = (time: Date) =>
  Number(
    new Intl.DateTimeFormat('en-US', { timeZone: 'Pacific/Auckland', hour: 'numeric', hourCycle: 'h23' }).format(time),
  );
const dayOf = (time: Date) => time.toLocaleDateString('en-CA', { timeZone: 'Pacific/Auckland' });

/** Moves the clock on, hour by hour, and looks each time, until it is noon in the shop. */
async function spendDay(): Promise<void> {
  const today = dayOf(shop.clock.now());
  do {
    shop.clock.advance(3_600_000);
    await shop.jobs.runBackups();
  } while (dayOf(shop.clock.now()) === today || hourAt(shop.clock.now()) !== 12);
}

/** The days whose backups should be there: the last 7, and the last of each of the last 4 weeks. */
function expectedDays(days: readonly string[]): Set<string> {
  const mondayOf = (day: string) => {
    const since = (new Date(day).getUTCDay() + 6) % 7;
    return Date.parse(day) - since * dayMs;
  };
  const lastOfWeek = new Map(days.map((day) => [mondayOf(day), day])); // the later day of a week replaces the earlier
  return new Set([...days.slice(-7), ...[...lastOfWeek.values()].slice(-4)]);
}

test(`of ${nights} nights, a backup of each of the last 7 days and 4 weeks is kept, and each is whole`, async () => {
  const days: string[] = [];
  for (let night = 1; night <= nights; night++) {
    await spendDay();
    days.push(dayOf(shop.clock.now()));
    const names = await folders();
    const kept = names.filter((name) => name !== madeByCommand);
    expect(names, 'never deleted').toContain(madeByCommand);
    const daysKept = kept.map((name) => dayOf(new Date(`${name.slice(0, 13)}:${name.slice(14, 16)}:00Z`)));
    expect(daysKept, `after night ${night}`).toEqual([...expectedDays(days)].toSorted());
    if (night !== nights - 2) continue;
    // the shop is off for weeks, and makes up for the last night; days without a backup don't count
    shop.clock.advance(20 * dayMs);
    await shop.jobs.runBackups();
    days.push(dayOf(shop.clock.now()));
  }
  owner = await shop.again(owner);
  const { backups } = (await shop.call('listBackups', { as: owner })).data;
  expect(backups.map(({ folder }) => path.basename(folder ?? '')).toSorted()).toEqual(await folders());
  for (const { state, isVerified, folder } of backups) {
    expect({ state, isVerified }).toEqual({ state: 'good', isVerified: true });
    await requireWhole(folder ?? '');
  }
}, 600_000);
