/** Turns the second factor on and off, and replaces its recovery codes. The responses hold secrets, so none is stored under an Idempotency-Key. */
import type { FastifyRequest } from 'fastify';
import { isStaff } from '../../shared/auth';
import { authMessages } from '../../shared/authMessages';
import { defaultShop } from '../../shared/brand';
import type { Schema } from '../../shared/contract';
import { changeUser, findUser, lockUser, type UserRow } from '../users/core/service';
import { writeAudit } from '../audit/service';
import { shopSettings } from '../db/schema/tables';
import { transact, type Tx } from '../db/core/transact';
import type { Actor, Session } from '../http/contract/access';
import { conflict, invalid, notFound } from '../http/core/problems';
import { codeRateLimits, countAttempt, noteSuccess } from './core/attemptLimits';
import { isSecondFactorOfStaff } from './core/requiredActions';
import { sendNotice } from './core/notices';
import { lockProven, provePassword, wrongPassword } from './passwordChange';
import {
  encryptSecret,
  removeSecondFactor,
  makeSecret,
  presentSecret,
  renewRecoveryCodes,
  takeCode,
  takeOneTimeCode,
} from './factors/secondFactor';
import type { AuthParts } from './service';

export type Change = { session: Session; by: Actor; now: Date; request: Pick<FastifyRequest, 'ip'> };

/**
 * Creates a secret. Logins do not require it until its first code is confirmed.
 * @throws Problem 400 wrong_password, 409 email_not_proven or second_factor_is_on, 429 too_many_attempts
 */
export async function beginSecondFactor(
  { db, secrets }: AuthParts,
  password: string,
  { session, now, request }: Change,
): Promise<{ secret: string; uri: string }> {
  const proof = await provePassword(db, { ...session, request }, password, now);
  const secret = makeSecret();
  return transact(db, async (tx) => {
    const user = await lockProven(tx, session.userId, proof);
    if (user.totpConfirmedAt) throw alreadyOn();
    requireProven(user);
    const totpSecret = encryptSecret(secret, user.id, secrets.factorKeys);
    await changeUser(tx, user.id, { totpSecret, totpLastStep: null });
    return presentSecret(secret, user.email, await findShopName(tx));
  });
}

async function findShopName(tx: Tx): Promise<string> {
  const [shop] = await tx.select({ name: shopSettings.shopName }).from(shopSettings);
  return shop?.name ?? defaultShop.name;
}

/**
 * Turns it on with its first code, and ends all other sessions.
 * @returns the user, and ten recovery codes that are shown only this once
 * @throws Problem 400 wrong_code, 409 email_not_proven, second_factor_is_on or second_factor_not_begun,
 *   429 too_many_attempts
 */
export async function confirmSecondFactor(
  parts: AuthParts,
  code: string,
  change: Change,
): Promise<{ user: UserRow; recoveryCodes: string[] }> {
  const { session, by, now } = change;
  const before = await findUser(parts.db, session.userId);
  if (before?.totpConfirmedAt) throw alreadyOn();
  if (!before?.totpSecret) throw conflict('second_factor_not_begun', authMessages.secondFactorNotBegun);
  return withCountedAttempt(parts, change, async (tx, user) => {
    if (user.totpConfirmedAt) throw alreadyOn();
    requireProven(user);
    if (!(await takeOneTimeCode(tx, user, code, parts.secrets.factorKeys, now))) throw codeInvalid();
    await changeUser(tx, user.id, { totpConfirmedAt: now });
    await parts.sessions.endAllOf(tx, user.id, 'second_factor_changed', session.familyId);
    await sendNotice(tx, user, { what: 'second_factor_on' }, now);
    await writeAudit(tx, { by, action: 'user.second_factor_on', target: { kind: 'user', id: user.id }, now });
    return { user: { ...user, totpConfirmedAt: now }, recoveryCodes: await renewRecoveryCodes(tx, user.id) };
  });
}

/**
 * Turns it off, and ends all other sessions.
 * @returns the user without it
 * @throws Problem 400 wrong_password or wrong_code, 409 second_factor_is_off, 409 second_factor_for_staff while
 *   the shop requires it, 429 too_many_attempts
 */
export async function disableSecondFactor(parts: AuthParts, proof: Proof, change: Change): Promise<UserRow> {
  const { session, by, now } = change;
  const before = await findWithFactor(parts, change);
  if (isStaff(before.role) && (await isSecondFactorOfStaff(parts.db)))
    throw conflict('second_factor_for_staff', authMessages.secondFactorForStaff);
  return withBothProven(parts, proof, change, async (tx, user) => {
    await removeSecondFactor(tx, user.id);
    await parts.sessions.endAllOf(tx, user.id, 'second_factor_changed', session.familyId);
    await sendNotice(tx, user, { what: 'second_factor_off' }, now);
    await writeAudit(tx, { by, action: 'user.second_factor_off', target: { kind: 'user', id: user.id }, now });
    return { ...user, totpConfirmedAt: null };
  });
}

/**
 * Replaces the recovery codes, for a user who has used or lost them.
 * @returns ten codes that are shown only this once
 * @throws Problem 400 wrong_password or wrong_code, 409 second_factor_is_off, 429 too_many_attempts
 */
export async function newRecoveryCodes(parts: AuthParts, proof: Proof, change: Change): Promise<string[]> {
  const { by, now } = change;
  await findWithFactor(parts, change);
  return withBothProven(parts, proof, change, async (tx, user) => {
    await sendNotice(tx, user, { what: 'recovery_codes_replaced' }, now);
    await writeAudit(tx, { by, action: 'user.recovery_codes_replaced', target: { kind: 'user', id: user.id }, now });
    return renewRecoveryCodes(tx, user.id);
  });
}

type Proof = Schema<'SecondFactorProof'>;

/** @throws Problem 409 second_factor_is_off */
async function findWithFactor({ db }: AuthParts, { session }: Change): Promise<UserRow> {
  const user = await findUser(db, session.userId);
  if (!user?.totpConfirmedAt) throw conflict('second_factor_is_off', authMessages.secondFactorIsOff);
  return user;
}

/**
 * Does the work once password and code are proven.
 * @throws Problem 400 wrong_password or wrong_code, 429 too_many_attempts
 */
async function withBothProven<T>(
  parts: AuthParts,
  { password, otp }: Proof,
  change: Change,
  work: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  const { session, now, request } = change;
  const proof = await provePassword(parts.db, { ...session, request }, password, now);
  if (!proof) throw wrongPassword();
  return withCountedAttempt(parts, change, async (tx) => {
    const user = await lockProven(tx, session.userId, proof);
    if (!(await takeCode(tx, user, otp, parts.secrets.factorKeys, now))) throw codeInvalid();
    return work(tx, user);
  });
}

/**
 * Spends a code before another action that a hijacked session must not perform.
 * @throws Problem 400 wrong_code, 429 too_many_attempts
 */
export async function proveCode(parts: AuthParts, code: string, change: Change): Promise<void> {
  await withCountedAttempt(parts, change, async (tx, user) => {
    const taken = await takeCode(tx, user, code, parts.secrets.factorKeys, change.now);
    if (!taken) throw codeInvalid();
    if (taken === 'recovery') await sendNotice(tx, user, { what: 'recovery_code_used' }, change.now);
  });
}

/** Counts an attempt before `work` checks the code, and removes it from the count when the code was correct. */
async function withCountedAttempt<T>(
  { db }: AuthParts,
  { session: { userId }, now }: Change,
  work: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  const counted = await countAttempt(db, codeRateLimits(userId), now);
  const result = await transact(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user?.isEnabled) throw notFound();
    return work(tx, user);
  });
  await noteSuccess(db, counted);
  return result;
}

/** With a second factor, a stranger who registered the address would lock its real owner out. */
function requireProven({ emailProvenAt }: UserRow): void {
  if (!emailProvenAt) throw conflict('email_not_proven', authMessages.emailNotProven);
}

export const codeInvalid = (message: string = authMessages.secondFactorInvalid) =>
  invalid(message, [{ field: 'otp', message }], 'wrong_code');

const alreadyOn = () => conflict('second_factor_is_on', authMessages.secondFactorIsOn);
