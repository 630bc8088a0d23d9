import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffInvitations } from '../../../src/server/db/schema/tables';
import { bearer, invitationTokenOf, longPassword, mailsTo, newStaff } from '../../support/accounts';
import { logIn, newcomer } from '../../support/auth';
import { openOwnShop, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => (shop = await openOwnShop()));
afterAll(() => shop.close());

const hourMs = 3_600_000;
type Inviter = { jwt: string };
const invite = (by: Inviter, email: string) =>
  shop.call('inviteStaff', { headers: bearer(by), body: { fullName: 'Awa Example', email, role: 'ROLE_ADMIN' } });
const accept = (token: string, chosen = longPassword) =>
  shop.call('acceptInvitation', { body: { token, password: chosen, confirmPassword: chosen } });
async function invited(by: Inviter): Promise<{ email: string; token: string }> {
  const { email } = newcomer();
  expect((await invite(by, email)).status).toBe(200);
  return { email, token: await invitationTokenOf(shop, email) };
}

test('an invited person chooses a password, and works in the shop without another duty', async () => {
  const { email, token } = await invited(await newStaff(shop, 'ROLE_OWNER'));
  expect((await mailsTo(shop, email)).join('\n')).toContain('invited you to help run our online shop');
  expect(await accept(token, 'short one 1')).toMatchObject({ status: 400, code: 'invalid_request' });
  expect((await accept(token)).data).toEqual({ email });
  const { user, mustDo } = await logIn(shop, { email, password: longPassword });
  expect(user).toMatchObject({ fullName: 'Awa Example', role: 'ROLE_ADMIN', isEmailProven: true, addresses: [] });
  expect(mustDo).toBeNull();
});

test('an invitation works once, for 72 hours, and only the newest of an address', async () => {
  const owner = await newStaff(shop, 'ROLE_OWNER');
  const used = await invited(owner);
  expect((await accept(used.token)).status).toBe(200);
  expect(await accept(used.token)).toMatchObject({ status: 400, code: 'invitation_invalid' });

  const older = await invited(owner);
  await invite(owner, older.email.toUpperCase());
  expect(await accept(older.token)).toMatchObject({ code: 'invitation_invalid' });

  const late = await invited(owner);
  shop.clock.advance(72 * hourMs + 1000);
  expect(await accept(late.token)).toMatchObject({ code: 'invitation_invalid' });
});

test('an invitation ends when its sender is staff no more', async () => {
  const admin = await newStaff(shop);
  const { token } = await invited(admin);
  const owner = await newStaff(shop, 'ROLE_OWNER');
  const demote = { path: { userId: admin.user.id }, query: { role: 'ROLE_CUSTOMER' as const }, headers: bearer(owner) };
  expect((await shop.call('updateUserRole', demote)).status).toBe(200);
  expect(await accept(token)).toMatchObject({ status: 400, code: 'invitation_invalid' });
});

test('the sender is in the audit log, and the owner finds the account among those the sender promoted', async () => {
  const admin = await newStaff(shop);
  const { email, token } = await invited(admin);
  await accept(token);
  const owner = await newStaff(shop, 'ROLE_OWNER');
  const promoted = await shop.call('listPromotions', { path: { userId: admin.user.id }, headers: bearer(owner) });
  expect(promoted.data.promotions.content.map(({ user }) => user.email)).toEqual([email]);
});

test('no token of an invitation is stored', async () => {
  const { token } = await invited(await newStaff(shop, 'ROLE_OWNER'));
  const rows = await shop.db.select().from(staffInvitations);
  const { rows: mails } = await shop.pool.query('select mails::text from mails');
  expect(JSON.stringify([rows, mails])).not.toContain(token);
});
