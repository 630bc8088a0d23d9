import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashPassword } from '../../../src/server/auth/factors/passwords';
import { longPassword } from '../../support/accounts';
import { forgetServer } from '../../support/emailSettings';
import { startMailServer, type MailServer } from '../../support/mailServer';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { dialog, fieldCalled, fill, miss, openTab, press, see, type Tab, until } from '../openTab';

const page = '/admin/settings/email';
const mailPassword = 'tarragon & thyme 3';

let shop: TestShop;
let server: MailServer;
let owner: Person;
let tab: Tab;
beforeAll(async () => {
  shop = await openOwnShop();
  server = await startMailServer({ login: { user: 'shop@example.com', password: mailPassword } });
});
beforeEach(async () => {
  owner = await shop.signIn({ role: 'ROLE_OWNER', passwordHash: await hashPassword(longPassword) });
});
afterEach(async () => {
  tab.close();
  await forgetServer(shop);
});
afterAll(async () => {
  await server.close();
  await shop.close();
});

const enterServer = async (password: string) => {
  await fill('Server', 'localhost');
  await fill('Security', 'none');
  await fill('Port', String(server.port));
  await fill('Username', 'shop@example.com');
  await fill('Password', password);
  await fill('From address', 'orders@example.com');
  await fill('Your password', longPassword);
  await press('Save and check');
};

test('the owner sets the mail server, sees that its login is wrong, and corrects it', async () => {
  tab = openTab(shop, page, { as: owner });
  await see("Email isn't set up. Customers get no receipts.");
  await miss('Send test email');
  await enterServer('wrong');
  await see(/No email is going out\. The mail server rejects the username or password\./);
  await see(/The mail server answered: .*535/);
  const ownPassword = await fieldCalled('Your password');
  await until(() => ownPassword.value === ''); // saved, so the form starts anew
  await fill('Password', mailPassword);
  await fill('Your password', longPassword);
  await press('Save and check');
  await see('The mail server works.');
  expect((await fieldCalled('Send to')).value).toMatch(/@/); // the owner's own
  await fill('Send to', 'isatou@example.com');
  await press('Send test email');
  await see('Sent. Check isatou@example.com.');
  await see(/The mail server answered: 250 /);
  expect(server.received.map(({ to }) => to)).toContainEqual(['isatou@example.com']);
});

test('the owner removes the mail server, and then none is set up', async () => {
  tab = openTab(shop, page, { as: owner });
  await enterServer(mailPassword);
  await see('The mail server works.');
  const ownPassword = await fieldCalled('Your password');
  await until(() => ownPassword.value === ''); // saved, so the form starts anew
  await press('Remove mail server');
  await see('Remove the mail server?');
  await press('Remove', await dialog());
  await see('Enter your current password');
  await fill('Your password', longPassword, await dialog());
  await press('Remove', await dialog());
  await see("Email isn't set up. Customers get no receipts.");
  await miss('Remove mail server');
  await miss('Send test email');
  expect(await fieldCalled('Server')).toMatchObject({ value: '' });
  const read = await shop.call('getEmailSettings', { as: owner });
  expect(read.data.email).toMatchObject({ host: '', state: 'none' });
  expect(tab.calls.filter(({ method }) => method === 'PUT')).toHaveLength(1); // the dialog saves nothing
});

test('a wrong own password is reported at its field, and nothing is saved', async () => {
  tab = openTab(shop, page, { as: owner });
  await fill('Server', 'smtp.example.com');
  await fill('Your password', 'not the password');
  await press('Save and check');
  await see("That password isn't right");
  const read = await shop.call('getEmailSettings', { as: owner });
  expect(read.data.email).toMatchObject({ host: '', state: 'none' });
});

test('while SMTP_URL sets the mail server, the page only shows it', async () => {
  shop.mail.mailer.fixed = { host: 'mail.example.com', port: 465, security: 'tls', sender: 'shop@example.com' };
  tab = openTab(shop, page, { as: owner });
  await see("SMTP_URL sets the mail server, so it can't be changed here.");
  await see('mail.example.com');
  await miss('Save and check');
  shop.mail.mailer.fixed = undefined;
});

test('the dashboard says that no email goes out, and leads the owner to the page', async () => {
  tab = openTab(shop, '/dashboard', { as: owner });
  await press('Set up email');
  await see('From address');
  tab.close();
  tab = openTab(shop, '/dashboard', { as: await shop.signIn({ role: 'ROLE_ADMIN' }) });
  await see("Email isn't set up. Customers get no receipts.");
  await miss('Set up email');
});
