/**
 * Passwords as argon2id hashes, and the queue that limits concurrent hashing.
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
/** A hash with real parameters that no password matches. */
export const unusableHash = `${costText}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** @param password at most `maxPasswordLength` characters, hashed in full; call it within `inTurn` */
export function hashPassword(password: string): Promise<string> {
  if (password.length > maxPasswordLength) throw new Error('password exceeds the maximum length the forms allow');
  return hash(normalize(password), cost);
}

/**
 * Takes the same time without an account. Call it within `inTurn`.
 * @param passwordHash undefined when the account does not exist
 */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  if (password.length > maxPasswordLength) return false;
  const matches = await verify(passwordHash ?? unusableHash, normalize(password));
  return matches && passwordHash !== undefined;
}

/** Whether a hash has outdated parameters and should be replaced at the next login. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(costText);

/** Normalizes: some keyboards write é as one code point, others as two. */
const normalize = (password: string): string => password.normalize('NFKC');

const minuteMs = 60_000;

/**
 * `ofNetwork` 40 allows the thirty people of an office who all log in at nine; `waiting` 80 is about a second's work.
 */
export const turnLimits = { concurrency: 2, waiting: 80, ofNetwork: 40, ofAccount: 20 };

const queue = createFairQueue({ ...turnLimits, tooMany: () => tooManyAttempts(minuteMs), full: unavailable });

/** The account, by id or email hash, and the network address of the request. */
export type Requester = { account: string; address: string };

/**
 * Queues `work` so that only a few run at the same time and logins leave CPU and memory to the rest of the shop.
 * @param prepare runs before the wait; if it throws, no slot in the queue is taken
 * @throws Problem 429 too_many_attempts when too many requests of the account or the network are waiting, 503
 *   unavailable when too many are waiting overall
 */
export const inTurn = <T>(
  { account, address }: Requester,
  work: () => Promise<T>,
  prepare?: () => Promise<void>,
): Promise<T> => queue.run({ account, network: networkOf(address) }, work, prepare);

const common = new Set([...list.passwords.split(' '), ...list.longPasswords.split(' ')]);

/**
 * Rejects the most common passwords; the list and its source are next to this file.
 * @param field the form field to report
 * @throws Problem 400 invalid_request
 * Rule: docs/rules/accounts.md, Passwords; ASVS 6.2.4
 */
export function refuseCommonPassword(password: string, field = 'password'): void {
  if (!common.has(password.normalize('NFKC').trim().toLowerCase())) return;
  throw invalid(authMessages.commonPassword, [{ field, message: authMessages.commonPassword }]);
}
