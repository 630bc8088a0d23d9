/**
 * Passwords as argon2id hashes, and how many are computed at once.
 * Rule: docs/rules/accounts.md, Passwords; ASVS 11.4.2
 */
import { hash, verify } from '@node-rs/argon2';
import { authMessages } from '../../../shared/authMessages';
import { maxPasswordLength } from '../../../shared/authForms';
import { networkOf } from '../../http/core/network';
import { invalid, unavailable } from '../../http/core/problems';
import list from './commonPasswords.json' with { type: 'json' };
import { createFairQueue } from '../../http/limits/fairQueue';
import { tooManyAttempts } from '../core/attemptLimits';

// OWASP Password Storage Cheat Sheet; each hash takes 19 MiB and about 20 ms of a core
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const costText = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;
/** A hash with the parameters of a real one, which no password matches. */
export const unusableHash = `${costText}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** @param password at most `maxPasswordLength` characters, used whole; call it within `inTurn` */
export function hashPassword(password: string): Promise<string> {
  if (password.length > maxPasswordLength) throw new Error('a password is longer than the forms let it be');
  return hash(asTyped(password), cost);
}

/**
 * Whether the password is the account's. Takes the same time without an account. Call it within `inTurn`.
 * @param passwordHash undefined when there is no such account
 */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  if (password.length > maxPasswordLength) return false;
  const fits = await verify(passwordHash ?? unusableHash, asTyped(password));
  return fits && passwordHash !== undefined;
}

/** Whether a hash has other parameters than today's, and should be replaced at the next login. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(costText);

/** Normalizes: one keyboard writes é as one code point, another as two. */
const asTyped = (password: string): string => password.normalize('NFKC');

const minuteMs = 60_000;

/** 40 of a network: the thirty people of an office who all log in at nine. 80 in all are about a second's work. */
export const turnLimits = { atOnce: 2, waiting: 80, ofNetwork: 40, ofAccount: 20 };

const queue = createFairQueue({ ...turnLimits, tooMany: () => tooManyAttempts(minuteMs), full: unavailable });

/** Whose password it is, by id or address, and where the request comes from. */
export type Asking = { account: string; address: string };

/**
 * Runs `work` when it is its turn; few at once, so that logins leave the rest of the shop its processors and memory.
 * @param prepare runs before the wait: what it throws leaves the queue to others
 * @throws Problem 429 too_many_attempts when too many of the account or the network wait already, 503 unavailable when
 *   too many of everybody do
 */
export const inTurn = <T>(
  { account, address }: Asking,
  work: () => Promise<T>,
  prepare?: () => Promise<void>,
): Promise<T> => queue.run({ account, network: networkOf(address) }, work, prepare);

const common = new Set([...list.passwords.split(' '), ...list.longPasswords.split(' ')]);

/**
 * Refuses one of the most common passwords; the list, with its source, is beside this file.
 * @param field of the form that sent it
 * @throws Problem 400 invalid_request
 * Rule: docs/rules/accounts.md, Passwords; ASVS 6.2.4
 */
export function refuseCommonPassword(password: string, field = 'password'): void {
  if (!common.has(password.normalize('NFKC').trim().toLowerCase())) return;
  throw invalid(authMessages.commonPassword, [{ field, message: authMessages.commonPassword }]);
}
