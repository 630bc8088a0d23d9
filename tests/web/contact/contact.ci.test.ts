import { QueryClient } from '@tanstack/react-query';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { contactMessages } from '../../../src/server/db/schema/tables';
import { defaultShop } from '../../../src/shared/brand';
import { contactFormMessages } from '../../../src/shared/contact';
import { logoutMessages } from '../../../src/shared/authMessages';
import { defaultSettings } from '../../../src/shared/settings';
import { ApiError } from '../../../src/web/server/errors';
import { session } from '../../../src/web/server/session';
import { operations } from '../../../src/web/app/operations';
import { Sender } from '../../../src/web/outbox/sender';
import { visitor } from '../../../src/web/outbox/entry';
import { joinBy, storeInMemory } from '../../../src/web/outbox/storage';
import { reachability } from '../../../src/web/server/reachability';
import { takePageData, writePageData } from '../../../src/web/app/pageData';
import { shopQuery } from '../../../src/web/settings/queries';
import { logIn, newCustomer, openAccount } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';
import { control, fieldCalled, fill, miss, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openOwnShop()));
afterEach(() => tab.close());
afterAll(() => shop.close());

const main = () => document.querySelector('main') ?? document;
const kept = () => shop.db.select().from(contactMessages);

async function write(reason: string) {
  await fill('Full Name', 'Example Cook');
  await fill('Email', 'cook@example.com');
  await fill('Message', reason);
}

test('a message is sent and acknowledged', async () => {
  tab = openTab(shop, '/contact');
  await write('Do you sell djar by the kilo?');
  await press('Send', main());
  await until(() => tab.path() === '/thankyoupage');
  await see('Thanks for your message!');
  await control('Home', main());
  expect(await kept()).toMatchObject([{ email: 'cook@example.com', reason: 'Do you sell djar by the kilo?' }]);
  await tab.go('/contact');
  expect((await fieldCalled('Message')).value).toBe('');
});

test('email and message are required and marked, and nothing else', async () => {
  tab = openTab(shop, '/contact');
  for (const [label, isNeeded] of Object.entries({ 'Full Name': null, Email: 'true', Phone: null, Message: 'true' }))
    expect((await fieldCalled(label)).getAttribute('aria-required'), label).toBe(isNeeded);
  await press('Send', main());
  await see('Email is required');
  await see('Enter a message');
  await fill('Email', 'nobody');
  await see('Invalid email address');
  expect(tab.calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('a value in the hidden field marks a robot', async () => {
  tab = openTab(shop, '/contact');
  await write('Buy my search engine optimisation');
  const trap = (await fieldCalled('Website')) as HTMLInputElement;
  expect(trap.tabIndex).toBe(-1);
  await fill('Website', 'https://example.com');
  await press('Send', main());
  await until(() => tab.path() === '/thankyoupage');
  expect((await kept()).map(({ reason }) => reason)).not.toContain('Buy my search engine optimisation');
});

test('a failed message is reported above the button and as a toast, and the text stays', async () => {
  tab = openTab(shop, '/contact');
  await write('This will fail');
  tab.network.answers = (pathname) =>
    pathname.endsWith('/contact/create')
      ? new Response(JSON.stringify({ code: 'too_many_attempts', message: 'Please wait a moment' }), {
          status: 429,
          headers: { 'content-type': 'application/problem+json' },
        })
      : undefined;
  await press('Send', main());
  await until(() => main().querySelector('[role=alert]')?.textContent === 'Please wait a moment');
  await until(() => (document.body.textContent ?? '').split('Please wait a moment').length >= 3);
  expect((await fieldCalled('Message')).value).toBe('This will fail');
  expect(tab.path()).toBe('/contact');
});

test('a failed message is not acknowledged, even if the device is read just when it is withdrawn', async () => {
  const storage = storeInMemory(joinBy(operations));
  const core = new Sender({
    operations,
    storage: {
      ...storage,
      async remove(keys) {
        await storage.remove(keys);
        await core.reload(); // as another tab does at any moment
      },
    },
    send: () => [Promise.reject(new ApiError(429, { code: 'too_many_attempts', message: 'Please wait a moment' }))],
    lock: (work) => work(),
    owner: () => undefined,
    cache: () => undefined,
    notifyOthers: () => undefined,
    isOnline: () => true,
    probe: async () => true,
    confirm: async () => true,
    later: () => undefined,
    pause: () => undefined,
    show: () => undefined,
    offerReload: () => undefined,
  });
  const message = {
    userId: visitor,
    message: { fullName: '', email: 'cook@example.com', phone: '', reason: 'This will fail' },
  };
  const sent = core.send({
    key: crypto.randomUUID(),
    userId: visitor,
    state: 'waiting',
    wasSent: false,
    madeAt: Date.now(),
    operation: 'createContactMessage',
    input: message,
  });
  await expect(sent).rejects.toThrow('Please wait a moment');
});

test('without a connection a message is queued, and acknowledged once it was sent', async () => {
  tab = openTab(shop, '/contact');
  await write('From the cellar');
  tab.network.breaks = /./;
  await reachability.probe();
  await press('Send', main());
  await see("We'll send it when you're back online");
  expect(tab.path()).toBe('/contact');
  const reason = await fieldCalled('Message');
  await until(() => reason.value === '');
  expect((await kept()).map(({ reason }) => reason)).not.toContain('From the cellar');
  tab.network.breaks = undefined;
  await reachability.probe();
  await until(() => tab.path() === '/thankyoupage');
  await miss('will be sent');
  expect((await kept()).filter(({ reason }) => reason === 'From the cellar')).toHaveLength(1);
});

test('the acknowledgment of a queued message leaves the page alone while another one is typed', async () => {
  await openWithWaitingMessage('From the cellar');
  const reason = await fieldCalled('Message');
  await until(() => reason.value === '');
  await write('One more thing');
  tab.network.breaks = undefined;
  await reachability.probe();
  await see(contactFormMessages.sentText);
  expect([tab.path(), reason.value]).toEqual(['/contact', 'One more thing']);
});

async function openWithWaitingMessage(reason: string) {
  const awa = await newCustomer(shop);
  tab = openTab(shop, '/contact', { as: awa });
  await write(reason);
  tab.network.breaks = /./;
  await reachability.probe();
  await press('Send', main());
  await see("We'll send it when you're back online");
  return awa;
}

/** All pages that the tab shows until it has been at `last`. */
async function placesUntil(last: () => Promise<unknown>): Promise<string[]> {
  const places: string[] = [];
  const timer = setInterval(() => places.push(tab.path()), 1);
  await last().finally(() => clearInterval(timer));
  return places;
}

test('a message discarded with the logout is not acknowledged', async () => {
  await openWithWaitingMessage('Never mind');
  await press('Account settings');
  await press('Logout');
  const places = await placesUntil(async () => {
    await press(logoutMessages.discard);
    await until(() => tab.path() === '/');
  });
  expect(places).not.toContain('/thankyoupage');
});

test('a queued message is not acknowledged when its session ends', async () => {
  await openWithWaitingMessage('Still here');
  const places = await placesUntil(async () => {
    session.clear();
    await miss("We'll send it when you're back online");
    await tab.go('/register');
    await see('Have an account?');
  });
  expect(places).not.toContain('/thankyoupage');
});

test('the text is restored after a login in between, and for no other user', async () => {
  const awa = await openAccount(shop);
  tab = openTab(shop, '/contact');
  await write('Do you ship to Basse?');
  await tab.go('/login?redirect=/contact');
  await fill('Password', awa.password);
  await fill('Email', awa.email);
  await press('Log in', document.querySelector('main form') ?? document);
  await until(() => tab.path() === '/contact');
  expect((await fieldCalled('Message')).value).toBe('Do you ship to Basse?');
  expect((await fieldCalled('Full Name')).value).toBe('Example Cook');
  await tab.go('/');
  session.clear();
  await tab.go('/contact');
  expect((await fieldCalled('Message')).value).toBe('');
});

test('text typed on this page is gone after the user’s logout', async () => {
  const awa = await openAccount(shop);
  tab = openTab(shop, '/contact', { as: await logIn(shop, awa) });
  await write('My blood pressure and your salt');
  await press('Account settings');
  await press('Logout');
  await until(() => tab.path() === '/');
  await tab.go('/contact');
  expect((await fieldCalled('Message')).value).toBe('');
  const ben = await newCustomer(shop);
  session.set(ben.user);
  expect((await fieldCalled('Message')).value).toBe('');
  session.clear();
  await tab.go('/');
  session.set({ id: awa.id, fullName: 'Awa', role: 'ROLE_CUSTOMER' });
  await tab.go('/contact');
  expect((await fieldCalled('Message')).value).toBe('');
});

test('a text is not shown to the user that another tab logs in', async () => {
  const [awa, ben] = [await newCustomer(shop), await newCustomer(shop)];
  tab = openTab(shop, '/contact', { as: awa });
  await write('Only for the owner');
  session.set(ben.user);
  await vi.waitFor(async () => expect((await fieldCalled('Message')).value).toBe(''), waiting);
  expect((await fieldCalled('Email')).value).toBe('');
  await tab.go('/');
  session.set(awa.user);
  await tab.go('/contact');
  expect((await fieldCalled('Message')).value).toBe('');
});

test('the shop shows the owner’s name and contact details, also without a connection', async () => {
  const owner = await shop.signIn({ role: 'ROLE_OWNER' });
  const facts = { shopName: 'Kerr Spices', contactEmail: 'kerr@example.com', contactPhone: '' };
  await shop.call('updateSettings', { as: owner, body: { ...defaultSettings, ...facts } });
  const messages = async () => {
    await expect.poll(() => document.title).toBe('Contact | Kerr Spices');
    expect(await see(`© ${new Date().getFullYear()} Kerr Spices`)).not.toContain('555');
    expect(document.querySelectorAll('a[href="mailto:kerr@example.com"]')).toHaveLength(2);
  };
  tab = openTab(shop, '/contact');
  await messages();
  tab.close();
  tab.network.isDown = true;
  tab = openTab(shop, '/contact', { after: tab });
  await messages();
  await shop.call('updateSettings', { as: owner, body: defaultSettings });
});

test('shop details included in a page are not requested again', async () => {
  const cache = new QueryClient();
  cache.setQueryData(shopQuery.queryKey, { ...defaultShop, name: 'Kerr Spices' });
  for (const isDrawn of [true, false]) {
    const block = document.body.appendChild(document.createElement('div'));
    block.innerHTML = writePageData(cache, isDrawn);
    const other = new QueryClient();
    expect(takePageData(other)).toBe(isDrawn);
    expect(await other.fetchQuery(shopQuery)).toMatchObject({ name: 'Kerr Spices' });
    block.remove();
  }
});
