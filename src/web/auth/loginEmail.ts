import { session } from '../server/session';

/**
 * The address that a registration, or asking for a new password, leaves for the login to fill in. It is in memory only: an
 * entry of the browser's history would show it again after a logout.
 */
let email = '';
session.subscribe(() => (email = ''));

export const loginEmail = {
  get: () => email,
  keep: (next: string) => void (email = next),
};
