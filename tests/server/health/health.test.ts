import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HealthCheck } from '../../../src/shared/health';
import { findings } from '../../../src/shared/health';
import { defaultSettings } from '../../../src/shared/settings';
import { version } from '../../../src/shared/version';
import { recordAlarm } from '../../../src/server/alarms/service';
import { openSecrets } from '../../../src/server/auth/core/secrets';
import { transact } from '../../../src/server/db/core/transact';
import { openMailer } from '../../../src/server/mail/mailer';
import { findMailServer, saveMailServer } from '../../../src/server/mail/mailServer';
import { checkServer } from '../../../src/server/mail/serverState';
import { longPassword, newStaff, switchOnFactor } from '../../support/accounts';
import { paidOrder } from '../../support/buying';
import { collectTax, offerDelivery } from '../../support/selling';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let owner: Person;
beforeEach(async () => {
  shop = await openOwnShop();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterEach(() => shop.close());

const server = {
  host: 'localhost',
  port: 587,
  security: 'starttls',
  user: 'shop',
  password: 'mail password',
  sender: 'shop@kerr.test',
} as const;

const found = async (name: HealthCheck['check']) => {
  const { health } = (await shop.call('getHealthReport', { as: owner })).data;
  const { state, sentence, todo } = health.find(({ check }) => check === name) ?? {};
  return { state, sentence, todo };
};

test('payments and orders agree to the cent, and an order that differs is named', async () => {
  expect(await found('payments')).toEqual({ state: 'ok', sentence: 'No payments in the last 30 days.', todo: null });
  await paidOrder(shop);
  const { orderNumber } = await paidOrder(shop);
  const agree = '2 payments and 2 paid orders in the last 30 days, equal to the cent.';
  expect(await found('payments')).toEqual({ state: 'ok', sentence: agree, todo: null });
  await shop.pool.query(
    'update payment_sessions set amount_cents = amount_cents + 1 from orders where orders.id = order_id and order_number = $1',
    [orderNumber],
  );
  expect(await found('payments')).toEqual({
    state: 'attention',
    sentence: `1 order doesn't match the payment: #${orderNumber}`,
    todo: 'Compare these orders with your payment provider.',
  });
  shop.clock.advance(31 * 86_400_000);
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
  expect((await found('payments')).sentence).toBe('No payments in the last 30 days.');
});

test('the provider was last heard with the latest event, and a rejected key needs attention', async () => {
  expect((await found('provider')).sentence).toBe('Test mode: no real money moves. Not heard from yet.');
  await paidOrder(shop);
  expect((await found('provider')).sentence).toBe('Test mode: no real money moves. Last heard just now.');
  shop.clock.advance(5 * 60_000);
  expect((await found('provider')).sentence).toContain('Last heard 5 minutes ago.');
  const rejection = { about: 'payment_key:today', detail: 'The provider rejects the key.' };
  await transact(shop.db, (tx) => recordAlarm(tx, 'payment_key_refused', rejection, shop.clock.now()));
  expect(await found('provider')).toMatchObject({ state: 'attention', todo: 'The provider rejects the key.' });
});

test('what is not set yet is named, until it is set', async () => {
  expect((await found('details')).sentence).toBe('Not set yet: your contact info, delivery, sales tax.');
  await offerDelivery(shop);
  await collectTax(shop, 'GA', 40_000);
  const body = { ...defaultSettings, contactEmail: 'hello@kerr.test', contactPhone: '' };
  await shop.call('updateSettings', { as: owner, body });
  expect(await found('details')).toEqual({
    state: 'ok',
    sentence: 'Contact, delivery, and sales tax are set.',
    todo: null,
  });
});

test('disk, database, address, and version are there, and missing mail says what to do', async () => {
  expect((await found('disk')).sentence).toMatch(/^[\d.,]+ [GM]B of [\d.,]+ GB free\.$/);
  expect((await found('database')).sentence).toMatch(/^The database answers in \d+ ms\. It holds \d+ MB\.$/);
  expect((await found('version')).sentence).toMatch(
    new RegExp(`^${version}, started [A-Z][a-z]{2} \\d+, 20\\d\\d\\.$`),
  );
  expect(await found('address')).toMatchObject({ state: 'attention' });
  expect(await found('mail')).toMatchObject({ state: 'attention', sentence: 'Customers get no emails.' });
});

test('after a restore without the key file, two-step login and the mail password say that they must be set again', async () => {
  expect((await found('twoStepLogin')).sentence).toBe('No user has set it up yet.');
  const [boss, cook] = [await newStaff(shop, 'ROLE_OWNER'), await newStaff(shop, 'ROLE_ADMIN')];
  for (const each of [boss, cook]) await switchOnFactor(shop, each, longPassword);
  expect((await found('twoStepLogin')).sentence).toBe('It works for 2 users.');
  await transact(shop.db, (tx) => saveMailServer(tx, server, shop.secrets.mailKeys));

  const dataDir = await mkdtemp(path.join(tmpdir(), 'shop-without-key-'));
  const secrets = await openSecrets({ db: shop.db, config: { sessionSecret: undefined, dataDir } });
  const elsewhere = await shop.openProcess(secrets);
  const findSaved = () => findMailServer(shop.db, secrets.mailKeys);
  const mailer = openMailer({ smtpUrl: undefined, from: 'shop@kerr.test', folder: dataDir, findSaved });
  await checkServer({ db: shop.db, mailer }, shop.clock.now()); // as at every start
  const login = { userId: owner.userId, role: 'ROLE_OWNER', rememberMe: true, now: shop.clock.now() } as const;
  const { accessToken: token } = await transact(shop.db, (tx) => elsewhere.sessions.start(tx, login));
  const { health } = (await shop.callerOf(elsewhere.app)('getHealthReport', { as: { ...owner, token } })).data;
  expect(health.find(({ check }) => check === 'twoStepLogin')).toMatchObject({
    state: 'attention',
    sentence: "The codes of 2 users don't work: the shop's key has changed.",
    todo: expect.stringMatching(/^Put the old session\.key .* Without it, these users log in with a recovery code/),
  });
  expect(health.find(({ check }) => check === 'mail')).toMatchObject({
    todo: "We can't read the saved password anymore. Enter it again.",
  });
  await elsewhere.close();
  await rm(dataDir, { recursive: true });
});

test('a check that fails is not known, and the others are still made', async () => {
  await shop.pool.query('alter table payment_events rename to payment_events_gone');
  expect(await found('provider')).toEqual({
    state: 'attention',
    sentence: "We couldn't check this.",
    todo: "Check again. If it stays like this, read the shop's log.",
  });
  expect(await found('database')).toMatchObject({ state: 'ok' });
});

test('little space, a slow database, and waiting or failed emails need attention', () => {
  const gigabyte = 1024 ** 3;
  expect(findings.disk({ free: 31 * gigabyte, total: 50 * gigabyte })).toEqual({ sentence: '31 GB of 50 GB free.' });
  expect(findings.disk({ free: gigabyte, total: 50 * gigabyte }).todo).toBeDefined();
  expect(findings.disk({ free: gigabyte, total: 8 * gigabyte }).todo).toBeUndefined();
  expect(findings.database({ ms: 3, bytes: 84 * 1024 ** 2 })).toEqual({
    sentence: 'The database answers in 3 ms. It holds 84 MB.',
  });
  expect(findings.database({ ms: 2000, bytes: 0 }).todo).toBeDefined();
  const mail = { trouble: null, waiting: undefined, failed: 0, sent: 61 };
  expect(findings.mail(mail)).toEqual({ sentence: 'No email has waited long. 61 emails sent in the last day.' });
  expect(findings.mail({ ...mail, failed: 1 })).toMatchObject({ sentence: '1 email failed in the last 7 days.' });
  expect(findings.mail({ ...mail, waiting: '3 emails are waiting.' })).toMatchObject({ href: '/admin/mail' });
  expect(findings.provider({ isLive: true, heardMsAgo: 3_600_000, lookedUp: 0, alarms: [] })).toEqual({
    sentence: 'Last heard 1 hour ago. No payment is being looked up.',
  });
  expect(findings.provider({ isLive: true, heardMsAgo: 0, lookedUp: 2, alarms: [] })).toMatchObject({
    sentence: "Last heard just now. We're waiting to hear about 2 payments.",
  });
});

test('an old backup needs attention, and so do backups that are turned off', () => {
  const hour = 3_600_000;
  expect(findings.backup({ isOn: true, isOverdue: false, agoMs: 5 * hour })).toEqual({
    sentence: 'Last good backup 5 hours ago.',
  });
  expect(findings.backup({ isOn: true, isOverdue: true, agoMs: 30 * hour }).todo).toMatch(/^Back up now/);
  expect(findings.backup({ isOn: false, isOverdue: false, agoMs: undefined })).toMatchObject({
    sentence: 'No good backup yet.',
    todo: 'Backups are turned off. Turn them on.',
  });
});
