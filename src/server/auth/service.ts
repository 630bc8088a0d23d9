import type { FastifyBaseLogger } from 'fastify';
import { isStaff } from '../../shared/auth';
import { isStorable } from '../../shared/addressForms';
import { authMessages } from '../../shared/authMessages';
import { loginForm, minStaffPasswordLength } from '../../shared/authForms';
import type { Schema } from '../../shared/contract';
import { createAddress } from '../users/core/addresses';
import {
  changeUser,
  createUser,
  findUser,
  findUserByEmail,
  lockUser,
  readUser,
  replacePasswordHash,
  type UserRow,
  type UserWithAddresses,
} from '../users/core/service';
import { transact, type Db, type Tx } from '../db/core/transact';
import { Problem } from '../http/core/problems';
import {
  accountOf,
  codeRateLimits,
  countAttempt,
  countEach,
  loginRateLimits,
  loginSuccessLimits,
  noteSuccess,
  noteFailure,
  refuseLimited,
  registerRateLimits,
  type RateLimit,
} from './core/attemptLimits';
import { findDuty } from './core/requiredActions';
import { mailFirstProofLink } from './links/emailLinks';
import { findKnownDevice, knownDeviceCookie } from './sessions/knownDevices';
import { requestTakeoverLink } from './links/takeoverLinks';
import { sendNotice } from './core/notices';
import { hashPassword, inTurn, isOutdated, isPassword, refuseCommonPassword } from './factors/passwords';
import { takeCode } from './factors/secondFactor';
import { proofRequired } from './sessions/proofs';
import type { Secrets } from './core/secrets';
import type { EndReason, Sessions, Tokens } from './sessions/sessions';

export type AuthParts = { db: Db; sessions: Sessions; secrets: Secrets };
export type Caller = {
  /** The network address, for the limits. */
  address: string;
  /** Browser and system, as the user's own list of sessions shows them. */
  device: string;
  /** The known-device cookie, unchecked. */
  deviceCookie: string | undefined;
  /** Logs logins and stolen tokens, one line each, with ids only. */
  log: FastifyBaseLogger;
};
export type SignedIn = { user: UserWithAddresses; tokens: Tokens };

/**
 * Starts a session. Staff with too short a password (a customer made admin) must change it before anything else.
 * @param formerTokens the tokens that the browser still held: their sessions end with the new login
 * @param thumbprint of the key that the caller has proved, to which the session is bound
 * @throws Problem 401 invalid_credentials, the same for a wrong password, an unknown email and a disabled account,
 *   401 second_factor_required or second_factor_invalid after these are correct, 429 too_many_attempts, 503 unavailable
 *   when too many logins are waiting
 * Rule: docs/rules/accounts.md, Logging in
 */
export async function login(
  parts: AuthParts,
  credentials: Schema<'Credentials'>,
  formerTokens: readonly string[],
  thumbprint: Buffer | undefined,
  caller: Caller,
  now: Date,
): Promise<SignedIn & { deviceCookie: string }> {
  const { db, sessions, secrets } = parts;
  const { email, password } = loginForm.parse(credentials);
  const { rememberMe, otp } = credentials;
  const { address, deviceCookie } = caller;
  const knownDevice = await findKnownDevice(db, secrets, deviceCookie, email);
  const failures = loginRateLimits(email, { address, knownDevice });
  const limits = [...failures, ...loginSuccessLimits(email, { knownDevice })];
  const checked = await inTurn(
    { account: knownDevice ?? accountOf(email), address }, // a known device does not queue behind strangers' attempts
    // counted inside the queue: otherwise parallel correct logins would count as failures while they wait
    () => checkPassword(db, email, password, limits, caller, now),
    () => refuseLimited(db, limits, now),
  );
  const codeLimits = codeRateLimits(checked.id, knownDevice);
  const codeAttempt = checked.totpConfirmedAt ? await countCode(db, codeLimits, otp, now) : undefined;
  const signIn = async (tx: Tx) => {
    const user = await lockUser(tx, checked.id);
    if (!user?.isEnabled || user.passwordHash !== checked.passwordHash) throw invalidCredentials(); // changed since
    if (user.totpConfirmedAt) await requireCode(tx, parts, user, codeAttempt?.code, caller, now);
    await endSessionsOf(tx, sessions, formerTokens, 'logged_in_again');
    const mustDo = await findDuty(tx, await requireLongerPassword(tx, user, password));
    const { id: userId, role } = user;
    const { device } = caller;
    const tokens = await sessions.start(tx, { userId, role, rememberMe, now, device, thumbprint, mustDo });
    return {
      user: await readUser(tx, userId),
      tokens,
      deviceCookie: knownDeviceCookie(secrets, deviceCookie, user),
    };
  };
  const signedIn = await transact(db, signIn).catch(async (error: unknown) => {
    if (isWrongCode(error)) await countEach(db, failures, now); // a failed login like any other
    throw error;
  });
  if (codeAttempt) await noteSuccess(db, codeAttempt.counted);
  caller.log.info({ event: 'login', user: checked.id });
  return signedIn;
}

/**
 * Counts an attempt at the second factor before the code is checked.
 * @throws Problem 401 second_factor_required without a code, 429 too_many_attempts
 */
async function countCode(db: Db, limits: readonly RateLimit[], code: string | undefined, now: Date) {
  if (!code?.trim()) throw secondFactorRequired();
  return { code, counted: await countAttempt(db, limits, now) };
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
  if (code === undefined) throw secondFactorRequired(); // turned on since the password was checked
  const taken = await takeCode(tx, user, code, secrets.factorKeys, now);
  if (taken === 'recovery') await sendNotice(tx, user, { what: 'recovery_code_used' }, now);
  if (taken) return;
  log.info({ event: 'login_failed', user: user.id, factor: 'second' });
  throw new Problem(401, wrongCode, authMessages.secondFactorInvalid, {
    errors: [{ field: 'otp', message: authMessages.secondFactorInvalid }],
  });
}

/** The length is checked at login, since the hash does not reveal it. */
async function requireLongerPassword(tx: Tx, user: UserRow, password: string): Promise<UserRow> {
  if (!isStaff(user.role) || password.length >= minStaffPasswordLength) return user;
  await changeUser(tx, user.id, { mustChangePassword: true });
  return { ...user, mustChangePassword: true };
}

/**
 * Creates a customer's account and mails the link that proves its address; the caller is not signed in. A taken address
 * may be mailed a takeover link.
 * @throws Problem 409 email_taken, 429 too_many_attempts, 503 unavailable when too many registrations are waiting
 * Rule: docs/rules/accounts.md, Registering
 */
export async function register(
  parts: AuthParts,
  registration: Schema<'Registration'>,
  caller: Caller,
  now: Date,
): Promise<UserWithAddresses> {
  const { fullName, email, password, street, city, state, postalCode } = registration;
  refuseCommonPassword(password);
  await countAttempt(parts.db, registerRateLimits(caller.address), now);
  const asking = { account: accountOf(email), address: caller.address };
  const passwordHash = await inTurn(asking, () => hashPassword(password)); // first, so that a taken email takes as long
  const user = await transact(parts.db, async (tx) => {
    const { id } = await createUser(tx, { email, fullName, role: 'ROLE_CUSTOMER', passwordHash }, now);
    await createAddress(tx, id, { street, city, state, postalCode }, now);
    await mailFirstProofLink(tx, parts.secrets, { userId: id, email, address: caller.address }, now);
    return readUser(tx, id);
  }).catch(async (error: unknown) => {
    if (isProblem(error, 'email_taken')) await requestTakeoverLink(parts.db, { email, address: caller.address });
    throw error;
  });
  caller.log.info({ event: 'registered', user: user.id });
  return user;
}

/**
 * Ends the session of each token, valid or expired. If none names a session, no query is made, since any client can
 * make this call without limit. Rule: docs/rules/accounts.md, Logging out
 */
export async function logout({ db, sessions }: AuthParts, tokens: readonly string[]): Promise<void> {
  const named = await Promise.all(tokens.map((token) => sessions.familyOf(token)));
  const familyIds = new Set(named.filter((id) => id !== undefined));
  if (familyIds.size === 0) return;
  await transact(db, async (tx) => {
    for (const familyId of familyIds) await sessions.endFamily(tx, familyId, 'logged_out');
  });
}

/**
 * Exchanges a refresh token for its successors.
 * @param thumbprint of the key that the caller has proved
 * @throws Problem 401 session_ended; 401 proof_required, which leaves the session open
 */
export async function refresh(
  { db, sessions }: AuthParts,
  refreshToken: string,
  thumbprint: Buffer | undefined,
  log: FastifyBaseLogger,
  now: Date,
): Promise<SignedIn> {
  const outcome = await sessions.refresh(refreshToken, thumbprint, now);
  if (outcome.tokens) return { user: await readUser(db, outcome.userId), tokens: outcome.tokens };
  const { userId, familyId, reason, endsNow } = outcome;
  if (endsNow) log.warn({ event: 'session_ended', user: userId, session: familyId, reason });
  if (reason !== 'proof_required') throw sessionEnded(reason);
  log.info({ event: 'proof_required', user: userId, session: familyId });
  throw proofRequired();
}

/**
 * Finds the account that matches email and password. Known and unknown emails take the same steps.
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
  const user = isStorable(email) ? await findUserByEmail(db, email) : undefined;
  const matches = await isPassword(password, user?.passwordHash);
  if (!user?.isEnabled || !matches) {
    await noteFailure(db, counted);
    log.info({ event: 'login_failed', user: user?.id });
    throw invalidCredentials();
  }
  await noteSuccess(db, counted);
  return isOutdated(user.passwordHash) ? renewHash(db, user, password) : user;
}

/** @returns the user with the current hash if the password matches it: a parallel login may have renewed it first */
async function renewHash(db: Db, user: UserRow, password: string): Promise<UserRow> {
  const passwordHash = await hashPassword(password);
  if (await replacePasswordHash(db, user.id, user.passwordHash, passwordHash)) return { ...user, passwordHash };
  const changed = await findUser(db, user.id);
  return changed && (await isPassword(password, changed.passwordHash)) ? changed : user;
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
const isWrongCode = (error: unknown): boolean => isProblem(error, wrongCode);
const isProblem = (error: unknown, code: string): boolean => error instanceof Problem && error.code === code;
const secondFactorRequired = () => new Problem(401, 'second_factor_required', authMessages.secondFactorRequired);
const invalidCredentials = () => new Problem(401, 'invalid_credentials', authMessages.login.failure);

function sessionEnded(reason: string | undefined): Problem {
  const why =
    reason === 'reused'
      ? 'Your login was used in two places, so we ended it to protect your account'
      : 'Your session expired';
  return new Problem(401, 'session_ended', `${why}. Log in again.`);
}
