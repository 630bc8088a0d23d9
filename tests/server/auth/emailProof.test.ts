/** Proving an email address: the mailed link, and what an account may do before it is opened. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emailLinks, mails, users } from '../../../src/server/db/schema/tables';
import {
  bearer,
  customerWithFactor,
  longPassword,
  mailsTo,
  nextStep,
  otpOf,
  password,
  proofTokenOf,
  resetToken,
  setPassword,
} from '../../support/accounts';
import { isSignedIn, logIn, newcomer, openAccount, openUnprovenAccount, type SignedIn } from '../../support/auth';
import { paidOrder } from '../../support/buying';
import { mailsOf } from '../../support/mails';
import { openOwnShop, publicUrl, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(25 * 3_600_000)); // rate limits of one test must not affect the next

const prove = (token: string, person?: { jwt: string }) =>
  shop.call('proveEmail', { body: { token }, ...(person && { headers: bearer(person) }) });
const askAgain = (person: { jwt: string }) => shop.call('sendProofLink', { headers: bearer(person), body: {} });
const isProven = async (id: string) => {
  const [user] = await shop.db.select().from(users).where(eq(users.id, id));
  return user?.emailProvenAt !== null;
};
const linksTo = async (email: string) =>
  (await mailsTo(shop, email)).filter((mail) => mail.includes('/confirm-email#token='));

describe('registering', () => {
  test('mails one link and nothing else, and opening it proves the address', async () => {
    const awa = await openUnprovenAccount(shop);
    const person = await logIn(shop, awa);
    expect(person.user.isEmailProven).toBe(false);
    const sent = await mailsTo(shop, awa.email);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain('Subject: Confirm your email');
    expect(sent[0]).toContain(`${publicUrl.origin}/confirm-email#token=`);
    expect(await prove(await proofTokenOf(shop, awa.email), person)).toMatchObject({
      status: 200,
      message: 'Your email is confirmed',
    });
    expect((await logIn(shop, awa)).user.isEmailProven).toBe(true);
  });

  test('stores the token nowhere: not in a row, the log, or the page about mails', async () => {
    const { email } = await openUnprovenAccount(shop);
    const token = await proofTokenOf(shop, email);
    const { rows } = await shop.pool.query<{ text: string }>(
      `select email_links::text as text from email_links union all select mails::text from mails`,
    );
    expect(rows.map(({ text }) => text).join('\n')).not.toContain(token);
    expect(shop.logLines.join('\n')).not.toContain(token);
    const [mail] = await shop.db.select().from(mails).where(eq(mails.recipient, email));
    const owner = await shop.signIn({ role: 'ROLE_OWNER' });
    const { data } = await shop.call('getMail', { as: owner, path: { mailId: mail?.id ?? '' } });
    expect(data.content).toMatchObject({ subject: null, text: null });
  });

  test('with a taken address mails no second link of this kind', async () => {
    const { email } = await openUnprovenAccount(shop);
    expect((await shop.call('register', { body: newcomer({ email }) })).status).toBe(409);
    expect(await linksTo(email)).toHaveLength(1);
  });
});

describe('the link', () => {
  test('works once, for thirty minutes, and only the newest does', async () => {
    const awa = await openUnprovenAccount(shop);
    const person = await logIn(shop, awa);
    const first = await proofTokenOf(shop, awa.email);
    expect(await askAgain(person)).toMatchObject({
      status: 200,
      message: 'We sent you a link. It expires in 30 minutes.',
    });
    const second = await proofTokenOf(shop, awa.email);
    const invalid = { status: 400, code: 'email_link_invalid' };
    expect(await prove(first)).toMatchObject(invalid);
    expect((await prove(second, person)).status).toBe(200);
    expect(await prove(second)).toMatchObject(invalid);
    const ben = await openUnprovenAccount(shop);
    const late = await proofTokenOf(shop, ben.email);
    shop.clock.advance(30 * 60_000);
    expect(await prove(late)).toMatchObject(invalid);
    expect(await prove('no token of ours')).toMatchObject(invalid);
    expect(await isProven(ben.id)).toBe(false);
  });

  test('opened twenty times at the same time works once', async () => {
    const awa = await openUnprovenAccount(shop);
    const person = await logIn(shop, awa);
    const token = await proofTokenOf(shop, awa.email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => prove(token, person)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('of a deactivated account proves nothing', async () => {
    const { id, email } = await openUnprovenAccount(shop);
    const token = await proofTokenOf(shop, email);
    await shop.pool.query('update users set is_enabled = false where id = $1', [id]);
    expect(await prove(token)).toMatchObject({ status: 400, code: 'email_link_invalid' });
    expect(await isProven(id)).toBe(false);
  });

  test('proves nothing outside a session of its account, and still works within one', async () => {
    const stranger = await openUnprovenAccount(shop); // the address of a user who opens the mail
    const token = await proofTokenOf(shop, stranger.email);
    const message = 'Log in to your account in this browser first, then open the link again.';
    expect(await prove(token)).toMatchObject({ status: 401, code: 'unauthenticated', message });
    const owner = await logIn(shop, await openAccount(shop));
    expect(await prove(token, owner)).toMatchObject({ status: 403, code: 'forbidden', message });
    expect(await isProven(stranger.id)).toBe(false);
    const person = await logIn(shop, stranger);
    const begun = await shop.call('beginSecondFactor', { body: { password }, headers: bearer(person) });
    expect(begun).toMatchObject({ status: 409, code: 'email_not_proven' });
    expect((await prove(token, person)).status).toBe(200);
  });

  test('opened by the owner of the address gives it a new account, and ends the stranger’s', async () => {
    const account = await openUnprovenAccount(shop);
    const stranger = await logIn(shop, account);
    const token = await proofTokenOf(shop, account.email);
    const body = { token, fullName: 'Isatou Ceesay', password: longPassword, confirmPassword: longPassword };
    expect((await shop.call('takeOverAccount', { body })).status).toBe(200);
    expect(await isSignedIn(shop, stranger)).toBe(false);
    const { user } = await logIn(shop, { email: account.email, password: longPassword });
    expect(user).toMatchObject({ fullName: 'Isatou Ceesay', isEmailProven: true, addresses: [] });
    expect(user.id).not.toBe(account.id);
    expect(await shop.call('takeOverAccount', { body })).toMatchObject({ code: 'email_link_invalid' });
  });

  test('once used to prove the address cannot take it over', async () => {
    const awa = await openUnprovenAccount(shop);
    const token = await proofTokenOf(shop, awa.email);
    expect((await prove(token, await logIn(shop, awa))).status).toBe(200);
    const body = { token, fullName: 'Isatou Ceesay', password: longPassword, confirmPassword: longPassword };
    expect(await shop.call('takeOverAccount', { body })).toMatchObject({ code: 'email_link_invalid' });
  });

  test('does not set a password; the reset link does, and proves the address too', async () => {
    const { email } = await openUnprovenAccount(shop);
    const token = await proofTokenOf(shop, email);
    const body = { token, password: 'cloves and mace 2', confirmPassword: 'cloves and mace 2' };
    expect(await shop.call('resetPassword', { body })).toMatchObject({ status: 400, code: 'reset_link_invalid' });
  });

  test('is not available to a user whose address is proven', async () => {
    const person = await logIn(shop, await openAccount(shop));
    expect(await askAgain(person)).toMatchObject({
      status: 409,
      code: 'email_proven',
      message: 'Your email is already confirmed',
    });
  });

  test('goes to an address three times a day, however it is requested', async () => {
    const awa = await openUnprovenAccount(shop);
    const person = await logIn(shop, awa);
    const answers = await Promise.all(Array.from({ length: 10 }, () => askAgain(person)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2); // the first came with the registration
    expect(answers.find(({ status }) => status === 429)).toMatchObject({
      code: 'too_many_attempts',
      message: 'Too many attempts. Try again in 24 hours.',
    });
    await linksTo(awa.email);
    const rows = await shop.db.select().from(emailLinks).where(eq(emailLinks.userId, awa.id));
    expect(rows).toHaveLength(3);
    shop.clock.advance(24 * 3_600_000 + 1);
    expect((await askAgain(await logIn(shop, awa))).status).toBe(200);
  });

  test('is left out once a network had a hundred, and the account is still created', async () => {
    await openUnprovenAccount(shop);
    await shop.pool.query(`update attempts set count = 100 where key like 'proof link address %'`);
    const { email, id } = await openUnprovenAccount(shop);
    expect(await linksTo(email)).toEqual([]);
    expect(await isProven(id)).toBe(false);
  });
});

test('accounts added by staff, and the owner’s, are proven', async () => {
  const as = await shop.signIn({ role: 'ROLE_ADMIN' });
  const { data } = await shop.call('createUser', { as, body: { ...newcomer(), role: 'ROLE_USER' } });
  expect(data.user.isEmailProven).toBe(true);
});

describe('an unproven account', () => {
  const changePassword = (person: SignedIn, from: string, to: string) =>
    shop.call('changePassword', {
      path: { userId: person.user.id },
      headers: bearer(person),
      body: { currentPassword: from, password: to, confirmPassword: to },
    });

  test('gets no notices: a stranger whose address was entered receives only the link', async () => {
    const account = await openUnprovenAccount(shop);
    let person = await logIn(shop, account);
    const words = ['cloves and mace', 'salt and pepper'];
    let present = account.password;
    for (let time = 1; time <= 12; time++) {
      const next = `${words[time % 2]} ${time}`;
      expect((await changePassword(person, present, next)).status).toBe(200);
      present = next;
    }
    person = await logIn(shop, { ...account, password: present });
    await prove(await proofTokenOf(shop, account.email), person);
    expect((await changePassword(person, present, password)).status).toBe(200);
    const subjects = (await mailsTo(shop, account.email)).map((mail) => /^Subject: (.+)$/m.exec(mail)?.[1]?.trim());
    expect(subjects).toEqual(['Confirm your email', 'Your password was changed']);
  });

  test('can buy, and is mailed a confirmation', async () => {
    const { orderId, as } = await paidOrder(shop, {}, 1, { isEmailProven: false });
    await mailsTo(shop, as.email);
    expect(await mailsOf(shop, orderId)).toMatchObject([{ kind: 'order_confirmation', state: 'sent' }]);
  });

  test('has no two-step login, not even one that was started while the address was proven', async () => {
    const refused = {
      status: 409,
      code: 'email_not_proven',
      message: 'Confirm your email first. Open the link we sent you.',
    };
    const account = await openUnprovenAccount(shop);
    const person = await logIn(shop, account);
    const begin = () => shop.call('beginSecondFactor', { body: { password }, headers: bearer(person) });
    expect(await begin()).toMatchObject(refused);
    await prove(await proofTokenOf(shop, account.email), person);
    const { secret } = (await begin()).data.secondFactor;
    await shop.pool.query('update users set email_proven_at = null where id = $1', [account.id]);
    const otp = otpOf(shop, secret);
    expect(await shop.call('confirmSecondFactor', { body: { otp }, headers: bearer(person) })).toMatchObject(refused);
    await logIn(shop, account);
  });

  test('cannot become an admin until its address is proven', async () => {
    const as = await shop.signIn({ role: 'ROLE_ADMIN' });
    const account = await openUnprovenAccount(shop);
    const { id, email } = account;
    const promote = () => shop.call('updateUserRole', { as, path: { userId: id }, query: { role: 'ROLE_ADMIN' } });
    expect(await promote()).toMatchObject({
      status: 409,
      code: 'email_not_proven',
      message: "This user hasn't confirmed their email yet. They can become an admin after that.",
    });
    await prove(await proofTokenOf(shop, email), await logIn(shop, account));
    expect((await promote()).data.user).toMatchObject({ role: 'ROLE_ADMIN', isEmailProven: true });
  });

  test('belongs to its address: setting a new password proves it and ends sessions and two-step login', async () => {
    // a stranger's account from a release that allowed it a second factor
    const { account, secret, recoveryCodes } = await customerWithFactor(shop);
    const stranger = await logIn(shop, account, { otp: otpOf(shop, secret) });
    nextStep(shop);
    await shop.pool.query('update users set email_proven_at = null where id = $1', [account.id]);
    expect((await setPassword(shop, await resetToken(shop, account.email))).status).toBe(200);
    expect(await isSignedIn(shop, stranger)).toBe(false);
    const { user } = await logIn(shop, { ...account, password: longPassword });
    expect(user).toMatchObject({ hasSecondFactor: false, isEmailProven: true });
    const { rows } = await shop.pool.query('select * from recovery_codes where user_id = $1', [account.id]);
    expect(rows).toEqual([]);
    expect(recoveryCodes).toHaveLength(10);
    expect((await mailsTo(shop, account.email)).at(-1)).toContain('was reset with a link we emailed to you');
  });
});

test('unlike a proven account, whose two-step login survives a new password', async () => {
  const { account, secret } = await customerWithFactor(shop);
  await setPassword(shop, await resetToken(shop, account.email));
  const login = { email: account.email, password: longPassword };
  expect(await shop.call('login', { body: login })).toMatchObject({ code: 'second_factor_required' });
  expect((await logIn(shop, login, { otp: otpOf(shop, secret) })).user.hasSecondFactor).toBe(true);
});
