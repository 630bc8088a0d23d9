import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { users } from '../../../src/server/db/schema/tables';
import { transact } from '../../../src/server/db/core/transact';
import { invitationTokenOf, longPassword, newStaff, otpOf } from '../../support/accounts';
import { newcomer } from '../../support/auth';
import { openShop, type Person, type TestShop } from '../../support/shop';
import {
  allowCallsElsewhere,
  box,
  bulkBar,
  choose,
  dialog,
  fieldCalled,
  fill,
  miss,
  openTab,
  press,
  see,
  type Tab,
  until,
} from '../openTab';

let shop: TestShop;
let tab: Tab;
let owner: Person;
beforeAll(async () => {
  shop = await openShop();
  allowCallsElsewhere(); // users log in before the first tab is open
});
beforeEach(async () => (owner = await shop.signIn({ role: 'ROLE_OWNER', fullName: 'Isatou Jallow' })));
afterEach(() => tab.close());
afterAll(() => shop.close());

const userOf = async (userId: string) => (await shop.db.select().from(users).where(eq(users.id, userId)))[0];
const roleOf = async (userId: string) => (await userOf(userId))?.role;
const isEnabled = async ({ userId }: Person) => (await userOf(userId))?.isEnabled;

test('several users are deactivated after asking, never the current one, and Undo reverts it', async () => {
  const [kumba, modou] = [
    await shop.signIn({ fullName: 'Kumba Bulkwood' }),
    await shop.signIn({ fullName: 'Modou Bulkwood' }),
  ];
  tab = openTab(shop, '/user/management?q=Bulkwood', { as: owner });
  for (const name of ['Kumba Bulkwood', 'Modou Bulkwood']) (await box(`Select ${name}`)).click();
  await press('Deactivate', bulkBar());
  await see('Deactivate 2 users?');
  await press('Deactivate', await dialog());
  await see('2 users deactivated');
  expect(await isEnabled(kumba)).toBe(false);
  await press('Undo');
  await see('2 users activated');
  expect(await isEnabled(modou)).toBe(true);
});

test('a user with an unconfirmed address cannot be made an admin, and the menu says why', async () => {
  const { email, userId } = await shop.signIn({ fullName: 'Awa Ceesay', isEmailProven: false });
  tab = openTab(shop, `/user/management?q=${email}`, { as: owner });
  await press('More actions for Awa Ceesay');
  await see("This user hasn't confirmed their email yet");
  expect(await roleOf(userId)).toBe('ROLE_CUSTOMER');
});

test('adding a user requires all the form’s fields, and for an admin a longer password', async () => {
  tab = openTab(shop, '/new/user', { as: owner });
  await press('Save');
  await see('Role is required');
  const email = `${crypto.randomUUID()}@example.com`;
  const values = { 'Full Name': 'Grace Okafor', Email: email, Role: 'ROLE_ADMIN', Password: 'short one' };
  const address = { 'Street address': '12 Market Street', City: 'Atlanta', State: 'GA', 'ZIP code': '30303' };
  for (const [label, value] of Object.entries({ ...values, ...address })) await fill(label, value);
  await fill('Confirm password', 'short one');
  await press('Save');
  await see('Password must be at least 12 characters');
  await fill('Password', 'a longer one for staff');
  await fill('Confirm password', 'a longer one for staff');
  await press('Save');
  await see('User created successfully!');
  await until(() => tab.path().startsWith('/user/management'));
  const [made] = await shop.db.select().from(users).where(eq(users.email, email));
  expect(made?.role).toBe('ROLE_ADMIN');
});

test('a user’s page shows missing data as N/A, and can log the user out', async () => {
  const { userId } = await shop.signIn({ fullName: 'Chef Amadou Njie' });
  tab = openTab(shop, `/admin/view/user/${userId}`, { as: owner });
  await see(/First nameChef.*Last nameAmadou Njie.*PhoneN\/A/);
  await press('Log out everywhere');
  await press('Log out everywhere', await dialog());
  await see('User logged out everywhere');
  await press('Deactivate');
  await press('Deactivate', await dialog());
  await see('User deactivated');
  await see('Inactive');
  await press('Activate');
  await see('User activated');
});

/** An admin who made another user staff. */
async function promoter() {
  const eve = await shop.signIn({ role: 'ROLE_ADMIN', fullName: 'Eve Njie' });
  const friend = await shop.signIn({ fullName: `Friend ${eve.userId.slice(0, 8)}` });
  await shop.call('updateUserRole', { as: eve, path: { userId: friend.userId }, query: { role: 'ROLE_ADMIN' } });
  return { eve, friend: { ...friend, fullName: `Friend ${eve.userId.slice(0, 8)}` } };
}

test('the owner who demotes an admin sees whom that admin made staff, and can undo it', async () => {
  const { eve, friend } = await promoter();
  tab = openTab(shop, `/user/management?q=${eve.email}&role=ROLE_ADMIN`, { as: owner });
  await press('More actions for Eve Njie');
  await choose('User');
  await see('These accounts are still staff');
  await see(`Promoted to staff by Eve Njie${friend.fullName}AdminActive`);
  await press(`Change to User: ${friend.fullName}`, await dialog());
  await see('User role updated to User');
  await until(() => document.querySelector('[role=dialog]') === null); // none is left
  expect(await roleOf(friend.userId)).toBe('ROLE_CUSTOMER');
});

test('the owner who deactivates an admin sees it too, and the page of the account lists it later', async () => {
  const { eve, friend } = await promoter();
  tab = openTab(shop, `/user/management?q=${eve.email}`, { as: owner });
  await press('More actions for Eve Njie');
  await press('Deactivate');
  await press('Deactivate', await dialog());
  await see('These accounts are still staff');
  await press('Close', await dialog());
  await tab.go(`/admin/view/user/${eve.userId}`);
  await see(`Promoted to staff by Eve Njie${friend.fullName}AdminActive`);
  await press(`Deactivate ${friend.fullName}`);
  await see(`${friend.fullName}AdminInactive`);
});

test('nobody edits another user’s address', async () => {
  const ana = await shop.signIn();
  tab = openTab(shop, `/admin/view/user/${ana.userId}`, { as: owner });
  await see('Street addressN/A');
  await miss('Add address');
});

test('staff set up two-step login and change the password without leaving the back office', async () => {
  const as = await newStaff(shop);
  tab = openTab(shop, '/admin/view/profile', { as });
  await press('Two-step login');
  await until(() => tab.path() === '/admin/edit/second-factor');
  await see('Two-step login');
  await fill('Password', longPassword);
  await press('Set up');
  const key = /Key: ([A-Z2-7]{16,})/.exec(await see(/Key: [A-Z2-7]{16,}/))?.[1] ?? '';
  await fill('Code', otpOf(shop, key));
  await press('Confirm');
  await see("You won't see them again.");
  await press("I've saved them");
  await until(() => tab.path() === '/admin/view/profile');
  await press('Change password');
  await until(() => tab.path() === '/admin/edit/password');
  await fill('Current password', longPassword);
  await fill('New password', `${longPassword} 2`);
  await fill('Confirm password', `${longPassword} 2`);
  await press('Change password', document.querySelector('main form') ?? document);
  await until(() => tab.path() === '/admin/view/profile');
});

test('an address typed by staff is restored after a login in between', async () => {
  const as = await newStaff(shop);
  tab = openTab(shop, '/admin/view/profile', { as });
  await press('Edit address');
  await fill('Street address', '7 Baobab Road');
  await transact(shop.db, (tx) => shop.sessions.endAllOf(tx, as.user.id, 'password_changed'));
  await press('Save address');
  await until(() => tab.path().startsWith('/login'));
  await fill('Email', as.user.email);
  await fill('Password', longPassword);
  await press('Log in', document.querySelector('main form') ?? document);
  await until(() => tab.path() === '/admin/view/profile');
  expect((await fieldCalled('Street address')).value).toBe('7 Baobab Road');
  await press('Save address');
  await see('Address updated');
  await see('Street address7 Baobab Road');
});

test('staff invite a person, who chooses a password and logs in', async () => {
  const { email } = newcomer();
  tab = openTab(shop, '/user/management', { as: owner });
  await press('Invite staff');
  await fill('Full Name', 'Awa Invited');
  await fill('Email', 'not an address');
  await press('Send invitation', await dialog());
  await see('Invalid email address');
  await fill('Email', email);
  await press('Send invitation', await dialog());
  await see('Invitation sent');
  tab.close();
  tab = openTab(shop, `/invitation#token=${await invitationTokenOf(shop, email)}`);
  await fill('Password', longPassword);
  await fill('Confirm password', longPassword);
  await until(() => tab.path() === '/invitation');
  await press('Save password');
  await until(() => tab.path() === '/login');
  await see('Your account is ready.');
  expect((await fieldCalled('Email')).value).toBe(email);
  await fill('Password', longPassword);
  await press('Log in', document.querySelector('main form') ?? document);
  await until(() => tab.path() === '/dashboard');
});

test('an invitation that is spent says what to do', async () => {
  tab = openTab(shop, '/invitation#token=spent');
  await fill('Password', longPassword);
  await fill('Confirm password', longPassword);
  await press('Save password');
  await see('Ask for a new one.');
  tab.close();
  tab = openTab(shop, '/invitation');
  await see('Open the link in the email we sent you.');
});
