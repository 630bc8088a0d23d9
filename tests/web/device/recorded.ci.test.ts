/**
 * A device that an earlier release left (tests/data/device-1): this release opens it, shows what waits on it, and sends the
 * same bytes. The shop answers what it answered then.
 */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DeviceLayer } from '../../support/deviceLayer';
import { dumpDevice, restoreDevice } from '../../support/deviceDump';
import {
  answerTo,
  asSent,
  cartNow,
  ids,
  isChange,
  recorded,
  type RecordedCall,
  type Who,
} from '../../support/recordedDevice';
import type { Answering, Tab } from '../openTab';
import type * as openTabs from '../openTab';

let tabs: typeof openTabs;
let deviceLayer: DeviceLayer;
let tab: Tab;
let who: Who;
let calls: RecordedCall[];
beforeEach(async () => {
  await restoreDevice(recorded.device);
  sessionStorage.clear();
  [who, calls] = ['ben', []];
});
afterEach(() => tab.close());
afterAll(async () => {
  vi.resetModules(); // the next file opens a device of its own
  localStorage.clear();
  await new Promise((resolve) => {
    indexedDB.deleteDatabase('shop').onsuccess = resolve;
  });
});

/** Stands where the app stands for other tests. */
const shopOfThen: Answering = {
  app: {
    async inject({ method, url, headers: given, payload }) {
      const headers = new Headers(given);
      const call: RecordedCall = {
        method,
        path: url,
        as: headers.has('cookie') || headers.has('authorization') ? 'user' : 'nobody',
        'idempotency-key': headers.get('idempotency-key') ?? undefined,
        'content-type': headers.get('content-type') ?? undefined,
        body: String(payload ?? ''),
      };
      calls.push(call);
      const { status, body } = answerTo(who, call);
      const type = status < 400 ? 'application/json' : 'application/problem+json';
      return { statusCode: status, body, headers: { 'content-type': type }, cookies: [] };
    },
  },
};

/** Another tab of the same browser, in which nothing gets through at first. */
async function open(path: string): Promise<Tab> {
  vi.resetModules(); // a page that was just opened: nothing of the device is in memory
  tabs = await import('../openTab');
  ({ deviceLayer } = await import('../../support/deviceLayer'));
  const network = { breaks: undefined, hangs: undefined, answers: () => undefined, isDown: true };
  const after = {
    cookies: new Map([['__Host-refresh', 'kept']]),
    network: { ...network, passes: () => true, delays: () => undefined },
  };
  return tabs.openTab(shopOfThen, path, { after });
}

async function comeBack(): Promise<void> {
  tab.network.isDown = false;
  window.dispatchEvent(new Event('online'));
}

/** Without the button and the time that later releases have added. */
const words = () =>
  (document.querySelector('main')?.textContent ?? '')
    .replace('Save cart as list', '')
    .replace(/\s+/g, ' ')
    .replace(/As of \w+ \d+, \d+:\d+ [AP]M/, '')
    .trim();
const outboxRows = async () => {
  const { databases } = await dumpDevice();
  const stores = databases.find(({ name }) => name === 'shop')?.stores ?? [];
  return stores.find(({ name }) => name === 'outbox')?.rows ?? [];
};
const sent = () => calls.filter(isChange);

test('a device of an earlier release shows what waits, what was refused, and how much is sealed', async () => {
  tab = await open('/cart');
  await vi.waitFor(() => expect(words()).toBe(cartNow), tabs.waiting);
  expect(deviceLayer.waiting(ids.ben).map(({ operation }) => operation)).toEqual([
    'updateCartItem',
    'addCartItem',
    'addCartItem',
    'updateCartItem',
    'removeCartItem',
    'updateCartItem',
    'createContactMessage',
  ]);
  expect(deviceLayer.refused(ids.ben)).toMatchObject([{ operation: 'addCartItem', reason: 'product_unavailable' }]);
  expect(deviceLayer.sealed(ids.ben)).toHaveLength(3);
  expect(deviceLayer.waiting('')).toHaveLength(1);
  expect(calls).toEqual([]);
});

test('what waited is sent in its order, byte for byte as the earlier release sent it', async () => {
  tab = await open('/cart');
  await tabs.until(() => deviceLayer.waiting(ids.ben).length === 7);
  await comeBack();
  await tabs.until(() => deviceLayer.waiting(ids.ben).length + deviceLayer.waiting('').length === 0);
  expect(sent()).toEqual(recorded.calls.ben.map(asSent));
  await vi.waitFor(async () => expect(await outboxRows()).toEqual(recorded.shown.left), tabs.waiting);
});

test('what was sealed is sent byte for byte when its user is back', async () => {
  who = 'ana';
  localStorage.setItem('root', JSON.stringify({ id: ids.ana, fullName: 'Ana Example', role: 'ROLE_CUSTOMER' }));
  tab = await open('/cart');
  await tabs.until(() => deviceLayer.waiting(ids.ana).length === 3);
  await comeBack();
  await tabs.until(() => deviceLayer.waiting(ids.ana).length === 0);
  const theirs = sent().filter(({ path }) => path.includes('/cart/'));
  expect(theirs).toEqual(recorded.calls.ana.map(asSent));
});

test('what a visitor wanted in an earlier release is added after the login, behind what waited', async () => {
  localStorage.removeItem('root');
  for (const [key, value] of Object.entries(recorded.device.tabs.visitor)) sessionStorage.setItem(key, value);
  const [wanted] = JSON.parse(recorded.device.tabs.visitor['wanted-in-cart'] ?? '[]') as object[];
  tab = await open('/login');
  await tabs.see(recorded.shown.seal);
  await comeBack();
  await vi.waitFor(() => expect(words()).not.toContain('needs a connection'), tabs.waiting);
  await tabs.fill('Email', 'ben@example.com');
  await tabs.fill('Password', 'pepper and salt');
  await tabs.press('Login', document.querySelector('main') ?? document);
  await tabs.until(() => sent().length === recorded.calls.ben.length + 1);
  const added = sent().at(-1);
  expect(added).toMatchObject({ method: 'POST', path: `/api/public/cart/add/${ids.ben}`, as: 'user' });
  expect(added?.body).toBe(JSON.stringify(wanted));
  expect(JSON.stringify(sessionStorage)).not.toContain('wanted-in-cart');
});
