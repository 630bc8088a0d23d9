/** Emails to staff about orders and messages, and who gets them. */
import { eq, inArray } from 'drizzle-orm';
import { afterEach, afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dailyMailOrders, users } from '../../../src/server/db/schema/tables';
import { settlePayment } from '../../../src/server/payments/settlePayment';
import { openOrder, paidOrder } from '../../support/buying';
import { runDueJobs } from '../../support/mails';
import type { Person, TestShop } from '../../support/shop';
import { openShopWithStaff } from '../../support/staffMails';

let staff: Awaited<ReturnType<typeof openShopWithStaff>>;
let shop: TestShop;
beforeAll(async () => {
  staff = await openShopWithStaff();
  ({ shop } = staff);
});
afterEach(() => staff.tidy());
afterAll(() => staff.close());

describe('staff choose their emails', () => {
  test('before that, only owners get some, about messages', async () => {
    const [owner, admin] = [await shop.signIn({ role: 'ROLE_OWNER' }), await shop.signIn({ role: 'ROLE_ADMIN' })];
    const read = async (as: Person) => (await shop.call('getStaffMails', { as, path: { userId: as.userId } })).data;
    expect(await read(owner)).toEqual({ staffMails: { newOrder: 'off', lowStock: false, newMessage: true } });
    expect(await read(admin)).toEqual({ staffMails: { newOrder: 'off', lowStock: false, newMessage: false } });
  });

  test('each their own, and the audit log has it', async () => {
    const admin = await staff.staffWith({ newOrder: 'daily', newMessage: true });
    const read = await shop.call('getStaffMails', { as: admin, path: { userId: admin.userId } });
    expect(read.data.staffMails).toEqual({ newOrder: 'daily', lowStock: false, newMessage: true });
    const owner = await shop.signIn({ role: 'ROLE_OWNER' });
    expect(await shop.call('getStaffMails', { as: owner, path: { userId: admin.userId } })).toMatchObject({
      status: 404,
    });
    const audit = await shop.call('listAudit', { as: admin, query: { size: 1 } });
    expect(audit.data.entries.content).toMatchObject([
      {
        action: 'user.staff_mails_changed',
        changes: ['New orders No email to One email a day at 8:00 AM', 'New messages off to on'],
      },
    ]);
  });
});

describe('a paid order', () => {
  test('is told to those who want each, with what to ship where', async () => {
    await staff.setServer();
    const [each, daily, off] = [
      await staff.staffWith({ newOrder: 'each' }, 'ROLE_OWNER'),
      await staff.staffWith({ newOrder: 'daily' }),
      await staff.staffWith({}),
    ];
    const order = await paidOrder(shop, { name: 'Salt & <pepper>', priceCents: 435 }, 3);
    expect(await staff.mailsTo(each, 'new_order')).toMatchObject([{ orderId: order.orderId, state: 'waiting' }]);
    for (const other of [daily, off]) expect(await staff.mailsTo(other, 'new_order', 'daily_orders')).toEqual([]);
    await runDueJobs(shop);
    const [words, ...more] = staff.receivedBy(each);
    expect(more).toEqual([]);
    for (const fact of [
      `Subject: New order #${order.orderNumber}, $13.05`,
      'Example Customer ordered 3 items. Ship to Atlanta, GA.',
      '3 × Salt & <pepper>  $13.05',
      '3 × Salt &amp; &lt;pepper&gt;</td>',
      `View order: http://localhost:3000/admin/orders/${order.orderId}`,
      "You're getting this because you turned it on in your profile",
    ])
      expect(words).toContain(fact);
    const page = await shop.call('getOrderForStaff', { as: each, path: { orderId: order.orderId } });
    expect(page.data.details.emails?.map(({ kind }) => kind)).toEqual(['order_confirmation']);
  });

  test('is told once, however often and by how many at once its payment is reported', async () => {
    await staff.setServer();
    const [each, daily] = [await staff.staffWith({ newOrder: 'each' }), await staff.staffWith({ newOrder: 'daily' })];
    const { orderId, sessionId } = await openOrder(shop);
    await shop.control('pay', { session: sessionId }); // its webhook arrives meanwhile
    const session = await shop.payments.findSession(sessionId);
    if (!session) throw new Error('the session is gone');
    await Promise.all(Array.from({ length: 5 }, () => settlePayment(shop, session)));
    await runDueJobs(shop);
    expect(await staff.mailsTo(each, 'new_order')).toMatchObject([{ orderId, state: 'sent', attempts: 1 }]);
    expect(staff.receivedBy(each)).toHaveLength(1);
    const waiting = shop.db.select().from(dailyMailOrders).where(eq(dailyMailOrders.userId, daily.userId));
    expect(await waiting).toEqual([{ userId: daily.userId, orderId }]);
  });

  test('is not told without a mail server, so nothing piles up', async () => {
    const [each, daily] = [await staff.staffWith({ newOrder: 'each' }), await staff.staffWith({ newOrder: 'daily' })];
    await paidOrder(shop);
    expect(await staff.mailsTo(each, 'new_order')).toEqual([]);
    expect(await shop.db.select().from(dailyMailOrders).where(eq(dailyMailOrders.userId, daily.userId))).toEqual([]);
  });

  test.each([
    ['deactivated', { isEnabled: false }],
    ['made a customer', { role: 'ROLE_CUSTOMER' as const }],
  ])('is not told to staff who were %s, even while an email waits', async (_, change) => {
    await staff.setServer();
    const [each, daily] = [await staff.staffWith({ newOrder: 'each' }), await staff.staffWith({ newOrder: 'daily' })];
    await paidOrder(shop);
    const both = inArray(users.id, [each.userId, daily.userId]);
    await shop.db.update(users).set(change).where(both);
    await paidOrder(shop);
    staff.moveToMorning();
    await shop.jobs.writeDailyMails();
    await runDueJobs(shop);
    expect(await staff.mailsTo(each, 'new_order')).toMatchObject([{ state: 'cancelled' }]);
    expect(await staff.mailsTo(daily, 'daily_orders')).toEqual([]);
    expect([...staff.receivedBy(each), ...staff.receivedBy(daily)]).toEqual([]);
    expect(await shop.db.select().from(dailyMailOrders)).toEqual([]);
  });
});

describe('a message from the contact form', () => {
  const message = { fullName: 'Awa Ceesay', email: 'awa@example.com', phone: '404 555 0100', reason: 'Djar?\nKani?' };
  const send = async () => expect((await shop.call('createContactMessage', { body: message })).status).toBe(201);

  test('is told to owners and to admins who chose it, and a reply goes to its sender', async () => {
    await staff.setServer();
    const owner = await shop.signIn({ role: 'ROLE_OWNER' });
    const silent = await staff.staffWith({ newMessage: false }, 'ROLE_OWNER');
    const [reader, other] = [await staff.staffWith({ newMessage: true }), await staff.staffWith({})];
    await send();
    await runDueJobs(shop);
    for (const [person, why] of [
      [owner, "You're getting this because you own"],
      [reader, "You're getting this because you turned it on in your profile"],
    ] as const) {
      const [words, ...more] = staff.receivedBy(person);
      expect(more).toEqual([]);
      for (const fact of ['Subject: New message from Awa Ceesay', 'Reply-To: awa@example.com', 'Djar?', why])
        expect(words).toContain(fact);
    }
    for (const person of [silent, other]) expect(staff.receivedBy(person)).toEqual([]);
  });

  test('is not told to admins without a mail server; the owner’s email is then not sent', async () => {
    const owner = await shop.signIn({ role: 'ROLE_OWNER' });
    const reader = await staff.staffWith({ newMessage: true });
    await send();
    expect(await staff.mailsTo(reader, 'contact_received')).toEqual([]);
    await runDueJobs(shop);
    expect(await staff.mailsTo(owner, 'contact_received')).toMatchObject([{ state: 'sent', sentAt: null }]);
  });
});
