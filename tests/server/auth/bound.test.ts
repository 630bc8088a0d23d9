/** Sessions bound to a device's key. Source: RFC 9449 */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sessionFamilies } from '../../../src/server/db/schema/tables';
import { mailsTo } from '../../support/accounts';
import {
  cookiesOf,
  fromPage,
  isSignedIn,
  logIn,
  newCustomer,
  openAccount,
  refreshed,
  refreshWith,
  type SignedIn,
  without,
} from '../../support/auth';
import { openDevice } from '../../support/proofs';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(16 * 60_000)); // rate limits of one test must not affect the next

const seconds = (count: number) => shop.clock.advance(count * 1000);
const minutes = (count: number) => seconds(count * 60);
const required = { status: 401, code: 'proof_required' };
const ended = { status: 401, code: 'session_ended' };
const familyOf = ({ refreshToken }: Pick<SignedIn, 'refreshToken'>) => refreshToken.slice(0, 36);
const rowOf = async (ana: Pick<SignedIn, 'refreshToken'>) =>
  (
    await shop.db
      .select()
      .from(sessionFamilies)
      .where(eq(sessionFamilies.id, familyOf(ana)))
  )[0];
const isBound = async ({ jwt, user }: SignedIn) => {
  const headers = { authorization: `Bearer ${jwt}` };
  const { data } = await shop.call('listSessions', { path: { userId: user.id }, headers });
  return data.sessions.find(({ isCurrent }) => isCurrent)?.isBound;
};

async function boundCustomer() {
  const account = await openAccount(shop);
  const device = await openDevice(shop);
  return { account, device, ana: await device.logIn(account) };
}

describe('a session that began with a proof', () => {
  test('continues with a proof of the same key, each time', async () => {
    const { device, ana } = await boundCustomer();
    const second = await device.refreshed(ana.refreshToken);
    const third = await device.refreshed(second.refreshToken);
    expect(await isSignedIn(shop, third)).toBe(true);
    expect((await rowOf(ana))?.keyThumbprint?.toString('base64url')).toBe(device.thumbprint);
  });

  test('is useless to a thief of its refresh token, whoever uses it first; the owner’s session continues', async () => {
    const { account, device, ana } = await boundCustomer();
    const thief = await openDevice(shop);
    const before = await rowOf(ana);
    expect(await refreshWith(shop, ana.refreshToken)).toMatchObject(required);
    expect(await thief.refreshWith(ana.refreshToken)).toMatchObject(required);
    expect(await rowOf(ana), 'nothing was rotated, bound or ended').toEqual(before);
    const second = await device.refreshed(ana.refreshToken);
    expect(await isSignedIn(shop, second)).toBe(true);
    seconds(60);
    // the stolen token is an old one by now; its use would end an unbound session
    expect(await refreshWith(shop, ana.refreshToken)).toMatchObject(required);
    expect(await thief.refreshWith(ana.refreshToken)).toMatchObject(required);
    const third = await device.refreshed(second.refreshToken);
    expect(await isSignedIn(shop, third)).toBe(true);
    expect(await mailsTo(shop, account.email)).toEqual([]);
  });

  test('keeps its cookies when the proof is missing: another tab may have the key', async () => {
    const { device, ana } = await boundCustomer();
    const headers = fromPage(without(ana.cookies, '__Host-access'));
    const rejection = await shop.call('refreshToken', { headers });
    expect(rejection).toMatchObject(required);
    expect(cookiesOf(rejection)).toEqual({});
    expect(await isSignedIn(shop, ana), 'the tab works on until its access token ends').toBe(true);
    const dpop = await device.prove('refreshToken');
    expect((await shop.call('refreshToken', { headers: { ...headers, dpop } })).status).toBe(200);
  });

  test('can be logged out without a proof', async () => {
    const { device, ana } = await boundCustomer();
    const { status } = await shop.call('logout', { headers: fromPage(without(ana.cookies, '__Host-access')) });
    expect(status).toBe(200);
    const rejection = await device.refreshWith(ana.refreshToken);
    expect(rejection).toMatchObject(ended);
    expect(cookiesOf(rejection)['__Host-refresh']?.value).toBe('');
  });

  test('ends when its own device sends a token that was replaced long ago', async () => {
    const { device, ana } = await boundCustomer();
    const second = await device.refreshed(ana.refreshToken);
    expect(await isSignedIn(shop, second)).toBe(true);
    seconds(11);
    expect(await device.refreshWith(ana.refreshToken)).toMatchObject(ended);
  });

  test('gives five tabs of the device the same successor at the same time', async () => {
    const { device, ana } = await boundCustomer();
    const tabs = await Promise.all(Array.from({ length: 5 }, () => device.refreshed(ana.refreshToken)));
    expect(new Set(tabs.map(({ refreshToken }) => refreshToken)).size).toBe(1);
  });

  test('no longer asks for a proof once it has expired', async () => {
    const { ana } = await boundCustomer();
    minutes(7 * 24 * 60);
    expect(await refreshWith(shop, ana.refreshToken)).toMatchObject(ended);
  });

  test('is marked as bound in the user’s list of sessions, and others as not bound', async () => {
    const { account, ana } = await boundCustomer();
    expect(await isBound(ana)).toBe(true);
    expect(await isBound(await logIn(shop, account))).toBe(false);
  });

  test('logs a missing proof with ids only', async () => {
    const { ana } = await boundCustomer();
    shop.logLines.length = 0;
    await refreshWith(shop, ana.refreshToken);
    const line = shop.logLines.find((each) => each.includes('proof_required')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ event: 'proof_required', user: ana.user.id, session: familyOf(ana) });
  });
});

describe('a session that began without a proof', () => {
  test('continues without one while none is sent, as API clients need it', async () => {
    const ana = await newCustomer(shop);
    const second = await refreshed(shop, ana.refreshToken);
    expect(await isBound(second)).toBe(false);
    await refreshed(shop, second.refreshToken);
  });

  test('is bound by the first refresh with a proof', async () => {
    const device = await openDevice(shop);
    const ana = await newCustomer(shop);
    const second = await device.refreshed(ana.refreshToken);
    expect(await isBound(second)).toBe(true);
    expect(await refreshWith(shop, second.refreshToken)).toMatchObject(required);
    await device.refreshed(second.refreshToken);
  });

  test('is bound even when the response to that refresh was lost', async () => {
    const device = await openDevice(shop);
    const ana = await newCustomer(shop);
    const lost = await device.refreshed(ana.refreshToken);
    minutes(60);
    expect(await refreshWith(shop, ana.refreshToken)).toMatchObject(required);
    expect((await device.refreshed(ana.refreshToken)).refreshToken).toBe(lost.refreshToken);
  });

  test.each([
    ['the token that the owner has', 0],
    ['a token two refreshes later', 2],
  ])('ends for both when a thief bound it first with %s and its owner returns', async (_, refreshes) => {
    const account = await openAccount(shop);
    const owner = await logIn(shop, account);
    const thief = await openDevice(shop);
    let stolen: SignedIn = owner;
    for (let count = 0; count < refreshes; count += 1) stolen = await refreshed(shop, stolen.refreshToken);
    const bound = await thief.refreshed(stolen.refreshToken);
    expect(await isSignedIn(shop, bound)).toBe(true);
    seconds(11);
    expect(await refreshWith(shop, owner.refreshToken)).toMatchObject(ended);
    expect(await isSignedIn(shop, bound)).toBe(false);
    expect(await mailsTo(shop, account.email)).toHaveLength(1);
  });

  test('can no longer be bound after a thousand refreshes: checking that many tokens takes too long', async () => {
    const device = await openDevice(shop);
    const ana = await newCustomer(shop);
    await shop.pool.query('update session_families set refresh_number = 1000 where id = $1', [familyOf(ana)]);
    const second = await device.refreshed(ana.refreshToken);
    expect(await isBound(second)).toBe(false);
    await refreshed(shop, second.refreshToken);
  });

  test('is not ended by a token that was stolen after it was bound', async () => {
    const device = await openDevice(shop);
    const ana = await newCustomer(shop);
    const stolen = await device.refreshed(ana.refreshToken);
    const third = await device.refreshed(stolen.refreshToken);
    expect(await isSignedIn(shop, third)).toBe(true);
    seconds(11);
    expect(await refreshWith(shop, stolen.refreshToken)).toMatchObject(required);
    await device.refreshed(third.refreshToken);
  });
});
