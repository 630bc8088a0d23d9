/** The browser's part of a session bound to its key: src/web/server/proof.ts. */
import { Dexie } from 'dexie';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountMessages } from '../../../src/shared/usersAccount';
import { keyDatabaseName } from '../../../src/shared/deviceNames';
import { sessionFamilies } from '../../../src/server/db/schema/tables';
import { accessToken } from '../../../src/web/server/accessToken';
import { renewSession } from '../../../src/web/server/client';
import { clearKey } from '../../../src/web/server/proof';
import { reachability } from '../../../src/web/server/reachability';
import { session } from '../../../src/web/server/session';
import { db } from '../../../src/web/device/db';
import { outbox } from '../../../src/web/outbox/outbox';
import { type Account, logIn, openAccount } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';
import { fill, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let account: Account;
beforeAll(async () => (shop = await openOwnShop()));
beforeEach(async () => {
  await clearKey();
  await db.outbox.clear();
  account = await openAccount(shop);
});
afterEach(() => {
  tab.close();
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const families = () => shop.db.select().from(sessionFamilies).where(eq(sessionFamilies.userId, account.id));
const boundTo = async () => (await families()).map(({ keyThumbprint }) => keyThumbprint?.toString('base64url'));

async function enter() {
  await fill('Email', account.email);
  await fill('Password', account.password);
  await press('Log in', document.querySelector('form') ?? document);
  await see('Cart is Empty');
}

async function openSignedIn() {
  tab = openTab(shop, '/login');
  await enter();
}

/** The key pair that the browser stores, read through another connection. */
async function keptPair(): Promise<CryptoKeyPair | undefined> {
  const kept = await new Dexie(keyDatabaseName).open();
  const [pair] = (await kept.table('keys').toArray()) as CryptoKeyPair[];
  kept.close();
  return pair;
}

/** From now on the browser stores no key: writing one into its database fails. */
const refuseKeys = () =>
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('a key cannot be cloned', 'DataCloneError');
  });

describe('a login', () => {
  test('binds the session to a key that no script can read, and refreshes continue with it', async () => {
    await openSignedIn();
    const pair = await keptPair();
    expect(pair?.privateKey).toMatchObject({ extractable: false, usages: ['sign'] });
    await expect(crypto.subtle.exportKey('jwk', pair?.privateKey as CryptoKey)).rejects.toThrow(/not extractable/);
    const [thumbprint] = await boundTo();
    expect(thumbprint).toHaveLength(43);
    await renewSession();
    await renewSession();
    expect((await families())[0]).toMatchObject({ refreshNumber: 2, endedAt: null });
    expect(await boundTo()).toEqual([thumbprint]);
    const refreshes = tab.calls.filter(({ path }) => path === '/auth/refresh-token');
    expect(
      refreshes.map(({ status }) => status),
      'each answer has the nonce for the next',
    ).toEqual([200, 200]);
  });

  test('leaves no response unread, or the browser would count its call as in flight', async () => {
    await openSignedIn();
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 120_000); // the nonce it has is an old one
    await renewSession();
    expect(await reachability.probe()).toBe(true);
    expect(tab.calls.map(({ path }) => path)).toContain('/auth/nonce');
    await until(() => tab.unread().length === 0);
  });

  test('works as before in a browser that stores no key', async () => {
    const rejection = refuseKeys();
    await openSignedIn();
    expect(await boundTo()).toEqual([undefined]);
    await renewSession();
    expect((await families())[0]).toMatchObject({ refreshNumber: 1 });
    await tab.go('/customer/view/profile');
    await see(accountMessages.thisDevice);
    rejection.mockRestore();
  });

  test('after a logout has another key, so that nothing links the two sessions', async () => {
    await openSignedIn();
    await press('Account settings');
    await press('Logout');
    await until(() => session.get() === null && tab.path() === '/');
    expect(await keptPair()).toBeUndefined();
    await tab.go('/login');
    await enter();
    const [first, second] = await boundTo();
    expect(second).toHaveLength(43);
    expect(second).not.toBe(first);
  });
});

describe('a refresh', () => {
  test('binds a session that began without a key', async () => {
    tab = openTab(shop, '/cart', { as: await logIn(shop, account) });
    await see('Cart is Empty');
    expect(await boundTo()).toEqual([undefined]);
    await renewSession();
    expect((await boundTo())[0]).toHaveLength(43);
  });

  test('with an outdated nonce is sent once more with the one in the response', async () => {
    await openSignedIn();
    shop.clock.advance(5 * 60_000);
    tab.calls.length = 0;
    await renewSession();
    const paths = tab.calls
      .filter(({ path }) => path.startsWith('/auth/'))
      .map(({ path, status }) => `${path} ${status}`);
    expect(paths).toEqual(['/auth/refresh-token 401', '/auth/refresh-token 200']);
    await until(() => tab.unread().length === 0);
  });

  test('with a lost key ends the session in this browser alone', async () => {
    await openSignedIn();
    await clearKey();
    await tab.go('/customer/orders');
    await renewSession();
    await until(() => tab.path().startsWith('/login'));
    expect((await families())[0]).toMatchObject({ endedAt: null });
    await enterAgain();
    const reasons = (await families()).map(({ endReason }) => endReason);
    expect(new Set(reasons)).toEqual(new Set(['logged_in_again', null]));
  });

  test('with a temporarily unreadable key decides nothing about the session: waiting changes wait', async () => {
    await openSignedIn();
    const { id: productId } = await shop.stock({ name: 'Pepper', priceCents: 450 });
    const rejection = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(() => {
      throw new DOMException('Internal error', 'UnknownError');
    });
    await expect(renewSession()).rejects.toMatchObject({ code: 'no_connection' });
    expect(session.get()).toMatchObject({ id: account.id });
    accessToken.forget();
    void outbox.send('addCartItem', { userId: account.id, item: { productId, quantity: 1 } });
    await until(() => outbox.waiting(account.id).length === 1);
    await expect(renewSession()).rejects.toMatchObject({ code: 'no_connection' });
    rejection.mockRestore();
    await outbox.flush();
    await until(() => outbox.waiting(account.id).length === 0);
    expect(outbox.refused(account.id)).toEqual([]);
  });

  const enterAgain = async () => {
    await fill('Email', account.email);
    await fill('Password', account.password);
    await press('Log in', document.querySelector('form') ?? document);
    await see('No orders found.');
  };
});
