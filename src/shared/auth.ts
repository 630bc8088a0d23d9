import type { Schema } from './contract';

/** The roles on the wire and in the database. Rule: docs/rules/accounts.md, Roles */
export const roles = ['ROLE_CUSTOMER', 'ROLE_ADMIN', 'ROLE_OWNER'] as const;
export type Role = (typeof roles)[number];

/** @returns whether a role opens the admin screens */
export function isStaff(role: Role): boolean {
  return role !== 'ROLE_CUSTOMER';
}

/**
 * Checks the target of `?redirect=`: only a path within the shop, never another site and never the login page itself.
 * @returns the path with its query; undefined for anything else
 */
export function ownPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || /[\\\p{C}]/u.test(value)) return undefined;
  return /^\/(?:login|register)(?:[/?#]|$)/.test(value) ? undefined : value;
}

/** The page where the user completes each duty. Rule: docs/rules/accounts.md, Duties */
export const dutyPages = {
  change_password: '/customer/edit/password',
  set_up_second_factor: '/customer/edit/second-factor',
} as const satisfies Record<NonNullable<Schema<'MustDo'>>, string>;

/** Where a login without `?redirect=` leads. Rule: docs/rules/accounts.md, Logging in */
export function landingPage(role: Role): string {
  return isStaff(role) ? '/dashboard' : '/cart';
}
