// @vitest-environment node
/**
 * A tab of an earlier release (tests/data/release-before) and one of this release work on one device at the same time, as
 * they do while an update is rolled out: both write to the same outbox, one at a time sends, and either may die. RELEASE_RUNS
 * says how many runs, RELEASE_SEED where they begin.
 */
import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { Script } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../drill/random';
import { bundleDeviceLayer } from '../../support/bundleDeviceLayer';
import type { DeviceLayer } from '../../support/deviceLayer';
import { isNightly } from '../../support/nightly';
import { ana, createShop, gone } from './releaseShop';
import { openBrowser, type ReleaseTab } from './releaseTabs';

const runs = Number(process.env['RELEASE_RUNS'] ?? (isNightly ? 60 : 20));
const firstSeed = Number(process.env['RELEASE_SEED'] ?? randomInt(2 ** 31));
const runsUntilFound = 400;
/** Many times what it takes: a busy machine is no fault. */
const inTimeMs = (count: number) => 60_000 + count * 3000;
const atOnce = 10; // a run mostly waits
const artefact = 'tests/data/release-before/deviceLayer.js';

let scripts: [before: Script, present: Script];
beforeAll(async () => {
  const present = await bundleDeviceLayer();
  if (process.env['KEEP_RELEASE']) await writeFile(artefact, present);
  scripts = [new Script(await readFile(artefact, 'utf8')), new Script(present)];
});

/** Tab 0 runs the release before, tab 1 the present one. */
const places = [0, 1] as const;
type Place = (typeof places)[number];

type Change = Parameters<DeviceLayer['send']>[0];
interface Intention {
  name: string;
  place: Place;
  /** Which step it was. */
  madeAt: number;
  /** From which step on its sender knows that it is kept, or done. */
  sureAt: number;
}
interface Broken {
  hasNoLock?: boolean;
  newKeyEachTime?: boolean;
}

/** One device with two tabs. */
function openDevice(seed: number, broken: Broken) {
  const random = createRandom(seed);
  const shop = Object.assign(createShop(random.next), { newKeyEachTime: broken.newKeyEachTime ?? false });
  const browser = openBrowser(random.next, broken.hasNoLock);
  const opened: ReleaseTab[] = [];
  const tabs: ReleaseTab[] = [];
  const heard: [unknown[], unknown[]] = [[], []];

  function tabAt(place: Place): ReleaseTab {
    let tab = tabs[place];
    if (!tab || tab.isDead()) {
      const made = browser.openTab(scripts[place], (request) => shop.send(made, request));
      tab = made;
      tab.layer.signIn({ id: ana });
      tab.layer.whenAnswered((_, data) => heard[place]?.push(data));
      tab.layer.start();
      tabs[place] = tab;
      opened.push(tab);
    }
    return tab;
  }
  return {
    random,
    shop,
    tabAt,
    heard,
    kept: () => rowsOf(browser.databases),
    close: () => opened.forEach((tab) => tab.close()),
  };
}
type Device = ReturnType<typeof openDevice>;

interface Row {
  operation: string;
  state: string;
  userId: string;
}

/** The outbox as it stands on the device. */
async function rowsOf(databases: IDBFactory): Promise<Row[]> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('no reason')));
    });
  const db = await done(databases.open('shop'));
  const rows = await done(db.transaction('outbox').objectStore('outbox').getAll());
  db.close();
  return rows as Row[];
}

const acts = [
  'only',
  'only',
  'only',
  'plus',
  'plus',
  'gone',
  'remove',
  'message',
  'offline',
  'online',
  'wake',
  'kill',
] as const;

function changeOf(act: string, count: number): Change | undefined {
  const userId = ana;
  switch (act) {
    case 'only':
      return { operation: 'addCartItem', input: { userId, item: { productId: `only ${count}`, quantity: 1 } } };
    case 'plus':
      return { operation: 'updateCartItem', input: { userId, update: { productId: 'shared', change: 1 } } };
    case 'gone':
      return { operation: 'addCartItem', input: { userId, item: { productId: gone, quantity: 1 } } };
    case 'remove':
      return { operation: 'removeCartItem', input: { userId, cartItemId: `line-${count}` } };
    case 'message': {
      const message = { fullName: 'Cook', email: 'cook@example.com', phone: '', reason: `message ${count}` };
      return { operation: 'createContactMessage', input: { userId: '', message } };
    }
    default:
      return undefined;
  }
}

async function play(seed: number, broken: Broken = {}): Promise<void> {
  const device = openDevice(seed, broken);
  try {
    const intentions = await act(device);
    await settle(device);
    await check(device, intentions);
  } finally {
    device.close();
  }
}

async function act({ random, shop, tabAt }: Device): Promise<Intention[]> {
  const intentions: Intention[] = [];
  const length = 6 + random.below(12);
  let step = 0;
  for (let count = 0; count < length + 3; count += 1) {
    step = count + 1;
    const place = random.oneOf(places);
    // in the end both wait for the connection, which comes back to all tabs at once
    const name = count === length ? 'offline' : count > length ? 'only' : random.oneOf(acts);
    const tab = tabAt(place);
    const change = changeOf(name, count);
    const made = change && make(tab, change);
    if (change && made) {
      const isSingle = name === 'only' || name === 'message';
      const intention = { name: isSingle ? `${name} ${count}` : name, place, madeAt: count, sureAt: Infinity };
      intentions.push(intention);
      void made.then(() => (intention.sureAt = step));
    }
    if (name === 'offline' || name === 'online') shop.isDown = name === 'offline';
    if (name === 'kill') tab.kill();
    if (name === 'wake') void tab.layer.flush();
    const pause = new Promise((resolve) => setTimeout(resolve, random.next() * 6));
    await (made && random.next() < 0.6 ? Promise.race([made, patience()]) : pause);
  }
  return intentions;
}

/** Told as kept, done or refused; of a tab that dies nothing is heard. */
const make = (tab: ReleaseTab, change: Change) =>
  tab.layer.send(change).then(
    () => undefined,
    () => undefined,
  );

const patientMs = 90_000;
const patience = () => new Promise((resolve) => setTimeout(resolve, 40));

/** Everything is sent, after some rounds without faults. */
async function settle(device: Device): Promise<void> {
  const { shop, tabAt } = device;
  shop.isDown = false;
  const latest = Date.now() + patientMs;
  for (let round = 0; Date.now() < latest; round += 1) {
    shop.isCalm = round > 4;
    await Promise.race([Promise.all(places.map((place) => tabAt(place).layer.flush())), patience()]);
    const waits = (await device.kept()).filter(({ state }) => state === 'waiting');
    const isShown = places.some(
      (place) => tabAt(place).layer.waiting(ana).length + tabAt(place).layer.waiting('').length > 0,
    );
    if (shop.wrongs.size > 0 || (shop.isCalm && waits.length === 0 && !isShown)) return;
  }
  throw new Error(`never sent: ${JSON.stringify(await device.kept())}`);
}

async function check({ shop, kept, tabAt }: Device, intentions: readonly Intention[]): Promise<void> {
  expect([...shop.wrongs]).toEqual([]);
  const singles = intentions.filter(({ name }) => /^(?:only|message) /.test(name));
  const arrived = singles.map(({ name }) => shop.done.indexOf(name));
  singles.forEach((each, index) => {
    expect(shop.done.filter((name) => name === each.name).length, each.name).toBe(arrived[index] === -1 ? 0 : 1);
    // what a tab had not kept yet when it died may be missing
    if (each.sureAt < Infinity) expect(shop.done).toContain(each.name);
    // in the order in which a tab made them, where one was kept before the next was made
    singles.slice(index + 1).forEach((later, ahead) => {
      const isBehind = later.place === each.place && each.sureAt <= later.madeAt;
      const place = arrived[index + 1 + ahead] ?? -1;
      if (isBehind && place !== -1)
        expect(place, `${later.name} after ${each.name}`).toBeGreaterThan(arrived[index] ?? -1);
    });
  });
  const amount = (name: string) => intentions.filter((each) => each.name === name);
  const between = (count: number, all: readonly Intention[]) => {
    expect(count).toBeGreaterThanOrEqual(all.filter(({ sureAt }) => sureAt < Infinity).length);
    expect(count).toBeLessThanOrEqual(all.length);
  };
  const pluses = shop.done.filter((name) => name.startsWith('plus ')).map((name) => Number(name.slice(5)));
  between(
    pluses.reduce((sum, each) => sum + each, 0),
    amount('plus'),
  );
  const refused = await kept();
  expect(refused.every(({ state, operation }) => state === 'refused' && operation === 'addCartItem')).toBe(true);
  for (const place of places) expect(tabAt(place).layer.refused(ana)).toHaveLength(refused.length);
}

/** @throws at the first run that went wrong, with what shows it again */
async function playAll(count: number, broken?: Broken): Promise<void> {
  for (let run = 0; run < count; run += atOnce) {
    const seeds = Array.from({ length: Math.min(atOnce, count - run) }, (_, place) => firstSeed + run + place);
    const played = await Promise.allSettled(seeds.map((seed) => play(seed, broken)));
    played.forEach((result, place) => {
      if (result.status === 'fulfilled') return;
      throw new Error(`RELEASE_SEED=${seeds[place]} RELEASE_RUNS=1 shows it again`, { cause: result.reason });
    });
  }
}

test(
  `${runs} times an old tab and a new one flush side by side, nothing is lost or doubled`,
  () => playAll(runs),
  inTimeMs(runs),
);

test.each<[string, Broken]>([
  ['lets two tabs send at once', { hasNoLock: true }],
  ['makes a new key for another try', { newKeyEachTime: true }],
])(
  'a device that %s is found out',
  async (_, broken) => {
    await expect(playAll(runsUntilFound, broken)).rejects.toThrow('shows it again');
  },
  inTimeMs(runsUntilFound),
);

test('what one release was answered is heard in a tab of the other, and gone from its screen', async () => {
  const { shop, tabAt, heard, close } = openDevice(1, {});
  shop.isCalm = true;
  for (const place of places) {
    const other = place === 0 ? 1 : 0;
    tabAt(other);
    const before = heard[other]?.length ?? 0;
    await tabAt(place).layer.send(changeOf('only', place) as Change);
    await expect
      .poll(() => heard[other]?.slice(before))
      .toEqual([{ cartResponse: expect.objectContaining({ cartId: 'c' }) }]);
    await expect.poll(() => tabAt(other).layer.waiting(ana)).toEqual([]);
  }
  close();
});

test('an old tab that gets no new token, since it has no key, keeps what waits, and a new tab sends it', async () => {
  const { shop, tabAt, kept, close } = openDevice(1, {});
  Object.assign(shop, { isCalm: true, asksForProof: true });
  const old = tabAt(0);
  const made = make(old, changeOf('only', 1) as Change);
  await expect.poll(() => old.layer.sealed('').length).toBe(1); // it takes its user for signed out
  expect(await kept()).toMatchObject([{ state: 'waiting', userId: ana }]);
  expect(shop.done).toEqual([]);

  const present = tabAt(1); // its user is signed in, as oldTabs.ts sees to; of which the old tab hears
  old.layer.signIn({ id: ana });
  await present.layer.flush();
  await made;
  await expect.poll(() => shop.done).toEqual(['only 1']); // by the tab that has the lock, which may be the old one
  await expect.poll(kept).toEqual([]);
  await expect.poll(() => old.layer.sealed('').length + old.layer.waiting(ana).length).toBe(0);
  expect([...shop.wrongs]).toEqual([]);
  close();
});
