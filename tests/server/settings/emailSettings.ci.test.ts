/** Who changes the mail server in Settings, and what becomes of its password. */
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { settings } from '../../../src/server/db/schema/tables';
import { openMailer } from '../../../src/server/mail/mailer';
import { bearer, longPassword, otpOf, switchOnFactor } from '../../support/accounts';
import type { SignedIn } from '../../support/auth';
import { paidOrder } from '../../support/buying';
import { mailServersOf, newOwner, setServer, someServer, type NewServer } from '../../support/emailSettings';
import { mailsOf, runDueJobs, skipPauses } from '../../support/mails';
import { openOwnShop, type TestShop } from '../../support/shop';

const mailPassword = 'tarragon & thyme 3';
const login = { user: 'shop@example.com', password: mailPassword };

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());

const { start: startServer, set, read, sendTest, tidy, owner: lastOwner } = mailServersOf(() => shop);
afterEach(tidy);

const remove = (owner: Pick<SignedIn, 'jwt'>, proof: object = {}) =>
  shop.call('removeMailServer', { headers: bearer(owner), body: { password: longPassword, ...proof } });

describe('the password of the mail server', () => {
  test('is in no answer, log, error, audit entry, or table', async () => {
    const server = await startServer({ login });
    const before = shop.logLines.length;
    const saved = await setServer(shop, await newOwner(shop), { port: server.port, ...login });
    const wrong = await set({ port: server.port, user: login.user, password: `${mailPassword} wrong` });
    const answers = [saved.body, wrong, await read(), (await sendTest()).body];
    const audit = await shop.call('listAudit', { headers: bearer(lastOwner()), query: { size: 20 } });
    expect(audit.data.entries.content[0]).toMatchObject({ action: 'setting.changed' });
    const { rows: tables } = await shop.pool.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const stored = [];
    for (const { name } of tables) stored.push((await shop.pool.query(`select * from ${name}`)).rows);
    const everything = JSON.stringify([answers, audit.body, shop.logLines.slice(before), stored]);
    expect(everything).toContain('mail_server');
    for (const form of [mailPassword, encodeURIComponent(mailPassword), Buffer.from(mailPassword).toString('base64')])
      expect(everything).not.toContain(form);
  });

  test('stays when another field changes, and is not sent to another server', async () => {
    const [server, other] = [await startServer({ login }), await startServer({ login })];
    await set({ port: server.port, ...login });
    const kept = await set({ port: server.port, user: login.user, sender: 'orders@example.com' });
    expect(kept).toMatchObject({ state: 'working', hasPassword: true, sender: 'orders@example.com' });
    const moved = await setServer(shop, await newOwner(shop), {
      port: other.port,
      host: 'localhost',
      user: login.user,
    });
    expect(moved).toMatchObject({ status: 400, errors: [{ field: 'password' }] });
    expect(await read()).toMatchObject({ port: server.port });
    const open = await set({ port: server.port });
    expect(open).toMatchObject({ hasPassword: false });
  });

  test('is useless for another server, even to a person who can write to the database', async () => {
    const [server, other] = [await startServer({ login }), await startServer({ login })];
    await set({ port: server.port, ...login });
    await shop.pool.query(`update settings set value = jsonb_set(value, '{port}', $1) where name = 'mail_server'`, [
      JSON.stringify(other.port),
    ]);
    const { orderId } = await paidOrder(shop);
    await runDueJobs(shop);
    expect(await mailsOf(shop, orderId)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    expect(await read()).toMatchObject({ state: 'failing', hasPassword: false, failure: { reason: 'password' } });
    expect(other.received).toEqual([]);
  });
});

describe('to change the mail server, the owner', () => {
  test('enters the password and a code', async () => {
    const server = await startServer();
    const owner = await newOwner(shop);
    const { secret } = await switchOnFactor(shop, owner, longPassword);
    const change = (fields: NewServer) => setServer(shop, owner, { port: server.port, ...fields });
    expect(await change({ currentPassword: 'not the password' })).toMatchObject({
      code: 'wrong_password',
      errors: [{ field: 'currentPassword' }],
    });
    expect(await change({})).toMatchObject({ code: 'wrong_code', errors: [{ field: 'otp' }] });
    expect(await change({ otp: otpOf(shop, secret) })).toMatchObject({ status: 200 });
    expect(await shop.db.select().from(settings).where(eq(settings.name, 'mail_server'))).toHaveLength(1);
  });

  test('is told by email, and the change is in the audit log without the login', async () => {
    const server = await startServer({ login });
    await set({ port: server.port, ...login });
    await runDueJobs(shop);
    const owner = lastOwner();
    const notice = server.received.find(({ to }) => to.includes(owner.user.email));
    expect(notice?.source).toContain('Subject: Your email settings were changed');
    const audit = await shop.call('listAudit', { headers: bearer(owner), query: { size: 1 } });
    const changes = audit.data.entries.content[0]?.changes.join('; ');
    expect(changes).toContain(`Mail port set to ${server.port}`);
    expect(changes).toContain('Mail user changed (hidden for privacy)');
    expect(changes).toContain('Mail password changed (hidden for privacy)');
  });

  test('cannot while SMTP_URL sets it, and sees what it says', async () => {
    const owner = await newOwner(shop);
    const { mailer } = shop.mail;
    const { fixed } = openMailer({
      smtpUrl: 'smtps://shop:p%40ss@mail.example.com',
      from: 'shop@example.com',
      folder: '',
    });
    mailer.fixed = fixed;
    try {
      expect(await read()).toMatchObject({
        host: 'mail.example.com',
        port: 465,
        security: 'tls',
        user: 'shop',
        hasPassword: true,
        sender: 'shop@example.com',
        isFixed: true,
      });
      expect(await setServer(shop, owner)).toMatchObject({ status: 409, code: 'email_settings_fixed' });
      expect(await remove(owner)).toMatchObject({ status: 409, code: 'email_settings_fixed' });
    } finally {
      mailer.fixed = undefined;
    }
  });

  test.each([
    [{ host: '' }, 'host'],
    [{ host: 'mail.example.com\r\nQUIT' }, 'host'],
    [{ port: 0 }, 'port'],
    [{ sender: 'not an address' }, 'sender'],
    [{ security: 'ssl' as 'tls' }, 'security'],
  ])('gets an error at the field for %j', async (fields, field) => {
    const refused = await setServer(shop, await newOwner(shop), { ...someServer, ...fields });
    expect(refused).toMatchObject({ status: 400, errors: [{ field }] });
  });
});

describe('the owner removes the mail server', () => {
  test('with password and code; then none is set up, and the removed server told the owner', async () => {
    const server = await startServer({ login });
    await set({ port: server.port, ...login });
    const owner = lastOwner();
    await runDueJobs(shop);
    const before = server.received.length;
    const { secret } = await switchOnFactor(shop, owner, longPassword);
    expect(await remove(owner, { password: 'not the password' })).toMatchObject({
      code: 'wrong_password',
      errors: [{ field: 'password' }],
    });
    expect(await remove(owner)).toMatchObject({ code: 'wrong_code', errors: [{ field: 'otp' }] });
    expect(await read()).toMatchObject({ state: 'working' });
    const removed = await remove(owner, { otp: otpOf(shop, secret) });
    const none = { state: 'none', host: '', user: '', hasPassword: false, failure: null, isFixed: false };
    expect(removed).toMatchObject({ status: 200, message: 'Mail server removed', data: { email: none } });
    expect(await read()).toMatchObject(none);
    expect(server.received.slice(before).map(({ to }) => to)).toEqual([[owner.user.email]]);
    expect(server.received.at(-1)?.source).toContain('Subject: Your mail server was removed');
    const log = await shop.call('listMails', { headers: bearer(owner), query: { size: 1 } });
    expect(log.data.mails.content).toMatchObject([{ kind: 'security_notice', state: 'sent' }]);
    const audit = await shop.call('listAudit', { headers: bearer(owner), query: { size: 1 } });
    expect(audit.data.entries.content[0]).toMatchObject({
      action: 'setting.changed',
      changes: expect.arrayContaining(['Mail host removed, was localhost', `Mail port removed, was ${server.port}`]),
    });
    expect(JSON.stringify(audit.body)).not.toContain(login.user);
    expect(await remove(await newOwner(shop))).toMatchObject({ status: 409, code: 'no_mail_server' });
  });

  test('that does not work: the notice is in the email log, and waiting emails are not sent', async () => {
    await set({ port: 9, host: '127.0.0.1' });
    const { orderId } = await paidOrder(shop);
    await runDueJobs(shop);
    expect(await mailsOf(shop, orderId)).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    const owner = lastOwner();
    expect(await remove(owner)).toMatchObject({ status: 200, data: { email: { state: 'none' } } });
    await skipPauses(shop);
    await runDueJobs(shop);
    expect(await mailsOf(shop, orderId)).toMatchObject([{ state: 'sent', sentAt: null }]);
    const log = await shop.call('listMails', { headers: bearer(owner), query: { size: 1 } });
    expect(log.data.mails.content).toMatchObject([
      { kind: 'security_notice', recipient: owner.user.email, state: 'not_sent' },
    ]);
  });
});
