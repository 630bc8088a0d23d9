/** The mail server in Settings, tried with real SMTP servers. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { alarms, mails } from '../../../src/server/db/schema/tables';
import { openMailer } from '../../../src/server/mail/mailer';
import { findMailServer } from '../../../src/server/mail/mailServer';
import { sendMail } from '../../../src/server/mail/send';
import { paidOrder } from '../../support/buying';
import { mailServersOf } from '../../support/emailSettings';
import { findFreePort } from '../../support/freePort';
import { certificate } from '../../support/localhostCertificate';
import type { MailServer } from '../../support/mailServer';
import { mailsOf, runDueJobs, skipPauses } from '../../support/mails';
import { openOwnShop, type TestShop } from '../../support/shop';

const minuteMs = 60_000;
const login = { user: 'shop@example.com', password: 'tarragon & thyme 3' };
const limits = { connectionTimeout: 2_000, greetingTimeout: 300, socketTimeout: 2_000, deadline: 3_000 };

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop({ mails: { ca: certificate, limits } });
});
afterAll(() => shop.close());

const { start: startServer, set, read, sendTest, tidy } = mailServersOf(() => shop);
afterEach(async () => {
  await tidy();
  await shop.jobs.sweepMails();
});

const rowOf = async (mailId: string) => (await shop.db.select().from(mails).where(eq(mails.id, mailId)))[0];
const openAlarms = async () =>
  (await shop.db.select().from(alarms).where(eq(alarms.kind, 'mail_waiting')))
    .filter(({ settledAt }) => !settledAt)
    .map(({ detail }) => detail);

async function mailedOrder() {
  const { orderId, as } = await paidOrder(shop);
  const [mail] = await mailsOf(shop, orderId);
  if (!mail) throw new Error('the order has no mail');
  return { id: mail.id, to: as.email };
}
const timesReceived = ({ received }: MailServer, to: string) => received.filter((mail) => mail.to.includes(to)).length;

describe('the shop sends through a mail server', () => {
  test.each([
    ['none', undefined],
    ['none', login],
    ['starttls', undefined],
    ['starttls', login],
    ['tls', undefined],
    ['tls', login],
  ] as const)('with security %s and login %j', async (security, its) => {
    const server = await startServer({ security, ...(its && { login: its }) });
    const email = await set({ port: server.port, security, ...its });
    expect(email).toMatchObject({ state: 'working', failure: null, hasPassword: its !== undefined, isFixed: false });
    const { data } = await sendTest();
    expect(data).toMatchObject({ accepted: true, response: expect.stringMatching(/^250 /) });
    const mail = await mailedOrder();
    await runDueJobs(shop);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'sent', sentAt: expect.any(Date) });
    const isEncrypted = security !== 'none';
    for (const to of ['owner@example.com', mail.to])
      expect(server.received.filter((one) => one.to.includes(to))).toMatchObject([{ isEncrypted }]);
    if (its) expect(server.received[0]?.user).toBe(its.user);
    expect(server.received[0]?.source).toContain('From: "Savory, Seasoning & Spices" <shop@example.com>');
    expect(server.received[0]?.source).toContain("Subject: Your shop's email works");
  });

  test('that is changed while another process runs, also from that process', async () => {
    const [first, second] = [await startServer(), await startServer()];
    await set({ port: first.port });
    const other = openMailer({
      smtpUrl: undefined,
      from: 'no-reply@localhost',
      folder: '',
      findSaved: () => findMailServer(shop.db, shop.secrets.mailKeys),
    });
    await set({ port: second.port, sender: 'orders@example.com' });
    await other.send({
      mailId: randomUUID(),
      recipient: 'ana@example.com',
      letter: { subject: 'Hello', preheader: '', paragraphs: [], why: 'owns' },
      sender: await shop.mail.findSender(),
      date: shop.clock.now(),
    });
    expect(timesReceived(first, 'ana@example.com')).toBe(0);
    expect(timesReceived(second, 'ana@example.com')).toBe(1);
    expect(second.received.at(-1)?.source).toContain('<orders@example.com>');
  });
});

describe('a mail server that does not work', () => {
  test('because it is not there: mails wait, an alarm comes after 15 minutes, and each is sent once when it is back', async () => {
    const port = await findFreePort();
    const email = await set({ port });
    expect(email).toMatchObject({ state: 'failing', failure: { reason: 'unreachable' } });
    const [one, two] = [await mailedOrder(), await mailedOrder()];
    await runDueJobs(shop);
    expect(await read()).toMatchObject({ state: 'failing', waiting: expect.any(Number) });
    const settingsOfStaff = await shop.call('getSettings', { as: await shop.signIn({ role: 'ROLE_ADMIN' }) });
    expect(settingsOfStaff.data).toMatchObject({ sendsMail: true, mailState: 'failing' });
    // down for an hour: attempts fail, and the alarm stays one alarm
    for (let waited = 0; waited < 60; waited += 15) {
      shop.clock.advance(15 * minuteMs);
      await skipPauses(shop);
      await runDueJobs(shop);
      await shop.jobs.sweepMails();
      expect(await openAlarms()).toEqual([
        expect.stringMatching(/emails are waiting\. We can't reach the mail server\.$/),
      ]);
    }
    const server = await startServer({ port });
    shop.clock.advance(5 * minuteMs);
    await shop.jobs.sweepMails(); // notices that it is back, and makes the mails due
    expect(await read()).toMatchObject({ state: 'working', failure: null });
    await runDueJobs(shop);
    await runDueJobs(shop);
    for (const { id, to } of [one, two]) {
      expect(await rowOf(id)).toMatchObject({ state: 'sent', lastError: null });
      expect(timesReceived(server, to)).toBe(1);
    }
    await shop.jobs.sweepMails();
    expect(await openAlarms()).toEqual([]);
    expect(await read()).toMatchObject({ state: 'working', waiting: 0 });
  });

  test('because of the password: it is asked no more than the mails need, and they go out once it is right', async () => {
    const server = await startServer({ login });
    const email = await set({ port: server.port, user: login.user, password: 'wrong' });
    expect(email).toMatchObject({
      state: 'failing',
      failure: { reason: 'login', response: expect.stringMatching(/535/) },
    });
    const mail = await mailedOrder();
    await runDueJobs(shop);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'waiting', attempts: 1 });
    const { data } = await sendTest();
    expect(data).toMatchObject({ accepted: false, response: expect.stringMatching(/^535 /) });
    shop.clock.advance(20 * minuteMs);
    await shop.jobs.sweepMails();
    expect(await openAlarms()).toEqual([expect.stringMatching(/The mail server rejects the login\.$/)]);
    expect(server.received).toEqual([]);
    expect(await set({ port: server.port, ...login })).toMatchObject({ state: 'working' });
    await runDueJobs(shop);
    expect(timesReceived(server, mail.to)).toBe(1);
    await shop.jobs.sweepMails();
    expect(await openAlarms()).toEqual([]);
  });

  test('because it never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    expect(await set({ port, host: '127.0.0.1' })).toMatchObject({ state: 'failing', failure: { reason: 'slow' } });
    const mail = await mailedOrder();
    await runDueJobs(shop);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'waiting', lastError: expect.stringMatching(/^ETIMEDOUT/) });
    silent.close();
  });

  test('because it offers no encryption: nothing is sent, not even the login', async () => {
    const server = await startServer({ login });
    const email = await set({ port: server.port, security: 'starttls', ...login });
    expect(email).toMatchObject({ state: 'failing', failure: { reason: 'security' } });
    expect((await sendTest()).data.accepted).toBe(false);
    expect(server.received).toEqual([]);
  });

  test('because its certificate is not trusted', async () => {
    const server = await startServer({ security: 'tls' });
    const mailer = openMailer({
      smtpUrl: `smtps://localhost:${server.port}`,
      from: 'shop@example.com',
      folder: '',
    });
    await expect(mailer.check()).rejects.toMatchObject({ originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });

  test('because it does not take the sender: the mails wait instead of failing', async () => {
    const server = await startServer();
    await set({ port: server.port });
    server.refuseSenderWith(553);
    const mail = await mailedOrder();
    await runDueJobs(shop);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(await read()).toMatchObject({ state: 'failing', failure: { reason: 'sender' } });
    server.refuseSenderWith(undefined);
    await skipPauses(shop);
    await runDueJobs(shop);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'sent' });
    expect(await read()).toMatchObject({ state: 'working' });
  });

  test('for one recipient alone works, and says so', async () => {
    const server = await startServer();
    await set({ port: server.port });
    server.refuseWith(550);
    const mail = await mailedOrder();
    await runDueJobs(shop);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'failed' });
    expect((await sendTest()).data).toMatchObject({ accepted: false, response: expect.stringMatching(/^550 /) });
    expect(await read()).toMatchObject({ state: 'working' });
  });
});

test('a server with a greylist gets a mail again, and each mail arrives once', async () => {
  const server = await startServer();
  await set({ port: server.port });
  await runDueJobs(shop);
  server.greylist();
  const mail = await mailedOrder();
  await runDueJobs(shop);
  expect(await rowOf(mail.id)).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(await read()).toMatchObject({ state: 'working' });
  await skipPauses(shop);
  await runDueJobs(shop);
  expect(await rowOf(mail.id)).toMatchObject({ state: 'sent', attempts: 2 });
  expect(server.attempts.filter((to) => to === mail.to)).toHaveLength(2);
  expect(timesReceived(server, mail.to)).toBe(1);
});

test('a server that takes its time with a message gets it once', async () => {
  const server = await startServer({ answersAfterMs: 1_000 }); // longer than its greeting may take
  await set({ port: server.port });
  const mail = await mailedOrder();
  await runDueJobs(shop);
  expect(await rowOf(mail.id)).toMatchObject({ state: 'sent', attempts: 1 });
  expect(timesReceived(server, mail.to)).toBe(1);
});

describe('a server that hangs', () => {
  test('in the middle of an email holds it up for the time limit, and gets it once it answers', async () => {
    const server = await startServer({ hangs: true });
    await set({ port: server.port });
    const mail = await mailedOrder();
    await runDueJobs(shop);
    expect(await rowOf(mail.id)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      lastError: expect.stringMatching(/^ETIMEDOUT/),
    });
    expect(await read()).toMatchObject({ state: 'failing', failure: { reason: 'slow' } });
    server.hang(false);
    await skipPauses(shop);
    await runDueJobs(shop);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'sent', attempts: 2 });
    expect(timesReceived(server, mail.to)).toBe(1);
    expect(await read()).toMatchObject({ state: 'working' });
  });

  test('but keeps sending something is given up at the deadline', async () => {
    const trickling = createServer((socket) => {
      socket.write('220 localhost\r\n');
      const timer = setInterval(() => socket.write('250-wait\r\n'), 200);
      socket.on('error', () => undefined).on('close', () => clearInterval(timer));
    }).listen(0, '127.0.0.1');
    await once(trickling, 'listening');
    const { port } = trickling.address() as AddressInfo;
    const mailer = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'shop@example.com', folder: '', limits });
    const mail = await mailedOrder();
    await expect(sendMail({ ...shop.mail, mailer }, mail.id)).rejects.toThrow('EABORT');
    expect(await rowOf(mail.id)).toMatchObject({ state: 'waiting', lastError: expect.stringMatching(/^EABORT/) });
    trickling.close();
  });
});

test('a mail that was not sent for want of a server is not sent later by itself', async () => {
  const mail = await mailedOrder();
  await runDueJobs(shop);
  expect(await rowOf(mail.id)).toMatchObject({ state: 'sent', sentAt: null });
  const server = await startServer();
  expect(await set({ port: server.port })).toMatchObject({ state: 'working' });
  await sendTest();
  shop.clock.advance(60 * minuteMs);
  await shop.jobs.sweepMails();
  await skipPauses(shop);
  await runDueJobs(shop);
  expect(timesReceived(server, mail.to)).toBe(0);
  const as = await shop.signIn({ role: 'ROLE_OWNER' });
  await shop.call('resendMail', { as, path: { mailId: mail.id } });
  await runDueJobs(shop);
  expect(timesReceived(server, mail.to)).toBe(1);
});
