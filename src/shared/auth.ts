import { unexpected } from './failures';

/** The roles on the wire and in the database. Source: specification §4 */
export const roles = ['ROLE_CUSTOMER', 'ROLE_ADMIN', 'ROLE_OWNER'] as const;
export type Role = (typeof roles)[number];

/** @returns whether a role opens the admin screens */
export function isStaff(role: Role): boolean {
  return role !== 'ROLE_CUSTOMER';
}

/** The sentences of signing in and out. Source: specification §6, §8 */
export const authSays = {
  login: { success: 'Login successful', failure: 'Incorrect username/password' },
  logout: { success: 'Logout successful', failure: unexpected },
  register: { success: 'Registration successful!', failure: 'Registration failed' },
  getUser: { failure: 'Failed to fetch user' },
  noUser: 'User data is not available',
  loginToAdd: 'You need to be logged in to add items to your cart',
  loginToSeeCart: 'Login to see items in your cart',
} as const;

/**
 * Where `?redirect=` may lead: a path of the shop itself, never another site and never back to the login.
 * @returns the path with its query, or undefined for anything else
 */
export function ownPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || /[\\\p{C}]/u.test(value)) return undefined;
  return /^\/(?:login|register)(?:[/?#]|$)/.test(value) ? undefined : value;
}

/** Where a login leads when the visitor was not on the way to somewhere. Source: specification §4 */
export function landingPage(role: Role): string {
  return isStaff(role) ? '/' : '/cart';
}
