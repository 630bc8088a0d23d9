/** Messages about users for staff. Rule: docs/rules/back-office.md, Users */
import { countOf, formatCount } from './counts';

export const userStaffMessages = {
  noUsers: 'No users found.',
  loading: 'Loading user profile...',
  inactivateAsks: "They'll be logged out everywhere and can't log in until you reactivate them.",
  endSessionsAsks: "They'll be logged out on every device.",
  promotedBy: (fullName: string) => `Promoted to staff by ${fullName}`,
  promotedAt: (time: string, fullName: string) => `${time} by ${fullName}`,
  leftBehind: 'These accounts are still staff',
  leftBehindAsks:
    "Someone who's no longer staff promoted them. Review the list and remove access where it isn't needed.",
  more: (count: number) => `and ${formatCount(count)} more. See the audit log.`,
  notKnown: 'N/A',
  unproven: (email: string) => `${email} (not confirmed)`,
  changed: (count: number, isEnabled: boolean) =>
    `${countOf(count, 'user')} ${isEnabled ? 'activated' : 'deactivated'}`,
} as const;
