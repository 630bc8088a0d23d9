/** What the back office says of users. Rule: docs/rules/back-office.md, Users */
export const userStaffSays = {
  noUsers: 'No users found.',
  loading: 'Loading user profile...',
  inactivateAsks: 'Every device that is signed in to this account is signed out at once, and nobody can sign in to it.',
  endSessionsAsks: 'Every device that is signed in to this account is signed out at once.',
  notKnown: 'N/A',
  changed: (count: number, isEnabled: boolean) =>
    `${count === 1 ? '1 user' : `${count} users`} ${isEnabled ? 'enabled' : 'disabled'}`,
} as const;
