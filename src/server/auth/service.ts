import type { FastifyBaseLogger } from 'fastify';
import { isStaff } from '../../shared/auth';
import { authSays } from '../../shared/authSays';
import { emailRule, loginForm, minStaffPasswordLength, registrationForm } from '../../shared/authForms';
import type { Schema } from '../../shared/contract';
import { createAddress } from '../account/addresses';
import {
  changeUser,
  createUser,
  findUserByEmail,
  lockUser,
  readUser,
  replacePasswordHash,
  type UserRow,
  type UserWithAddresses,
} from '../account/service';
import { transact, type Db, type Tx } from '../db/transact';
import { Problem } from '../http/problems';
import {
  codeRateLimits,
  countAttempt,
  countFailure,
  giveBack,
  loginRateLimits,
  refuseLimited,
  registerRateLimits,
  type RateLimit,
} from './rateLimits';
import { findDuty } from './duties';
import { sendNotice } from './notices';
import { hashPassword, inTurn, isOutdated, isPassword, refuseCommonPassword } from './passwords';
import { takeCode } from './secondFactor';
import type { Secrets } from './secrets';
import type { EndReason, Sessions, Tokens } from './sessions';

export type AuthParts = { db: Db; sessions: Sessions; secrets: Secrets };
export type Caller = {
  /** The network address, for the limits. */
  address: string;
  /** Browser and system, as the list of one's own sessions names them. */
  device: string;
  /** One line for each login and each stolen token, with ids only. */
  log: FastifyBaseLogger;
};
export type SignedIn = { user: UserWithAddresses; tokens: Tokens };

/**
 * Begins a session. Of somebody who works in the shop with too short a password (a customer made admin), it asks for
 * another one before anything else.
 * @param formerTokens what the caller's browser still held: their sessions end with the new login
 * @throws Problem 401 invalid_credentials, alike for a wrong password, an unknown email and a disabled account,
 *   401 second_factor_required or second_factor_invalid once these are right, 429 too_many_attempts, 503 unavailable when
 *   too many log in at once
 * Rule: docs/rules/accounts.md, Logging in
 */
export async function login(
  parts: AuthParts,
  credentials: Schema<'Credentials'>,
  formerTokens: readonly string[],
  caller: Caller,
  now: Date,
): Promise<SignedIn> {
  const { db, sessions } = parts;
  const { email, password } = loginForm.parse(credentials);
  const { rememberMe, otp } = credentials;
  const limits = loginRateLimits(email, caller.address);
  await refuseLimited(db, limits, now); // before the queue, so that limited callers do not fill it
  // counted within the turn: otherwise parallel logins with right passwords would count as failures while they wait
  const checked = await inTurn(() => checkPassword(db, email, password, limits, caller, now));
  const guess = checked.totpConfirmedAt ? await countCode(db, checked.id, otp, now) : undefined;
  const signIn = async (tx: Tx): Promise<SignedIn> => {
    const user = await lockUser(tx, checked.id);
    if (!user?.isEnabled || user.passwordHash !== checked.passwordHash) throw invalidCredentials(); // changed meanwhile
    if (user.totpConfirmedAt) await requireCode(tx, parts, user, guess?.code, caller, now);
    await endSessionsOf(tx, sessions, formerTokens, 'logged_in_again');
    const mustDo = await findDuty(tx, await askForLongerPassword(tx, user, password));
    const { id: userId, role } = user;
    const tokens = await sessions.start(tx, { userId, role, rememberMe, now, device: caller.device, mustDo });
    return { user: await readUser(tx, userId), tokens };
  };
  const signedIn = await transact(db, signIn).catch(async (error: unknown) => {
    if (isWrongCode(error)) await countFailure(db, limits, now); // a failed login like any other
    throw error;
  });
  if (guess) await giveBack(db, guess.counted);
  caller.log.info({ event: 'login', user: checked.id });
  return signedIn;
}

/**
 * Counts a guess at the second factor before it is looked at.
 * @throws Problem 401 second_factor_required without a code, 429 too_many_attempts
 */
async function countCode(db: Db, userId: string, code: string | undefined, now: Date) {
  if (!code?.trim()) throw secondFactorRequired();
  return { code, counted: await countAttempt(db, codeRateLimits(userId), now) };
}

/** @throws Problem 401 second_factor_required or second_factor_invalid */
async function requireCode(
  tx: Tx,
  { secrets }: AuthParts,
  user: UserRow,
  code: string | undefined,
  { log }: Caller,
  now: Date,
): Promise<void> {
  if (code === undefined) throw secondFactorRequired(); // switched on since the password was checked
  const taken = await takeCode(tx, user, code, secrets.factorKey, now);
  if (taken === 'recovery') await sendNotice(tx, user, { what: 'recovery_code_used' }, now);
  if (taken) return;
  log.info({ event: 'login_failed', user: user.id, factor: 'second' });
  throw new Problem(401, wrongCode, authSays.secondFactorInvalid, {
    errors: [{ field: 'otp', message: authSays.secondFactorInvalid }],
  });
}

/** The length is checked at login, since a hash does not show it. */
async function askForLongerPassword(tx: Tx, user: UserRow, password: string): Promise<UserRow> {
  if (!isStaff(user.role) || password.length >= minStaffPasswordLength) return user;
  await changeUser(tx, user.id, { mustChangePassword: true });
  return { ...user, mustChangePassword: true };
}

/**
 * Makes a customer's account; it signs nobody in.
 * @throws Problem 409 email_taken, 429 too_many_attempts, 503 unavailable when too many register at once
 * Rule: docs/rules/accounts.md, Registering
 */
export async function register(
  { db }: AuthParts,
  registration: Schema<'Registration'>,
  caller: Caller,
  now: Date,
): Promise<UserWithAddresses> {
  const { fullName, email, password, street, city, state, postalCode } = registrationForm.parse(registration);
  refuseCommonPassword(password);
  await countAttempt(db, registerRateLimits(caller.address), now);
  const passwordHash = await inTurn(() => hashPassword(password)); // first, so that a taken email takes as long
  const user = await transact(db, async (tx) => {
    const { id } = await createUser(tx, { email, fullName, role: 'ROLE_CUSTOMER', passwordHash }, now);
    await createAddress(tx, id, { street, city, state, postalCode }, now);
    return readUser(tx, id);
  });
  caller.log.info({ event: 'registered', user: user.id });
  return user;
}

/** Ends the session of each token, good or expired. Rule: docs/rules/accounts.md, Logging out */
export async function logout({ db, sessions }: AuthParts, tokens: readonly string[]): Promise<void> {
  await transact(db, (tx) => endSessionsOf(tx, sessions, tokens, 'logged_out'));
}

/**
 * Exchanges a refresh token for the tokens that replace it.
 * @throws Problem 401 session_ended
 */
export async function refresh(
  { db, sessions }: AuthParts,
  refreshToken: string,
  log: FastifyBaseLogger,
  now: Date,
): Promise<SignedIn> {
  const outcome = await sessions.refresh(refreshToken, now);
  if (outcome.tokens) return { user: await readUser(db, outcome.userId), tokens: outcome.tokens };
  const { userId, familyId, reason, endsNow } = outcome;
  if (endsNow) log.warn({ event: 'session_ended', user: userId, session: familyId, reason });
  throw sessionEnded(reason);
}

/**
 * The account that email and password fit. The same is done for any email, known or not.
 * @throws Problem 401 invalid_credentials, 429 too_many_attempts
 */
async function checkPassword(
  db: Db,
  email: string,
  password: string,
  limits: readonly RateLimit[],
  { log }: Caller,
  now: Date,
): Promise<Pick<UserRow, 'id' | 'passwordHash' | 'totpConfirmedAt'>> {
  const counted = await countAttempt(db, limits, now);
  // a text that is no email address has no account, and the database would refuse some texts
  const user = emailRule.safeParse(email).success ? await findUserByEmail(db, email) : undefined;
  const fits = await isPassword(password, user?.passwordHash);
  if (!user?.isEnabled || !fits) {
    log.info({ event: 'login_failed', user: user?.id });
    throw invalidCredentials();
  }
  await giveBack(db, counted);
  return isOutdated(user.passwordHash) ? renewHash(db, user, password) : user;
}

async function renewHash(db: Db, user: UserRow, password: string): Promise<UserRow> {
  const passwordHash = await hashPassword(password);
  await replacePasswordHash(db, user.id, user.passwordHash, passwordHash);
  return { ...user, passwordHash };
}

async function endSessionsOf(tx: Tx, sessions: Sessions, tokens: readonly string[], reason: EndReason): Promise<void> {
  const familyIds = new Set<string>();
  for (const token of tokens) {
    const familyId = await sessions.familyOf(token);
    if (familyId !== undefined) familyIds.add(familyId);
  }
  for (const familyId of familyIds) await sessions.endFamily(tx, familyId, reason);
}

const wrongCode = 'second_factor_invalid';
const isWrongCode = (error: unknown): boolean => error instanceof Problem && error.code === wrongCode;
const secondFactorRequired = () => new Problem(401, 'second_factor_required', authSays.secondFactorRequired);
const invalidCredentials = () => new Problem(401, 'invalid_credentials', authSays.login.failure);

function sessionEnded(reason: string | undefined): Problem {
  const why =
    reason === 'reused'
      ? 'Your session was used in two places, so it was ended to protect your account'
      : 'Your session has ended';
  return new Problem(401, 'session_ended', `${why}. Please log in again.`);
}
