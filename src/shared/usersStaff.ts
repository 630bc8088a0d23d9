/** Labels and messages about users for staff. Rule: docs/rules/back-office.md, Users */
import { countOf, formatCount } from './counts';

/** Role labels in the form for a new user; ROLE_USER is an alias of ROLE_CUSTOMER. */
export const roleNames = {
  ROLE_ADMIN: 'Admin',
  ROLE_CUSTOMER: 'User',
  ROLE_USER: 'User',
  ROLE_OWNER: 'Owner',
} as const;

/** Labels in the list of users for enabled accounts. Rule: docs/rules/accounts.md, Roles */
export const stateNames = { on: 'Active', off: 'Inactive' } as const;

export const userStaffMessages = {
  listUsers: { success: 'Users', failure: 'Error fetching users' },
  createUser: { success: 'User created successfully!', failure: 'User creation failed' },
  inviteStaff: { success: 'Invitation sent', failure: "Couldn't send the invitation. Try again." },
  inviteHint: 'They get an email with a link to choose their password. It works for 72 hours.',
  listPromotions: { success: 'Accounts promoted to staff', failure: "Couldn't load the promoted accounts" },
  updateUserRole: { failure: 'Failed to update user role' },
  exportUsers: { failure: "Couldn't export users. Try again." },
  endSessionsOfUser: { success: 'User logged out everywhere', failure: "Couldn't log the devices out. Try again." },
  updateUserEnabled: { failure: "Couldn't update the user. Try again." },
  emailUnproven:
    'Someone signed up with this email but never confirmed it. We sent a link to that email (up to three a day). The person who opens it gets a new, empty account.',
  ownRole: "You can't change your own role",
  ownerRole: "The owner's role can't be changed",
  unprovenRole: "This user hasn't confirmed their email yet. They can become an admin after that.",
  ownerSessions: 'Only an owner can log an owner out',
  ownerEnabled: "The owner can't be deactivated",
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

/** @returns 'User role updated to Admin' */
export const roleUpdated = (role: keyof typeof roleNames) => `User role updated to ${roleNames[role]}`;

/** @returns 'User activated' */
export const enabledUpdated = (isEnabled: boolean) => `User ${isEnabled ? 'activated' : 'deactivated'}`;
