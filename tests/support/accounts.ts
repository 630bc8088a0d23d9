/** Account actions, and the mails they trigger. */
import { Secret, TOTP } from 'otpauth';
import { runOnce, Logger } from 'graphile-worker';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { logIn, openAccount, type Account, type SignedIn } from './auth';
import { wordsOf } from './mailWords';
import { publicUrl, type Answer, type TestShop } from './shop';

export const bearer = ({ jwt }: Pick<SignedIn, 'jwt'>) => ({ authorization: `Bearer ${jwt}` });
export const password = 'pepper and salt 1';
export const longPassword = 'cloves and mace 22';

/** A logged-in staff member with a password. */
export async function newStaff(shop: TestShop, role: 'ROLE_ADMIN' | 'ROLE_OWNER' = 'ROLE_ADMIN') {
  const account = await openAccount(shop, { password: longPassword, confirmPassword: longPassword });
  await shop.pool.query('update users set role = $1 where id = $2', [role, account.id]);
  return { account, ...(await logIn(shop, account)) };
}

const quiet = new Logger(() => () => undefined);

/** Runs the due jobs, mails included, as the worker would. */
export async function runJobs(shop: TestShop): Promise<void> {
  await runOnce({ pgPool: shop.jobsPool, taskList: shop.jobs, logger: quiet, noHandleSignals: true });
}

/** All mails sent to an email address so far, oldest first, as text. */
export async function mailsTo(shop: TestShop, email: string): Promise<string[]> {
  await runJobs(shop);
  const folder = path.join(shop.dataDir, 'mails');
  const { rows } = await shop.pool.query<{ id: string }>(
    `select id from mails where recipient = $1 and state = 'sent' order by created_at, id`,
    [email],
  );
  const files = await readdir(folder).catch(() => []);
  return Promise.all(
    rows.map(async ({ id }) => {
      const file = files.find((name) => name.includes(id));
      if (!file) throw new Error(`there is no file of mail ${id}`);
      return wordsOf(await readFile(path.join(folder, file), 'utf8'));
    }),
  );
}

export const askForReset = (shop: TestShop, email: string, headers: Record<string, string> = {}) =>
  shop.call('resetPassword', { body: { email }, headers });

/** The token in the newest mail with a link. */
export async function resetTokenOf(shop: TestShop, email: string): Promise<string> {
  const mails = await mailsTo(shop, email);
  const links = mails.flatMap((mail) => /reset-password#token=([\w-]{43})/.exec(mail)?.[1] ?? []);
  return links.at(-1) ?? '';
}

/** The token in the newest mail that asks to confirm the address. */
export async function proofTokenOf(shop: TestShop, email: string): Promise<string> {
  const mails = await mailsTo(shop, email);
  return mails.flatMap((mail) => /confirm-email#token=([\w-]{43})/.exec(mail)?.[1] ?? []).at(-1) ?? '';
}

/** The token in the newest mail that invites to work in the shop. */
export async function invitationTokenOf(shop: TestShop, email: string): Promise<string> {
  const mails = await mailsTo(shop, email);
  return mails.flatMap((mail) => /invitation#token=([\w-]{43})/.exec(mail)?.[1] ?? []).at(-1) ?? '';
}

/** The token in the newest mail that lets the owner take over the address. */
export async function takeoverTokenOf(shop: TestShop, email: string): Promise<string> {
  const mails = await mailsTo(shop, email);
  return mails.flatMap((mail) => /confirm-email#takeover=([\w-]{43})/.exec(mail)?.[1] ?? []).at(-1) ?? '';
}

/** Requests a link and reads its token from the mail. */
export async function resetToken(shop: TestShop, email: string): Promise<string> {
  expect((await askForReset(shop, email)).status).toBe(200);
  const token = await resetTokenOf(shop, email);
  expect(token).not.toBe('');
  return token;
}

/** @param deviceCookie of the browser that opens the link */
export const setPassword = (shop: TestShop, token: string, newPassword = longPassword, deviceCookie = '') =>
  shop.call('resetPassword', {
    body: { token, password: newPassword, confirmPassword: newPassword },
    ...(deviceCookie && { headers: { cookie: `__Host-known-device=${deviceCookie}`, origin: publicUrl.origin } }),
  });

/** The code that an authenticator app shows at the shop's time. */
export const otpOf = (shop: Pick<TestShop, 'clock'>, secret: string, laterMs = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: shop.clock.now().getTime() + laterMs });

/** Advances the clock to the next time step, whose code is still unused. */
export const nextStep = (shop: Pick<TestShop, 'clock'>) => shop.clock.advance(61_000);

export type WithFactor = { account: Account; secret: string; recoveryCodes: string[] };

/** Turns on two-step login for a logged-in user. */
export async function switchOnFactor(shop: TestShop, person: Pick<SignedIn, 'jwt'>, proof = password) {
  const begun = await shop.call('beginSecondFactor', { body: { password: proof }, headers: bearer(person) });
  expect(begun.status).toBe(200);
  const { secret } = begun.data.secondFactor;
  const confirmed = await shop.call('confirmSecondFactor', {
    body: { otp: otpOf(shop, secret) },
    headers: bearer(person),
  });
  expect(confirmed.status).toBe(200);
  nextStep(shop);
  return { secret, recoveryCodes: confirmed.data.recoveryCodes };
}

/** A customer with two-step login. */
export async function customerWithFactor(shop: TestShop): Promise<WithFactor> {
  const account = await openAccount(shop);
  return { account, ...(await switchOnFactor(shop, await logIn(shop, account))) };
}

/** A response without the values that differ between requests. */
export const alike = ({ status, body, headers }: Answer<never>) => {
  const { date: _, ...same } = headers;
  return { status, body: { ...body, requestId: '' }, headers: same };
};
