/**
 * The built shop as a new user starts it, on its own data folder, for all tests of a worker. Every page's console is
 * watched: an error in it fails the test, unless the test says that it provokes one.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AnswerOf } from '../../src/shared/contract';
import {
  type APIResponse,
  test as base,
  type BrowserContext,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
  type Request,
} from 'playwright/test';
import { wordsOf } from '../support/mailWords';
import { createShop, ownerAccount, type RunningShop } from './runningShop';

export { expect };
export { ofTheMachine, ownerAccount, type RunningShop, saysOpen } from './runningShop';
type Watch = { expected: RegExp[] };
type Signed = Awaited<ReturnType<BrowserContext['storageState']>>;

export const test = base.extend<{ watch: Watch }, { shop: RunningShop; customer: Signed; owner: Signed }>({
  shop: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the names of what a fixture needs
    async ({}, provide) => {
      const shop = await createShop();
      await shop.start();
      await provide(shop);
      await shop.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  /** A signed-in, proven user with two products in the cart; for tests that change none of it. */
  customer: [
    async ({ browser, shop }, provide) => {
      const page = await browser.newPage({ baseURL: shop.url });
      const { email } = await signIn(page);
      const token = new URLSearchParams(new URL(await proofLinkTo(shop, email)).hash.slice(1)).get('token');
      await sendAs(page, 'email/prove', { token }, { origin: shop.url }); // as a page of the shop, in this session
      await page.goto('/products/savory');
      for (const name of ['Afra Grill Rub', 'Peppersoup Blend']) {
        await page.getByRole('button', { name: `Add ${name} to cart` }).click();
      }
      await expect(page.getByRole('link', { name: 'Cart, 2 items' })).toBeVisible();
      await page.waitForLoadState('networkidle');
      await provide(await page.context().storageState());
      await page.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  owner: [
    async ({ browser, shop }, provide) => {
      await shop.start(); // an earlier test may have killed it
      const page = await browser.newPage({ baseURL: shop.url });
      await signInAs(page, ownerAccount);
      await provide(await page.context().storageState());
      await page.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ shop }, provide) => provide(shop.url),
  watch: [
    async ({ context, shop }, provide) => {
      await shop.start(); // an earlier test may have killed it
      const watch: Watch = { expected: [] };
      const heard = listenTo(context);
      const delayed = listenToDelays(context);
      await provide(watch);
      const isExpected = (text: string) =>
        watch.expected.some((pattern) => pattern.test(text)) || delayed.some((message) => text.includes(message));
      expect(heard.filter((text) => !isExpected(text))).toEqual([]);
    },
    { auto: true },
  ],
});

/** Chromium's and Firefox's message about a request whose page has been left. */
const hasMovedOn = /^(?:net::ERR_ABORTED|NS_BINDING_ABORTED|NS_ERROR_NET_PARTIAL_TRANSFER)$/;
/**
 * Firefox's, where a worker was answering it. For a response that the worker itself fails to give it has other words.
 */
const movedOnFromWorker = 'A ServiceWorker intercepted the request and encountered an unexpected error.';
/** And for a font: NS_BINDING_ABORTED as a number. For an unavailable font it has others. */
const movedOnFromFont = /^download failed \(font-family: .{1,200}: status=2152398850 source: /;

/** @returns the live list of complaints of a page, or of a context's pages: errors, warnings, failed calls */
export function listenTo(source: BrowserContext | Page): string[] {
  const heard: string[] = [];
  const hear = (text: string, place = '') => {
    if (!text.endsWith(movedOnFromWorker) && !movedOnFromFont.test(text)) heard.push(text + place);
  };
  const onConsole = (message: ConsoleMessage) => {
    if (message.text() === 'Service Worker registration blocked by Playwright') return; // as configured in playwright.config.ts
    if (message.type() === 'error' || message.type() === 'warning')
      hear(message.text(), ` (${message.location().url})`);
  };
  const onError = ({ message, stack }: Error) => hear(message || String(stack));
  const onFailure = (request: Request) => {
    const reason = request.failure()?.errorText ?? '';
    if (!hasMovedOn.test(reason)) hear(reason, ` (${request.url()})`);
  };
  if ('goto' in source) source.on('console', onConsole).on('requestfailed', onFailure).on('pageerror', onError);
  else {
    source.on('console', onConsole).on('requestfailed', onFailure);
    source.on('weberror', (error) => onError(error.error()));
  }
  return heard;
}

/**
 * On a very busy machine the database may take longer than a call may wait: a read is then answered with a Retry-After,
 * and the app retries. A change rejected this way stays an error here. Rule: docs/rules/running.md, Overload
 * @returns the live list of console messages about such reads
 */
function listenToDelays(context: BrowserContext): string[] {
  const delayed: string[] = [];
  context.on('response', (response) => {
    const isRead = response.request().method() === 'GET' && response.url().includes('/api/');
    if (isRead && response.status() === 503 && response.headers()['retry-after'])
      delayed.push(`status of 503 (Service Unavailable) (${response.url()})`);
  });
  return delayed;
}

/** A page is rendered before its app is loaded: until then a link loads another page instead of switching views. */
export const untilAlive = (page: Page) =>
  page.waitForFunction(() => {
    const main = document.querySelector('main');
    return main !== null && Object.keys(main).some((key) => key.startsWith('__reactProps'));
  });

/** Keeps a toast until its page is left. Moving the pointer onto it may take longer than it is shown. */
export const keepToast = (toast: Locator) => toast.dispatchEvent('mouseover');

/** In Chromium: all of the browser; they restart on demand. */
export async function endWorkers(page: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('ServiceWorker.enable');
  await tools.send('ServiceWorker.stopAllWorkers');
  await tools.detach();
}

export type Account = { fullName: string; email: string; password: string };
let accounts = 0;
export const newAccount = (): Account => ({
  fullName: 'Example Cook',
  email: `cook-${Date.now()}-${accounts++}@example.com`,
  password: 'pepper and salt',
});

/** A new account, by a call: nobody is signed in. */
export async function makeAccount(page: Page, fullName = 'Example Cook'): Promise<Account> {
  const account = { ...newAccount(), fullName };
  await sendAs(page, 'register', { ...account, confirmPassword: account.password, ...address });
  return account;
}

/** A new user, signed in in this browser: its cookies, and the tab's record of the user. Forms have their own tests. */
export async function signIn(page: Page): Promise<Account> {
  const account = await makeAccount(page);
  await signInAs(page, account);
  return account;
}

/** The same for an existing account. */
export async function signInAs(page: Page, { email, password }: Pick<Account, 'email' | 'password'>): Promise<void> {
  const answer = await sendAs(page, 'login', { email, password });
  const { data } = (await answer.json()) as AnswerOf<'login'>;
  const { id, fullName, role } = data.authResponse.user;
  await openEmptyPage(page);
  await page.evaluate((kept) => localStorage.setItem('root', kept), JSON.stringify({ id, fullName, role }));
}

/** A page of the shop's origin without the app. */
export async function openEmptyPage(page: Page): Promise<void> {
  const empty = '**/empty-page';
  await page.route(empty, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }),
  );
  await page.goto('/empty-page');
  await page.unroute(empty);
}

const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };

type AuthCall = 'register' | 'login' | 'email/prove';

async function sendAs(page: Page, call: AuthCall, data: object, headers = {}): Promise<APIResponse> {
  const answer = await page.request.post(`/api/auth/${call}`, { data, headers });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer;
}

/** @returns the link that proves a user's address, from the mail that the shop sent at registration */
export async function proofLinkTo({ mails }: Pick<RunningShop, 'mails'>, email: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => (link = (await mailsTo(mails, email)).map(proofLinkIn).find(Boolean)), {
      message: `a link for ${email}`,
      timeout: 90_000, // several shops that start at the same time share the processor
    })
    .toBeTruthy();
  return link ?? '';
}

async function mailsTo(folder: string, email: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []); // created with the first mail
  const sources = names
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFile(path.join(folder, name), 'utf8'));
  return (await Promise.all(sources)).map(wordsOf).filter((source) => source.includes(email));
}

const proofLinkIn = (words: string) => /http\S{1,100}\/confirm-email#token=[\w-]{1,512}/.exec(words)?.[0];

/** Fills in the form on /register. */
export async function register(page: Page, { fullName, email, password }: Account): Promise<void> {
  await page.getByLabel('Full Name').fill(fullName);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(password);
  await page.getByLabel('Street address').fill(address.street);
  await page.getByLabel('City').fill(address.city);
  await page.getByLabel('State').selectOption(address.state);
  await page.getByLabel('ZIP code').fill(address.postalCode);
  await page.getByRole('main').getByRole('button', { name: 'Register' }).click();
}

/** Fills in the form on /login. */
export async function login(page: Page, { email, password }: Pick<Account, 'email' | 'password'>): Promise<void> {
  // the registration before it has fields of the same names
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
}

/** Pays on the provider's page. */
export async function payWith(page: Page, cardNumber: string): Promise<void> {
  await page.getByLabel('Card number').fill(cardNumber);
  await page.getByLabel('Expiration date').fill('12 / 34');
  await page.getByLabel('Security code').fill('123');
  await page.getByLabel('Name on card').fill('Example Cook');
  await page.getByLabel('ZIP code').fill('30303');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
}
