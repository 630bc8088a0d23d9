/**
 * Passwords as argon2id hashes, and how many are computed at once.
 * Rule: docs/rules/accounts.md, Passwords; ASVS 11.4.2
 */
import { hash, verify } from '@node-rs/argon2';
import { authSays } from '../../shared/authSays';
import { maxPasswordLength } from '../../shared/authForms';
import { invalid, unavailable } from '../http/problems';
import list from './commonPasswords.json' with { type: 'json' };

// OWASP Password Storage Cheat Sheet; each hash takes 19 MiB and about 20 ms of a core
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const costText = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;
/** A hash with the parameters of a real one, which no password matches. */
export const nobodysHash = `${costText}${'A'.repeat(22)}$${'A'.repeat(43)}`;

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
  const fits = await verify(passwordHash ?? nobodysHash, asTyped(password));
  return fits && passwordHash !== undefined;
}

/** Whether a hash has other parameters than today's, and should be replaced at the next login. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(costText);

/** Normalizes: one keyboard writes é as one code point, another as two. */
const asTyped = (password: string): string => password.normalize('NFKC');

const atOnce = 2;
const maxWaiting = 80; // about a second's work; later callers get 503
const waiting: (() => void)[] = [];
let running = 0;

/**
 * Runs `work` when it is its turn; few at once, so that logins leave the rest of the shop its processors and memory.
 * @throws Problem 503 unavailable when too many wait already
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < atOnce) running++;
  else await nextTurn();
  try {
    return await work();
  } finally {
    const next = waiting.shift(); // the longest waiting caller takes over this turn
    if (next) next();
    else running--;
  }
}

function nextTurn(): Promise<void> {
  if (waiting.length >= maxWaiting) {
    throw unavailable();
  }
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

const common = new Set([...list.passwords.split(' '), ...list.longPasswords.split(' ')]);

/**
 * Refuses one of the most common passwords; the list, with its source, is beside this file.
 * @param field of the form that sent it
 * @throws Problem 400 invalid_request
 * Rule: docs/rules/accounts.md, Passwords; ASVS 6.2.4
 */
export function refuseCommonPassword(password: string, field = 'password'): void {
  if (!common.has(password.normalize('NFKC').trim().toLowerCase())) return;
  throw invalid(authSays.commonPassword, [{ field, message: authSays.commonPassword }]);
}
