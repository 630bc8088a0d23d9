import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alarms, contactMessages, mails } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import { openMailer } from '../../../src/server/mail/mailer';
import { writeMail } from '../../../src/server/mail/outbox';
import { sendMail } from '../../../src/server/mail/send';
import { defaultSettings } from '../../../src/shared/settings';
import { checkBooks, paidOrder } from '../../support/buying';
import { startMailServer, type MailServer } from '../../support/mailServer';
import { mailsOf, runDueJobs } from '../../support/mails';
import { wordsOf } from '../../support/mailWords';
import { openOwnShop, type Person, type TestShop, type NewProduct } from '../../support/shop';

let shop: TestShop;
let server: MailServer;
let owner: Person;
beforeAll(async () => {
  shop = await openOwnShop();
  server = await startMailServer();
  owner = await shop.signIn({ role: 'ROLE_OWNER' });
});
afterAll(async () => {
  await checkBooks(shop);
  await server.close();
  await shop.close();
});

const bySmtp = () => ({
  ...shop.mail,
  mailer: openMailer({ smtpUrl: server.url, from: 'shop@example.com', folder: '' }),
});
const fileOf = (mailId: string) => readFile(path.join(shop.dataDir, 'mails', `${mailId}.eml`), 'utf8');
const rowOf = async (mailId: string) => (await shop.db.select().from(mails).where(eq(mails.id, mailId)))[0];
const jobOf = async (mailId: string) => {
  const { rows } = await shop.pool.query<{ wait: number }>(
    `select extract(epoch from run_at - created_at)::float as wait from graphile_worker.jobs where key = $1`,
    [`mail:${mailId}`],
  );
  return rows[0];
};

async function mailedOrder(product: NewProduct = {}, quantity = 1) {
  const order = await paidOrder(shop, product, quantity);
  const [mail] = await mailsOf(shop, order.orderId);
  if (!mail) throw new Error('nobody was written to');
  return { ...order, mail };
}
const contactMail = (facts: object) =>
  transact(shop.db, (tx) =>
    writeMail(tx, {
      kind: 'contact_received',
      about: `contact:${randomUUID()}`,
      recipient: 'owner@example.com',
      facts: { ...facts },
      now: shop.clock.now(),
    }),
  ).then((id) => id ?? '');

describe('a paid order', () => {
  test('is confirmed in one mail, with its lines, total and address, as text and as HTML', async () => {
    const { orderNumber, mail, as } = await mailedOrder({ name: 'Salt & <pepper>', priceCents: 435 }, 3);
    expect(mail).toMatchObject({ kind: 'order_confirmation', state: 'waiting', recipient: as.email });
    await runDueJobs(shop);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'sent', attempts: 1, lastError: null });
    const words = wordsOf(await fileOf(mail.id));
    expect(words).toContain(`To: ${as.email}`);
    expect(words).toContain(`Subject: Order #${orderNumber} confirmed`);
    for (const fact of ['3 × Salt & <pepper>  $13.05', 'Total  $13.05', '12 Market Street', 'Atlanta, GA 30303'])
      expect(words).toContain(fact);
    expect(words).toContain('3 × Salt &amp; &lt;pepper&gt;</td>');
    expect(words).not.toMatch(/<img|https?:\/\/(?!localhost:3000)/);
  });

  test('is confirmed once, however often its payment is reported', async () => {
    const order = await mailedOrder();
    const session = await shop.payments.findSession(order.sessionId);
    expect(session?.isPaid).toBe(true);
    await shop.jobs.sweepPayments();
    await shop.call('capturePayment', {
      as: order.as,
      query: { session_id: order.sessionId, user_id: order.userId, cart_id: order.cartId },
    });
    await runDueJobs(shop);
    await shop.jobs.sendMail({ mailId: order.mail.id });
    expect(await mailsOf(shop, order.orderId)).toHaveLength(1);
    expect(await rowOf(order.mail.id)).toMatchObject({ state: 'sent', attempts: 1 });
  });
});

test('a mail and its job exist with what they report, or not at all', async () => {
  const about = `contact:${randomUUID()}`;
  const failing = transact(shop.db, async (tx) => {
    await writeMail(tx, { kind: 'contact_received', about, recipient: 'a@example.com', now: shop.clock.now() });
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  expect(await shop.db.select().from(mails).where(eq(mails.about, about))).toEqual([]);
});

describe('the mail server', () => {
  test('gets the mail once; a job that runs again sends nothing', async () => {
    const { mail, as } = await mailedOrder();
    await sendMail(bySmtp(), mail.id);
    await sendMail(bySmtp(), mail.id);
    const own = server.received.filter(({ to }) => to.includes(as.email));
    expect(own).toHaveLength(1);
    expect(own[0]?.source).toContain(`Message-ID: <${mail.id}@example.com>`);
  });

  test('that is busy is asked again later, and the mail is sent then', async () => {
    const { mail } = await mailedOrder();
    server.refuseWith(451);
    await expect(sendMail(bySmtp(), mail.id)).rejects.toThrow("couldn't be sent");
    expect(await rowOf(mail.id)).toMatchObject({ state: 'waiting', attempts: 1 });
    expect((await rowOf(mail.id))?.lastError).not.toContain(mail.recipient);
    server.refuseWith(undefined);
    await sendMail(bySmtp(), mail.id);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'sent', attempts: 2 });
  });

  test('that is down for a day leaves the mail failed, with an alarm, and the owner sends it again', async () => {
    const { mail } = await mailedOrder();
    const away = {
      ...shop.mail,
      mailer: openMailer({ smtpUrl: 'smtp://127.0.0.1:9', from: 'shop@example.com', folder: '' }),
    };
    for (let attempt = 1; attempt < 13; attempt++) await expect(sendMail(away, mail.id)).rejects.toThrow();
    await sendMail(away, mail.id);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'failed', attempts: 13 });
    const [alarm] = await shop.db
      .select()
      .from(alarms)
      .where(eq(alarms.orderId, mail.orderId ?? ''));
    expect(alarm).toMatchObject({ kind: 'mail_failed' });
    const resent = await shop.call('resendMail', { as: owner, path: { mailId: mail.id } });
    expect(resent.data.mail).toMatchObject({ state: 'waiting', attempts: 0, lastError: null });
    await runDueJobs(shop);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'sent' });
  });

  test('that rejects the address for good is not asked again', async () => {
    const { mail } = await mailedOrder();
    server.refuseWith(550);
    await sendMail(bySmtp(), mail.id);
    server.refuseWith(undefined);
    expect(await rowOf(mail.id)).toMatchObject({ state: 'failed', attempts: 1 });
    expect(
      await shop.db
        .select()
        .from(alarms)
        .where(eq(alarms.orderId, mail.orderId ?? '')),
    ).toHaveLength(1);
  });
});

describe('every mail to a customer', () => {
  const headOf = (source = '') => (source.split('\r\n\r\n')[0] ?? '').replace(/\r\n\s+/g, ' ');
  const sentTo = async (mailId: string) => {
    await sendMail(bySmtp(), mailId);
    return headOf(server.received.at(-1)?.source);
  };
  const saveShop = (fields: object) =>
    shop.call('updateSettings', { as: owner, body: { ...defaultSettings, ...fields } });

  test('comes from the shop under its current name, and replies go to the contact email', async () => {
    const { mail } = await mailedOrder();
    const writer = await contactMail({ messageId: randomUUID(), to: 'writer' });
    await saveShop({ shopName: 'Banjul "Spice" Co.', contactEmail: 'hello@banjul.example' });
    for (const mailId of [mail.id, writer]) {
      const head = await sentTo(mailId);
      expect(head).toContain('From: "Banjul \\"Spice\\" Co." <shop@example.com>');
      expect(head).toContain('Reply-To: hello@banjul.example');
    }
    expect(wordsOf(server.received.at(-1)?.source ?? '')).toContain('Banjul "Spice" Co.');
    await saveShop({});
  });

  test('has no reply address while the contact email is the sample', async () => {
    const { mail } = await mailedOrder();
    expect(await sentTo(mail.id)).not.toContain('Reply-To');
  });
});

describe('text from users', () => {
  test('is never decoded: encoded words in a name stay as they were typed', async () => {
    const id = randomUUID();
    const fullName = '=?utf-8?B?UGF5IG5vdw==?=';
    const message = { id, fullName, email: 'eve@example.com', phone: '', reason: 'Hello' };
    await shop.db.insert(contactMessages).values({ ...message, createdAt: shop.clock.now() });
    await sendMail(bySmtp(), await contactMail({ messageId: id, to: 'owner' }));
    const source = server.received.at(-1)?.source ?? '';
    expect(source).not.toMatch(/^Subject: .*=\?utf-8\?B\?UGF5IG5vdw==\?=/m);
    expect(source).toMatch(/^Subject: New message from = \?utf-8/m);
  });

  test('never begins a header: a name with line breaks stays in one subject', async () => {
    const id = randomUUID();
    const fullName = 'Eve\r\nBcc: everybody@example.com\n\nBuy now';
    const message = { id, fullName, email: 'eve@example.com', phone: '', reason: 'Hello\r\n.\r\nQUIT' };
    await shop.db.insert(contactMessages).values({ ...message, createdAt: shop.clock.now() });
    const mailId = await contactMail({ messageId: id, to: 'owner' });
    await sendMail(bySmtp(), mailId);
    const source = server.received.at(-1)?.source ?? '';
    const [head = ''] = source.split('\r\n\r\n');
    expect(head.split('\r\n').some((line) => /^(?:bcc|buy)/i.test(line))).toBe(false);
    expect(head).toMatch(/Subject: New message from Eve Bcc: everybody@example\.com\s+Buy now/);
    expect(head).toContain('Reply-To: eve@example.com');
    expect(wordsOf(source)).toContain('QUIT');
    expect(server.received.at(-1)?.to).toEqual(['owner@example.com']);
  });

  test('is mailed to the owner, and never back to the address that was typed in', async () => {
    const mailId = await contactMail({ messageId: randomUUID(), to: 'writer' });
    await runDueJobs(shop);
    expect(wordsOf(await fileOf(mailId))).toContain('We got your message');
  });

  test.each(['a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com', '<a@example.com>', ''])(
    'is not used as an address unless it is exactly one address (%j)',
    async (recipient) => {
      const mail = { kind: 'contact_received' as const, about: `contact:${randomUUID()}`, recipient };
      const mailId = await transact(shop.db, (tx) =>
        writeMail(tx, { ...mail, facts: { to: 'writer' }, now: shop.clock.now() }),
      );
      await runDueJobs(shop);
      expect(await rowOf(mailId ?? '')).toMatchObject({ state: 'failed', attempts: 1 });
    },
  );
});

describe('the words of an email', () => {
  test('greet with the first name, and say at the end who sends it and why', async () => {
    const { mail, orderNumber } = await mailedOrder();
    await runDueJobs(shop);
    const words = wordsOf(await fileOf(mail.id));
    expect(words).toContain(`Thanks for your order, Example! We got your payment for order #${orderNumber}.`);
    expect(words).toMatch(/hello@example\.com · \(555\) 010-0142\r?\nYou're getting this because you ordered from /);
  });

  test('begin, in an inbox, with what the subject does not say; the text version leaves that out', async () => {
    const { mail } = await mailedOrder();
    await runDueJobs(shop);
    const [, text = '', html = ''] = wordsOf(await fileOf(mail.id)).split(/^Content-Type: text\/.*$/m);
    const preheader = "Thanks for your order. We'll email you when it ships.";
    expect(html).toMatch(/<body[^>]*>\s*<div style="display:none[^>]*>Thanks for your order\. We&#39;ll email you/);
    expect(text).not.toContain(preheader);
  });

  test('of a message from a customer begin with its first 80 letters', async () => {
    const id = randomUUID();
    const message = {
      id,
      fullName: 'Lamin',
      email: 'lamin@example.com',
      phone: '',
      reason: `Pods?\n${'x'.repeat(90)}`,
    };
    await shop.db.insert(contactMessages).values({ ...message, createdAt: shop.clock.now() });
    await sendMail(bySmtp(), await contactMail({ messageId: id, to: 'owner' }));
    expect(wordsOf(server.received.at(-1)?.source ?? '')).toContain(`>Pods? ${'x'.repeat(74)}</div>`);
  });
});

describe('an order that is out for delivery', () => {
  const move = (as: Person, orderId: string, status: 'PAID' | 'OUT_FOR_DELIVERY') =>
    shop.call('updateOrderStatus', { as, path: { orderId, status } });
  const deliveryMail = async (orderId: string) =>
    (await mailsOf(shop, orderId)).find(({ kind }) => kind === 'out_for_delivery');

  test('is announced when the step can no longer be undone', async () => {
    const { orderId } = await mailedOrder();
    await move(owner, orderId, 'OUT_FOR_DELIVERY');
    const mail = await deliveryMail(orderId);
    expect((await jobOf(mail?.id ?? ''))?.wait).toBeGreaterThan(10);
    await runDueJobs(shop);
    expect((await deliveryMail(orderId))?.state).toBe('waiting');
    await shop.pool.query('update graphile_worker._private_jobs set run_at = now() where key = $1', [
      `mail:${mail?.id}`,
    ]);
    await runDueJobs(shop);
    expect((await deliveryMail(orderId))?.state).toBe('sent');
    expect(wordsOf(await fileOf(mail?.id ?? ''))).toContain('is on its way');
  });

  test('is not announced earlier when the owner resends its mail', async () => {
    const { orderId } = await mailedOrder();
    await move(owner, orderId, 'OUT_FOR_DELIVERY');
    const mailId = (await deliveryMail(orderId))?.id ?? '';
    const resent = await shop.call('resendMail', { as: owner, path: { mailId } });
    expect(resent.data.mail).toMatchObject({ state: 'waiting' });
    expect((await jobOf(mailId))?.wait).toBeGreaterThan(10);
    expect((await move(owner, orderId, 'PAID')).status).toBe(200);
    await runDueJobs(shop);
    expect((await deliveryMail(orderId))?.state).toBe('cancelled');
  });

  test('is not announced when the step is undone, until it goes out after all', async () => {
    const { orderId } = await mailedOrder();
    await move(owner, orderId, 'OUT_FOR_DELIVERY');
    expect((await move(owner, orderId, 'PAID')).status).toBe(200);
    const mail = await deliveryMail(orderId);
    expect(mail?.state).toBe('cancelled');
    expect(await jobOf(mail?.id ?? '')).toBeUndefined();
    await shop.jobs.sendMail({ mailId: mail?.id }); // one that was already claimed
    expect((await deliveryMail(orderId))?.state).toBe('cancelled');
    const resent = await shop.call('resendMail', { as: owner, path: { mailId: mail?.id ?? '' } });
    expect(resent).toMatchObject({ status: 409, code: 'mail_cancelled' });
    await move(owner, orderId, 'OUT_FOR_DELIVERY');
    expect(await deliveryMail(orderId)).toMatchObject({ id: mail?.id, state: 'waiting' });
    expect(await jobOf(mail?.id ?? '')).toBeDefined();
  });
});

test('a mail whose job died with its process gets a new one', async () => {
  const { mail } = await mailedOrder();
  await shop.pool.query(
    `update graphile_worker._private_jobs set locked_at = now() - interval '5 minutes', locked_by = 'dead', attempts = 1
     where key = $1`,
    [`mail:${mail.id}`],
  );
  await runDueJobs(shop);
  expect(await rowOf(mail.id)).toMatchObject({ state: 'waiting' });
  await shop.jobs.sweepMails();
  await runDueJobs(shop);
  expect(await rowOf(mail.id)).toMatchObject({ state: 'sent' });
});

test('the owner lists the mails and reads their words and files', async () => {
  const { orderId, orderNumber, mail } = await mailedOrder();
  await runDueJobs(shop);
  const listed = await shop.call('listMails', { as: owner, query: { state: 'not_sent', size: 100 } });
  expect(listed.data.mails.content).toContainEqual(expect.objectContaining({ id: mail.id, orderId, orderNumber }));
  const read = await shop.call('getMail', { as: owner, path: { mailId: mail.id } });
  expect(read.data.content).toMatchObject({ subject: `Order #${orderNumber} confirmed` });
  expect(read.data.content.text).toContain('Total  $4.50');
  expect(read.data.content.letter).toMatchObject({
    rows: expect.arrayContaining([{ label: 'Total', amount: '$4.50' }]),
    action: { label: 'View your orders' },
    signature: expect.arrayContaining(['Savory, Seasoning & Spices']),
  });
  expect(read.data.content.file).toContain(`Message-ID: <${mail.id}@example.com>`);
  expect(await shop.call('getMail', { as: owner, path: { mailId: randomUUID() } })).toMatchObject({
    status: 404,
    code: 'mail_not_found',
  });
});
