/** Passwords as argon2id hashes, and how many are computed at once. Source: decisions §2, ASVS 11.4.2 */
import { hash, verify } from '@node-rs/argon2';
import { maxPasswordLength } from '../../shared/authForms';
import { Problem } from '../http/problems';

// OWASP Password Storage Cheat Sheet; each hash takes 19 MiB and about 20 ms of a core
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const costText = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;
/** Has the form and the price of a real one, and fits no password. */
export const nobodysHash = `${costText}${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** @param password at most `maxPasswordLength` characters, used whole; call it within `inTurn` */
export function hashPassword(password: string): Promise<string> {
  if (password.length > maxPasswordLength) throw new Error('a password is longer than the forms let it be');
  return hash(asTyped(password), cost);
}

/**
 * Whether the password is the account's. Takes as long for nobody's account; call it within `inTurn`.
 * @param passwordHash undefined when there is no such account
 */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  if (password.length > maxPasswordLength) return false;
  const fits = await verify(passwordHash ?? nobodysHash, asTyped(password));
  return fits && passwordHash !== undefined;
}

/** Whether a hash was made at another price than today's, and should be made anew at the next login. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(costText);

/** One keyboard writes é as one sign, another as two. */
const asTyped = (password: string): string => password.normalize('NFKC');

const atOnce = 2;
const maxWaiting = 80; // about a second's work: who would wait longer is told to come again
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
    const next = waiting.shift(); // whoever waits longest takes over this turn
    if (next) next();
    else running--;
  }
}

function nextTurn(): Promise<void> {
  if (waiting.length >= maxWaiting) {
    throw new Problem(503, 'unavailable', 'The shop is busy right now. Please try again.', { retryAfterSeconds: 2 });
  }
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}
