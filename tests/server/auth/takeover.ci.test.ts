/** An address that a stranger registered: its owner gets it back, without any data of the stranger's. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orders, products } from '../../../src/server/db/schema/tables';
import { alike, bearer, longPassword, mailsTo, password, takeoverTokenOf } from '../../support/accounts';
import {
  type Account,
  isSignedIn,
  logIn,
  newcomer,
  openAccount,
  openUnprovenAccount,
  refreshWith,
  type SignedIn,
} from '../../support/auth';
import { buy, checkBooks, placedOrder, putInCart } from '../../support/buying';
import { fileForm, jpeg } from '../../support/pictures';
import { openOwnShop, publicUrl, type Person, type TestShop } from '../../support/shop';

let shop: TestShop;
beforeAll(async () => {
  shop = await openOwnShop();
});
afterAll(async () => {
  await checkBooks(shop);
  await shop.close();
});
beforeEach(() => shop.clock.advance(25 * 3_600_000)); // rate limits of one test must not affect the next

const registerAgain = ({ email }: { email: string }) => shop.call('register', { body: newcomer({ email }) });
const takeOver = (token: string, changes: object = {}) =>
  shop.call('takeOverAccount', {
    body: { token, fullName: 'Isatou Ceesay', password: longPassword, confirmPassword: longPassword, ...changes },
  });
const takeoverMails = async (email: string) =>
  (await mailsTo(shop, email)).filter((mail) => mail.includes('#takeover='));
const invalid = { status: 400, code: 'email_link_invalid' };

/** A stranger's account with the address, and the token of the link mailed to its owner. */
async function squatted(): Promise<{ account: Account; stranger: SignedIn; token: string }> {
  const account = await openUnprovenAccount(shop);
  const stranger = await logIn(shop, account);
  expect((await registerAgain(account)).status).toBe(409);
  return { account, stranger, token: await takeoverTokenOf(shop, account.email) };
}

async function asPerson({ user, jwt }: SignedIn): Promise<Person> {
  const { data } = await shop.call('getCart', { path: { userId: user.id }, headers: bearer({ jwt }) });
  return { userId: user.id, cartId: data.cartResponse.cartId, email: user.email, role: user.role, token: jwt };
}

describe('registering an address that another person registered', () => {
  test('is answered like any taken address, and mails a link that creates an empty account with it', async () => {
    const { email: proven } = await openAccount(shop);
    const account = await openUnprovenAccount(shop);
    const stranger = await logIn(shop, account);
    await shop.call('updateProfile', {
      path: { userId: account.id },
      headers: bearer(stranger),
      body: {
        fullName: 'Somebody Else',
        email: account.email,
        description: 'Mine',
        phoneNumber: '555 0100',
        dob: '1990-12-31',
      },
    });
    const as = await asPerson(stranger);
    await putInCart(shop, as, (await shop.stock()).id, 2);
    const [taken, free] = [await registerAgain({ email: proven }), await registerAgain(account)];
    expect(free).toMatchObject({ status: 409, code: 'email_taken' });
    expect(alike(free)).toEqual(alike(taken));
    expect(await takeoverMails(proven)).toEqual([]);
    const [mail] = await takeoverMails(account.email);
    expect(mail).toContain("Subject: There's already an account with your email");
    expect(mail).toContain(`${publicUrl.origin}/confirm-email#takeover=`);

    expect(await takeOver(await takeoverTokenOf(shop, account.email))).toMatchObject({
      status: 200,
      message: 'The email is yours now. Log in to your new account.',
    });
    expect(await isSignedIn(shop, stranger)).toBe(false);
    expect(await refreshWith(shop, stranger.refreshToken)).toMatchObject({ status: 401 });
    expect((await shop.call('login', { body: { email: account.email, password } })).status).toBe(401);
    const own = await logIn(shop, { email: account.email, password: longPassword });
    expect(own.user).toMatchObject({
      email: account.email,
      fullName: 'Isatou Ceesay',
      role: 'ROLE_CUSTOMER',
      isEmailProven: true,
      hasSecondFactor: false,
      description: null,
      phoneNumber: null,
      dob: null,
      addresses: [],
    });
    const { data } = await shop.call('getCart', { path: { userId: own.user.id }, headers: bearer(own) });
    expect(data.cartResponse.cartItems).toEqual([]);
  });

  test('leaves the former account a name that cannot be used to log in', async () => {
    const { account, stranger, token } = await squatted();
    const { headers, body } = fileForm(await jpeg());
    const path = { userId: account.id };
    const sent = await shop.call('setOwnPicture', { path, headers: { ...headers, ...bearer(stranger) }, body });
    expect(sent.data.user.picture).not.toBeNull();
    await takeOver(token);
    const admin = await shop.signIn({ role: 'ROLE_ADMIN' });
    const { data } = await shop.call('getUserForStaff', { as: admin, path: { id: account.id } });
    expect(data.user).toMatchObject({ fullName: 'Released account', isEnabled: false, picture: null, addresses: [] });
    expect(JSON.stringify(data.user)).not.toContain(account.email);
    const { rows } = await shop.pool.query(`select target_id from audit_log where action = 'user.taken_over'`);
    expect(rows).toContainEqual({ target_id: account.id });
  });

  test('works even when the stranger has registered the address that would be derived from its id', async () => {
    const { account, stranger, token } = await squatted();
    await openUnprovenAccount(shop, { email: `${stranger.user.id}@released.invalid` });
    expect(await takeOver(token)).toMatchObject({ status: 200 });
    expect(await logIn(shop, { ...account, password: longPassword })).toMatchObject({ user: { email: account.email } });
  });

  test('ends the stranger’s unpaid order, restocks its goods, and shows the owner none of it', async () => {
    const { account, stranger, token } = await squatted();
    const as = await asPerson(stranger);
    const { id } = await shop.stock({ quantity: 10 });
    await putInCart(shop, as, id, 3);
    const { orderId, sessionId } = await placedOrder(shop, as);
    expect((await takeOver(token)).status).toBe(200);
    const [order] = await shop.db.select().from(orders).where(eq(orders.id, orderId));
    expect(order?.status).toBe('CANCELLED');
    const [product] = await shop.db.select().from(products).where(eq(products.id, id));
    expect(product?.quantity).toBe(10);
    const session = await shop.payments.findSession(sessionId);
    expect(session).toMatchObject({ status: 'expired', isPaid: false });
    const own = await logIn(shop, { email: account.email, password: longPassword });
    const mine = await shop.call('listCustomerOrders', { path: { userId: own.user.id }, headers: bearer(own) });
    expect(mine.data.orders.content).toEqual([]);
  });
});

describe('the link', () => {
  test('works once, for thirty minutes, and accepts no password that is common or not repeated', async () => {
    const { token } = await squatted();
    const common = { password: 'password1', confirmPassword: 'password1' };
    expect(await takeOver(token, common)).toMatchObject({ status: 400, errors: [{ field: 'password' }] });
    expect(await takeOver(token, { confirmPassword: 'another one' })).toMatchObject({
      status: 400,
      errors: [{ field: 'confirmPassword', message: 'Passwords do not match' }],
    });
    expect(await takeOver(token, { fullName: ' ' })).toMatchObject({ status: 400, errors: [{ field: 'fullName' }] });
    const answers = await Promise.all(Array.from({ length: 5 }, () => takeOver(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await takeOver(token)).toMatchObject(invalid);
    const late = await squatted();
    shop.clock.advance(30 * 60_000);
    expect(await takeOver(late.token)).toMatchObject(invalid);
    expect(await takeOver('no token of ours')).toMatchObject(invalid);
  });

  test('cannot prove an address or reset a password', async () => {
    const { token } = await squatted();
    expect(await shop.call('proveEmail', { body: { token } })).toMatchObject(invalid);
    const body = { token, password: longPassword, confirmPassword: longPassword };
    expect(await shop.call('resetPassword', { body })).toMatchObject({ code: 'reset_link_invalid' });
  });

  test('no longer works once the account was proven, has paid, or was deactivated', async () => {
    for (const change of ['email_proven_at = created_at', 'is_enabled = false', `role = 'ROLE_ADMIN'`]) {
      const { account, token } = await squatted();
      await shop.pool.query(`update users set ${change} where id = $1`, [account.id]);
      expect(await takeOver(token), change).toMatchObject(invalid);
      await registerAgain(account);
      expect(await takeoverMails(account.email), change).toHaveLength(1);
    }
    const { account, stranger, token } = await squatted();
    const as = await asPerson(stranger);
    await putInCart(shop, as, (await shop.stock()).id, 1);
    await buy(shop, await placedOrder(shop, as));
    expect(await takeOver(token)).toMatchObject(invalid);
    await registerAgain(account);
    expect(await takeoverMails(account.email)).toHaveLength(1);
  });

  test('loses to a payment that came first, and the order is completed', async () => {
    const { account, stranger, token } = await squatted();
    const as = await asPerson(stranger);
    await putInCart(shop, as, (await shop.stock()).id, 1);
    const { orderId, sessionId } = await placedOrder(shop, as);
    await shop.control('deliveries', { mode: 'drop' });
    await shop.control('pay', { session: sessionId });
    expect(await takeOver(token)).toMatchObject(invalid);
    await shop.control('deliveries', { mode: 'normal' });
    const [order] = await shop.db.select().from(orders).where(eq(orders.id, orderId));
    expect(order?.status).toBe('PAID');
    expect((await shop.call('login', { body: { email: account.email, password } })).status).toBe(200);
  });

  test('fails while the provider is down, and works after that', async () => {
    const { stranger, token } = await squatted();
    const as = await asPerson(stranger);
    await putInCart(shop, as, (await shop.stock()).id, 1);
    await placedOrder(shop, as);
    await shop.control('fault', { next: 2, kind: '503' }); // the SDK tries twice
    expect(await takeOver(token)).toMatchObject({ status: 502, code: 'payment_unavailable' });
    expect((await takeOver(token)).status).toBe(200);
  });

  test('is mailed three times a day to one address, however often it is requested', async () => {
    const { account } = await squatted();
    for (const mailed of [2, 3, 3, 3]) {
      expect((await registerAgain(account)).status).toBe(409);
      expect(await takeoverMails(account.email)).toHaveLength(mailed);
    }
  });

  test('is in no row, log or response', async () => {
    const { token, account } = await squatted();
    const { rows } = await shop.pool.query<{ text: string }>(
      `select email_links::text as text from email_links union all select mails::text from mails`,
    );
    expect(rows.map(({ text }) => text).join('\n')).not.toContain(token);
    expect(shop.logLines.join('\n')).not.toContain(token);
    expect(shop.logLines.join('\n')).not.toContain(account.email);
  });
});

describe('staff who add a user', () => {
  test('see that the address was never confirmed, and a link is mailed to it', async () => {
    const as = await shop.signIn({ role: 'ROLE_ADMIN' });
    const add = (email: string) =>
      shop.call('createUser', { as, key: randomUUID(), body: { ...newcomer({ email }), role: 'ROLE_USER' } });
    const { email } = await openUnprovenAccount(shop);
    const message =
      'Someone signed up with this email but never confirmed it. We sent a link to that email (up to three a day). The person who opens it gets a new, empty account.';
    expect(await add(email)).toMatchObject({
      status: 409,
      code: 'email_taken',
      message,
      errors: [{ field: 'email', message }],
    });
    expect(await takeoverMails(email)).toHaveLength(1);
    expect((await takeOver(await takeoverTokenOf(shop, email))).status).toBe(200);
    const known = { status: 409, code: 'email_taken', message: "There's already an account with this email" };
    expect(await add(email)).toMatchObject(known);
    const { user } = await logIn(shop, { email, password: longPassword });
    const promoted = await shop.call('updateUserRole', {
      as,
      path: { userId: user.id },
      query: { role: 'ROLE_ADMIN' },
    });
    expect(promoted.data.user.role).toBe('ROLE_ADMIN');
  });
});
