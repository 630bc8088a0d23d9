import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mails } from '../../../src/server/db/schema/tables';
import { paidOrder, until } from '../../support/buying';
import { forgetServer, someServer } from '../../support/emailSettings';
import { mailsOf, runDueJobs } from '../../support/mails';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { control, fieldCalled, fill, openTab, press, see, type Tab } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterEach(async () => {
  tab.close();
  shop.mail.mailer.fixed = undefined;
  await forgetServer(shop);
});
afterAll(() => shop.close());

const saved = async (as: Person) =>
  (await shop.call('getStaffMails', { as, path: { userId: as.userId } })).data.staffMails;
const isOn = async (name: string) => (await control(name)).getAttribute('aria-checked') === 'true';

test('staff choose in their profile which emails they get, and each choice is saved', async () => {
  shop.mail.mailer.fixed = someServer;
  const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
  tab = openTab(shop, '/admin/view/profile', { as: admin });
  await see('Email notifications');
  await see(`We send these to ${admin.email}.`);
  expect(await isOn('Low stock by email')).toBe(false);
  await fill('New orders', 'daily');
  await press('Low stock by email'); // while the first choice is being saved
  await press('New messages by email');
  const all = { newOrder: 'daily', lowStock: true, newMessage: true };
  await until(async () => expect(await saved(admin)).toEqual(all));
  expect((await fieldCalled('New orders')).value).toBe('daily');
  expect(await isOn('New messages by email')).toBe(true);
});

test('an owner sees that no email goes out without a mail server', async () => {
  tab = openTab(shop, '/admin/view/profile', { as: await shop.signIn({ role: 'ROLE_OWNER' }) });
  await see("Email isn't set up, so these emails aren't sent.");
  expect(await isOn('New messages by email')).toBe(true);
});

test('staff send an email that was not sent again, from the page of its order', async () => {
  const { orderId } = await paidOrder(shop);
  await runDueJobs(shop);
  const [mail] = await mailsOf(shop, orderId);
  tab = openTab(shop, `/admin/orders/${orderId}`, { as: await shop.signIn({ role: 'ROLE_ADMIN' }) });
  await see('Email not sent: Order confirmation');
  await press('Send again: Email not sent: Order confirmation');
  await see("We'll send the email again");
  await see('Email waiting: Order confirmation');
  expect(
    await shop.db
      .select()
      .from(mails)
      .where(eq(mails.id, mail?.id ?? '')),
  ).toMatchObject([{ state: 'waiting' }]);
});
