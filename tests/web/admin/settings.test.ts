import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import changelog from '../../../CHANGELOG.md?raw';
import { version as packaged } from '../../../package.json';
import { defaultSchedule } from '../../../src/shared/backups';
import { version } from '../../../src/shared/version';
import { settingNames, settingNamesOf } from '../../../src/shared/settingFields';
import { parseChangelog } from '../../../src/web/admin/settings/changelog';
import { settingsPlaces } from '../../../src/web/admin/settings/places';
import { longPassword, newStaff, switchOnFactor } from '../../support/accounts';
import { openOwnShop, type Person, type TestShop } from '../../support/shop';
import { box, control, dialog, fieldCalled, fill, miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let owner: Person;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(async () => (owner = await shop.signIn({ role: 'ROLE_OWNER' })));
afterEach(() => tab.close());
afterAll(() => shop.close());

const inShopTime = (at: string) =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'America/New_York',
    timeZoneName: 'short',
  }).format(new Date(at));

test('the hub leads to each page of the settings, and each page back to the hub', async () => {
  for (const { to, label } of settingsPlaces) {
    tab = openTab(shop, '/admin/settings', { as: owner });
    const card = () => document.querySelector<HTMLElement>(`nav[aria-label=Settings] a[href="${to}"]`);
    await until(() => card() !== null);
    card()?.click();
    await until(() => tab.path() === to);
    await until(() => document.querySelector('h1')?.textContent === label);
    await press('Settings', document.querySelector('main') ?? document);
    await until(() => tab.path() === '/admin/settings');
    tab.close();
  }
});

test('a card says what is so, and whether it needs attention; so does the list beside the pages', async () => {
  await shop.call('createDeliveryMethod', { as: owner, body: { name: 'Standard', price: 5 } });
  tab = openTab(shop, '/admin/settings', { as: owner });
  await press('Email Not set up Attention');
  await control('General, needs attention');
  await press('Payments, needs attention');
  await press('Delivery');
  await until(() => tab.path() === '/admin/delivery');
  await press('Settings', document.querySelector('main') ?? document);
  await control('Payments Test mode Attention');
  await control('Sales tax Rates by state, tax collected Attention');
  await control('Backups No backup yet Attention');
  await press('Delivery 1 method');
  await until(() => tab.path() === '/admin/delivery');
  await shop.pool.query('delete from delivery_methods');
});

test('each setting is on a page of the hub, and only the name is on two', () => {
  const shown = settingsPlaces.flatMap(({ section }) => (section ? settingNamesOf(section) : []));
  expect(shown.toSorted()).toEqual([...settingNames, 'shopName'].toSorted());
});

test('checkout and staff have their own settings, which an admin can read', async () => {
  tab = openTab(shop, '/admin/settings/checkout', { as: owner });
  expect((await fieldCalled('First-order limit')).value).toBe('99');
  await miss('Shop name');
  tab.close();
  tab = openTab(shop, '/admin/settings/staff', { as: await shop.signIn({ role: 'ROLE_ADMIN' }) });
  await see('Only the owner can change settings.');
  await see(/Two-step login for staff\s*Not required/);
  await miss('Save');
});

test('Payments shows the mode and the address for the provider, and checks the key on request', async () => {
  tab = openTab(shop, '/admin/settings/payments', { as: owner });
  await see('Test mode');
  await see('Not heard yet.');
  expect((await fieldCalled('Address')).value).toMatch(/\/api\/payments\/webhook$/);
  await press('Check now');
  await see('Payments checked');
  await see(/Accepted \w{3} \d+, \d+:\d\d [AP]M E[SD]T/); // the shop's time, wherever the reader is
});

test('Backups makes a backup now, shows that it was read back, and how to restore it', async () => {
  await shop.pool.query('delete from backups');
  tab = openTab(shop, '/admin/settings/backups', { as: owner });
  await see('Your shop has no backup yet. The first one is made at 3:00 AM.');
  await press('Back up now');
  await see('Waiting');
  await until(() => document.querySelector('main [aria-busy=true]')?.textContent === 'Backing up…');
  await shop.jobs.runBackups();
  await see(/Your shop is backed up\. Last backup: .+, just now, verified\./);
  await see(/By Example Customer\s*\d+ MB\s*Verified/);
  const [{ startedAt, folder } = { startedAt: '', folder: null }] = (await shop.call('listBackups', { as: owner })).data
    .backups;
  await press(`Restore backup of ${inShopTime(startedAt)}`);
  await see(`npm run restore -- "${folder}"`);
});

test('a backup is downloaded with the password, and with a code if the owner has two-step login', async () => {
  const person = await newStaff(shop, 'ROLE_OWNER');
  const { data } = await shop.call('startBackup', { as: owner });
  await shop.jobs.runBackups();
  const button = `Download backup of ${inShopTime(data.backup.startedAt)}`;
  const clicked: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push(this.href);
  });
  tab = openTab(shop, '/admin/settings/backups', { as: person });
  await press(button);
  await fill('Password', 'not the password');
  await press('Download', await dialog());
  await see('That password isn');
  await fill('Password', longPassword);
  await press('Download', await dialog());
  await until(() => clicked.length === 1);
  click.mockRestore();
  const { pathname, search } = new URL(clicked[0] ?? '');
  const cookie = [...tab.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const file = await shop.app.inject({ method: 'GET', url: pathname + search, headers: { cookie } });
  expect(file.headers['content-disposition']).toMatch(/^attachment; filename=".+\.tar"$/);
  tab.close();
  await switchOnFactor(shop, person, longPassword);
  tab = openTab(shop, '/admin/settings/backups', { as: person });
  await press(button);
  await fill('Password', longPassword);
  await press('Download', await dialog());
  await see('Enter a code');
});

test('the owner says when the shop is backed up and how many backups are kept', async () => {
  tab = openTab(shop, '/admin/settings/backups', { as: owner });
  await fill('Days to keep', '0');
  await press('Save');
  await see('Enter a whole number of days from 1 to 60');
  await fill('At', '22');
  await fill('Days to keep', '14');
  (await box('Back up every night')).click();
  await press('Save');
  await see('Schedule saved');
  await see("Your shop isn't backed up every night.");
  const { schedule } = (await shop.call('listBackups', { as: owner })).data;
  expect(schedule).toEqual({ isOn: false, hour: 22, days: 14, weeks: 4 });
  await shop.call('setBackups', { as: owner, body: defaultSchedule });
});

test('a saved form can be left at once, before what shows it is read again', async () => {
  tab = openTab(shop, '/admin/settings/general', { as: owner });
  await fill('Low stock', '7');
  await until(() => tab.isAtRest());
  let isSaved = false;
  const never = new Promise<void>(() => undefined);
  tab.network.delays = ({ method, url }) => {
    const isLate = isSaved && method === 'GET' && url.endsWith('/api/admin/settings');
    isSaved ||= method === 'PUT';
    return isLate ? never : undefined;
  };
  await press('Save');
  await see('Settings saved');
  await press('Brand, needs attention');
  await until(() => tab.path() === '/admin/settings/brand' || document.body.textContent.includes('Leave without'));
  await miss('Leave without saving?');
  tab.network.delays = () => undefined;
});

test('an address of the settings without a page says so', async () => {
  tab = openTab(shop, '/admin/settings/nothing', { as: owner });
  await see('404 not found');
});

test('About shows the version and what changed in it', async () => {
  tab = openTab(shop, '/admin/settings/about', { as: owner });
  await see(`Version ${version}`);
  await see('Staff roles for owner and admins, with a required second factor if the owner wants it.');
});

test('the change log has at least one item per part, and its newest released version is that of the shop', () => {
  const releases = parseChangelog(changelog);
  expect(releases.find((release) => release.version !== 'Unreleased')?.version).toBe(version);
  expect(packaged).toBe(version);
  for (const { parts } of releases)
    for (const { title, items } of parts) {
      expect(title).toMatch(/^[A-Z][a-z]+$/);
      expect(items.length).toBeGreaterThan(0);
      for (const item of items)
        expect(item, 'an item without markup, which the page would not render').not.toMatch(/[`*[\]]/);
    }
});

test('Settings and the dashboard lead to the open steps, and an admin has no button for the owner’s', async () => {
  tab = openTab(shop, '/dashboard', { as: owner });
  await see(/Go live: \d of 11 done/);
  await press('Set name and logo');
  await until(() => tab.path() === '/admin/settings/brand');
  tab.close();
  tab = openTab(shop, '/admin/settings', { as: owner });
  await press(/Go live: \d of 11 done/.exec(await see('Next: Contact info'))?.[0] + ' Next: Contact info');
  await press('Set sales tax');
  await until(() => tab.path() === '/admin/tax');
  tab.close();
  tab = openTab(shop, '/admin/settings/go-live', { as: await shop.signIn({ role: 'ROLE_ADMIN' }) });
  await see(/Sales tax: open\s*No state has a tax rate yet\..+ sales tax\.\s*Set sales tax/);
  await see(/Name and logo: open\s*The shop still has the sample name and no logo\.\s*Only the owner can change/);
  await miss('Set name and logo');
});

test('a shop that collects no sales tax says so with a press, and takes it back with another', async () => {
  tab = openTab(shop, '/admin/tax', { as: await shop.signIn({ role: 'ROLE_ADMIN' }) });
  await see("No state has a tax rate yet. If you don't collect sales tax, confirm it.");
  await miss("We don't collect sales tax");
  tab.close();
  tab = openTab(shop, '/admin/tax', { as: owner });
  await press("We don't collect sales tax");
  await see("You don't collect sales tax.");
  const { health } = (await shop.call('getHealthReport', { as: owner })).data;
  expect(health.find(({ check }) => check === 'details')?.sentence).not.toContain('sales tax');
  await press('Undo');
  await see('confirm it');
  await shop.call('setTaxRate', { as: owner, path: { state: 'GA' }, body: { rate: 4 } });
  tab.close();
  tab = openTab(shop, '/admin/tax', { as: owner });
  await see('Collecting in 1 state');
  await miss("We don't collect sales tax");
  await shop.call('removeTaxRate', { as: owner, path: { state: 'GA' } });
});

test('Health has a dot for the owner while something needs attention, and moving between pages asks once', async () => {
  tab = openTab(shop, '/admin/settings', { as: owner });
  await control('Health, needs attention');
  await tab.go('/admin/discounts');
  await see('No discount codes found.');
  await tab.go('/admin/tax');
  await press("We don't collect sales tax");
  await press('Undo');
  await see('confirm it');
  expect(tab.calls.filter(({ path }) => path === '/admin/health')).toHaveLength(1);
  tab.close();
  tab = openTab(shop, '/admin/settings', { as: await shop.signIn({ role: 'ROLE_ADMIN' }) });
  await see('Next: Contact info');
  expect(tab.calls.filter(({ path }) => path === '/admin/health')).toEqual([]);
});

test('health says first what needs attention, and looks again when asked', async () => {
  tab = openTab(shop, '/admin/health', { as: owner });
  await see(/[2-9] things need attention\./);
  await see('Not set yet: your contact info, delivery, sales tax.');
  await shop.call('createDeliveryMethod', { as: owner, body: { name: 'Standard', price: 5 } });
  await press('Check again');
  await see('Not set yet: your contact info, sales tax.');
  const rows = [...document.querySelectorAll('main li')].map(({ textContent }) => textContent.endsWith('All right'));
  expect(rows.indexOf(true)).toBeGreaterThan(rows.lastIndexOf(false));
});
