import { session } from '../server/session';

/**
 * The email that registration or password reset passes to the login form. Kept in memory only: a history entry would
 * show it again after a logout.
 */
let email = '';
session.subscribe(() => (email = ''));

export const loginEmail = {
  get: () => email,
  set: (next: string) => void (email = next),
};
