/** Messages about users for staff. Rule: docs/rules/back-office.md, Users */
import { countOf, formatCount } from './counts';

export const userStaffMessages = {
  noUsers: 'No users found.',
  loading: 'Loading user profile...',
  inactivateAsks: 'Every device that is signed in to this account is signed out at once, and nobody can sign in to it.',
  endSessionsAsks: 'Every device that is signed in to this account is signed out at once.',
  promotedBy: (fullName: string) => `Made staff by ${fullName}`,
  promotedAt: (time: string, fullName: string) => `${time}, by ${fullName}`,
  leftBehind: 'These accounts are staff still',
  leftBehindAsks:
    'Somebody who is not staff any more made them so. Look through them, and take back what should not be.',
  more: (count: number) => `and ${formatCount(count)} more: see the audit log`,
  notKnown: 'N/A',
  unproven: (email: string) => `${email} (not confirmed)`,
  changed: (count: number, isEnabled: boolean) => `${countOf(count, 'user')} ${isEnabled ? 'enabled' : 'disabled'}`,
} as const;
