/** `npm run owner`, as the built command runs it: on the database of a running shop, and on that of a stopped one. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  longPassword,
  mailsTo,
  newStaff,
  otpOf,
  setPassword,
  resetToken,
  switchOnFactor,
} from '../../support/accounts';
import { isSignedIn, logIn } from '../../support/auth';
import { builtApp } from '../../support/builtApp';
import { findFreePort } from '../../support/freePort';
import { urlOf } from '../../support/globalSetup';
import { openOwnShop, type TestShop } from '../../support/shop';

beforeAll(() => builtApp(), 300_000);

let shop: TestShop;
beforeEach(async () => {
  shop = await openOwnShop();
});
afterEach(() => shop.close());

type Settings = Record<string, string>;

const place = (): Settings => ({ DATA_DIR: shop.dataDir, DATABASE_URL: urlOf(shop.direct) });
const run = async (args: string[], settings: Settings = place()) =>
  (await promisify(execFile)(process.execPath, ['dist/server/owner.js', ...args], { env: environment(settings) }))
    .stdout;
/** What the command prints when it fails. */
const failure = (args: string[], settings?: Settings): Promise<string> =>
  run(args, settings).then(
    (said) => expect.fail(`it succeeded: ${said}`),
    (error: { stderr: string }) => error.stderr,
  );
const environment = (settings: Settings) => ({ PATH: process.env['PATH'], ...settings });
const printedPassword = (said: string): string => /^Owner login: \S+ ([a-z2-9]{20})$/m.exec(said)?.[1] ?? '';
const tryLogin = (email: string, password: string) => shop.call('login', { body: { email, password } });
const newOwner = () => newStaff(shop, 'ROLE_OWNER');
const entriesByShop = async () => {
  const { rows } = await shop.pool.query<{ action: string; target_id: string }>(
    `select action, target_id from audit_log where actor_id is null and action like '%_on_server' order by id`,
  );
  return rows;
};

test('while the shop runs, a new random password is printed, and the old one and all sessions end', async () => {
  const owner = await newOwner();
  const { account } = owner;
  const staff = await newStaff(shop);
  const token = await resetToken(shop, account.email);
  for (let time = 0; time < 6; time++) await tryLogin(account.email, 'guessed by a stranger');
  expect((await tryLogin(account.email, longPassword)).status).toBe(429);

  const password = printedPassword(await run(['--password']));
  await shop.untilTold();
  expect([await isSignedIn(shop, owner), await isSignedIn(shop, staff)]).toEqual([false, true]);
  expect((await tryLogin(account.email, longPassword)).status).toBe(401);
  expect((await logIn(shop, { email: account.email, password })).user.role).toBe('ROLE_OWNER');
  expect((await setPassword(shop, token)).code).toBe('reset_link_invalid');
  expect(await entriesByShop()).toEqual([{ action: 'user.password_set_on_server', target_id: account.id }]);
  expect((await mailsTo(shop, account.email)).at(-1)).toContain('The password for your account was changed.');
});

test('two-step login is turned off: the password is enough, and all sessions end', async () => {
  const owner = await newOwner();
  const { account } = owner;
  const { secret } = await switchOnFactor(shop, owner, longPassword);
  const inside = await logIn(shop, account, { otp: otpOf(shop, secret) });
  expect(await tryLogin(account.email, longPassword)).toMatchObject({ status: 401, code: 'second_factor_required' });

  expect(await run(['--second-factor-off'])).toBe(`Two-step login is off for ${account.email}.\n`);
  await shop.untilTold();
  expect(await isSignedIn(shop, inside)).toBe(false);
  const again = await logIn(shop, account);
  expect(again.user.hasSecondFactor).toBe(false);
  expect(await run(['--second-factor-off'])).toBe(`Two-step login is off already for ${account.email}.\n`);
  expect(await isSignedIn(shop, again)).toBe(true);
  expect(await entriesByShop()).toEqual([{ action: 'user.second_factor_off_on_server', target_id: account.id }]);
});

test('OWNER_PASSWORD sets the password, and one that breaks a rule changes nothing', async () => {
  const { account } = await newOwner();
  const set = (password: string) => ({ ...place(), OWNER_PASSWORD: password });
  expect(await failure(['--password'], set('too short'))).toBe('OWNER_PASSWORD must have at least 12 characters\n');
  expect(await failure(['--password'], set('123456789012'))).toMatch(/^OWNER_PASSWORD: Password must contain/);
  expect(await failure(['--password'], set('password1234'))).toMatch(/^OWNER_PASSWORD: That password is too common/);
  await logIn(shop, account);
  expect(await run(['--password'], set('chosen on the server'))).toBe(
    `${account.email} now has the password in OWNER_PASSWORD.\n`,
  );
  await logIn(shop, { email: account.email, password: 'chosen on the server' });
});

test('of several owners, --email chooses one', async () => {
  const [{ account: first }, { account: second }] = [await newOwner(), await newOwner()];
  const { account: admin } = await newStaff(shop);
  const said = await failure(['--password']);
  for (const { email } of [first, second]) expect(said).toContain(email);
  expect(said).toMatch(/^Choose an owner with --email\. /);
  expect(await failure(['--password', '--email', admin.email])).toMatch(/^--email: no owner has this email\. /);
  const password = printedPassword(await run(['--password', '--email', second.email.toUpperCase()]));
  await logIn(shop, { email: second.email, password });
  await logIn(shop, first);
});

test('without an option it explains itself and names the owners, and changes nothing', async () => {
  const owner = await newOwner();
  const said = await run([]);
  for (const part of ['--password', '--second-factor-off', '--email', `Owner: ${owner.account.email}`])
    expect(said).toContain(part);
  expect(await failure(['--passwort'])).toContain('npm run owner -- --password');
  expect(await isSignedIn(shop, owner)).toBe(true);
  expect(await entriesByShop()).toEqual([]);
});

test('a database of another version is one sentence', async () => {
  await shop.pool.query('alter table users rename column dob to born');
  expect(await failure(['--password'])).toBe("The database isn't up to date. Start the shop once, then try again\n");
});

test('a folder without a shop is one sentence', async () => {
  const folder = await newFolder();
  expect(await failure(['--password'], { DATA_DIR: folder })).toBe(`DATA_DIR: no shop found in ${folder}\n`);
});

test('the owner of a stopped shop with its own database gets a new password', { timeout: 120_000 }, async () => {
  const settings = { DATA_DIR: await newFolder(), OWNER_PASSWORD: longPassword };
  const email = 'owner@example.com';
  const first = await startBuilt(settings);
  const before = await first.logIn(email, longPassword);
  expect(before.status).toBe(200);
  await first.stop();

  const password = printedPassword(await run(['--password'], { DATA_DIR: settings.DATA_DIR }));

  const second = await startBuilt(settings);
  expect((await second.logIn(email, longPassword)).status).toBe(401);
  expect((await second.refresh(before.refreshToken)).status).toBe(401);
  expect((await second.logIn(email, password)).status).toBe(200);
  // with the built-in database of a running shop, too
  const newest = printedPassword(await run(['--password'], { DATA_DIR: settings.DATA_DIR }));
  expect((await second.logIn(email, password)).status).toBe(401);
  expect((await second.logIn(email, newest)).status).toBe(200);
  await second.stop();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'shop-owner-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The built shop on that folder. */
async function startBuilt(settings: Settings) {
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const ports = { PORT: String(port), SANDBOX_PORT: String(sandboxPort), DEMO_CATALOG: 'off', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    env: environment({ ...settings, ...ports }),
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  onTestFinished(stop);
  const url = `http://localhost:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('the shop did not start');
    await pause(100);
  }
  const post = async (call: string, body: object) => {
    const answer = await fetch(`${url}/api/auth/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { data } = (await answer.json()) as { data?: { authResponse?: { refreshToken: string } } };
    return { status: answer.status, refreshToken: data?.authResponse?.refreshToken ?? '' };
  };
  return {
    stop,
    logIn: (email: string, password: string) => post('login', { email, password }),
    refresh: (refreshToken: string) => post('refresh-token', { refreshToken }),
  };
}
