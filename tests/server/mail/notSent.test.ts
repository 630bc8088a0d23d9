/** Mails that do not leave the shop: there is no mail server, or it is unreachable. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alarms, mails } from '../../../src/server/db/schema/tables';
import { openMailer } from '../../../src/server/mail/mailer';
import { sendMail } from '../../../src/server/mail/send';
import { paidOrder } from '../../support/buying';
import { startMailServer, type MailServer } from '../../support/mailServer';
import { mailsOf, runDueJobs } from '../../support/mails';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
let server: MailServer;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  server = await startMailServer();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterAll(async () => {
  await server.close();
  await shop.close();
});

const sendingTo = (smtpUrl: string) => ({
  ...shop.mail,
  mailer: openMailer({ smtpUrl, from: 'shop@example.com', folder: '' }),
});

async function mailedOrder() {
  const { orderId } = await paidOrder(shop);
  const [mail] = await mailsOf(shop, orderId);
  if (!mail) throw new Error('nobody was written to');
  return { orderId, mail };
}

describe('without a mail server', () => {
  test('a mail is not sent, and the settings say that none leaves the shop', async () => {
    const { orderId, mail } = await mailedOrder();
    await runDueJobs(shop);
    const listed = async (state: 'sent' | 'not_sent') =>
      (await shop.call('listMails', { as: owner, query: { state, size: 100 } })).data.mails.content;
    expect(await listed('not_sent')).toContainEqual(
      expect.objectContaining({ id: mail.id, orderId, state: 'not_sent', sentAt: null }),
    );
    expect((await listed('sent')).map(({ id }) => id)).not.toContain(mail.id);
    expect((await shop.call('getSettings', { as: owner })).data.sendsMail).toBe(false);
    const resent = await shop.call('resendMail', { as: owner, path: { mailId: mail.id } });
    expect(resent.data.mail.state).toBe('waiting');
    await sendMail(sendingTo(server.url), mail.id);
    expect((await listed('sent')).map(({ id }) => id)).toContain(mail.id);
  });

  test('staff send an email about an order again, and only the owner any other', async () => {
    const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
    const { mail } = await mailedOrder();
    await runDueJobs(shop);
    const resend = (mailId: string, as = admin) => shop.call('resendMail', { as, path: { mailId } });
    expect(await resend(mail.id)).toMatchObject({ status: 200, data: { mail: { state: 'waiting' } } });
    expect(await resend(mail.id, await shop.signIn())).toMatchObject({ status: 403 });
    await shop.call('createContactMessage', { body: { email: 'ana@example.com', reason: 'Hello' } });
    await runDueJobs(shop);
    const [other] = await shop.db.select().from(mails).where(eq(mails.recipient, 'ana@example.com'));
    expect(await resend(other?.id ?? '')).toMatchObject({ status: 404, code: 'mail_not_found' });
    expect(await resend(other?.id ?? '', owner)).toMatchObject({ status: 200 });
  });

  test.each(['password_reset', 'email_proof', 'account_takeover'] as const)(
    'nobody can read the link of a mail %s in the back office',
    async (kind) => {
      const mailId = randomUUID();
      await shop.db.insert(mails).values({
        id: mailId,
        kind,
        about: `${kind}:${mailId}`,
        recipient: 'awa@example.com',
        state: 'sent',
        createdAt: shop.clock.now(),
      });
      await writeFile(path.join(shop.dataDir, 'mails', `${mailId}.eml`), 'a link');
      const read = await shop.call('getMail', { as: owner, path: { mailId } });
      expect(read.data.content).toEqual({ subject: null, text: null, file: null, letter: null });
    },
  );
});

test('mails that have waited for 15 minutes raise an alarm, which ends once they are sent', async () => {
  const waiting = () =>
    shop.db
      .select({ detail: alarms.detail, settledAt: alarms.settledAt })
      .from(alarms)
      .where(eq(alarms.kind, 'mail_waiting'));
  const away = sendingTo('smtp://127.0.0.1:9');
  const [one, two] = [await mailedOrder(), await mailedOrder()];
  for (const { mail } of [one, two]) await expect(sendMail(away, mail.id)).rejects.toThrow();
  await shop.jobs.sweepMails();
  expect(await waiting()).toEqual([]);
  shop.clock.advance(15 * 60_000);
  await shop.jobs.sweepMails();
  await shop.jobs.sweepMails();
  expect(await waiting()).toEqual([
    { detail: "2 emails are waiting. We can't reach the mail server.", settledAt: null },
  ]);
  await sendMail(sendingTo(server.url), two.mail.id);
  await shop.jobs.sweepMails();
  expect(await waiting()).toEqual([{ detail: "1 email is waiting. We can't reach the mail server.", settledAt: null }]);
  await sendMail(sendingTo(server.url), one.mail.id);
  await shop.jobs.sweepMails();
  expect(await waiting()).toMatchObject([{ settledAt: expect.any(Date) }]);
});
