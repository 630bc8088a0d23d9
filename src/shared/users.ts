/** Limits and messages of accounts. Rule: docs/rules/accounts.md, An account */

/** Maximum number of addresses, and lengths in characters. The contract has the same limits. */
export const accountLimits = {
  addresses: 20,
  fullName: 120,
  description: 1000,
  phoneNumber: 40,
} as const;

/** Role labels in the form for a new user; ROLE_USER is an alias of ROLE_CUSTOMER. */
export const roleNames = {
  ROLE_ADMIN: 'Admin',
  ROLE_CUSTOMER: 'User',
  ROLE_USER: 'User',
  ROLE_OWNER: 'Owner',
} as const;

/** Labels in the list of users for enabled accounts. Rule: docs/rules/accounts.md, Roles */
export const stateNames = { on: 'Active', off: 'Inactive' } as const;

export const userMessages = {
  getUser: { success: 'User', failure: 'Failed to fetch user' },
  listUsers: { success: 'Users', failure: 'Error fetching users' },
  createUser: { success: 'User created successfully!', failure: 'User creation failed' },
  updateProfile: { success: 'Profile updated successfully', failure: 'Failed to update profile' },
  setOwnPicture: { success: 'Picture saved', failure: 'Failed to save the picture' },
  removeOwnPicture: { success: 'Picture removed', failure: 'Failed to remove the picture' },
  addAddress: { success: 'Address added successfully', failure: 'Failed to add address' },
  updateAddress: { success: 'Address updated successfully', failure: 'Failed to update address' },
  removeAddress: { success: 'Address removed successfully', failure: 'Failed to remove address' },
  listPromotions: { success: 'Accounts made staff', failure: 'Failed to fetch who was made staff' },
  updateUserRole: { failure: 'Failed to update user role' },
  exportUsers: { failure: 'Failed to export the users' },
  endSessionsOfUser: { success: 'User signed out everywhere', failure: 'Failed to end the sessions' },
  updateUserEnabled: { failure: 'Failed to update user' },
  emailTaken: 'There is already an account with this email',
  emailUnproven:
    'Somebody registered this email and never confirmed it. We mail a link to it, three times a day at most: whoever opens it gets the account, empty.',
  tooManyAddresses: `Please remove an address first: an account keeps up to ${accountLimits.addresses}`,
  addressNotFound: 'Address not found',
  userNotFound: 'User not found',
  ownRole: 'You cannot change your own role',
  ownerRole: "The owner's role cannot be changed",
  unprovenRole: 'This user has not confirmed the email address yet, and becomes an admin only after that',
  ownerSessions: "The owner's sessions are ended by an owner only",
  ownerEnabled: 'The owner cannot be switched off',
  codeForEmail: 'Please enter a code from your authenticator app, or a recovery code',
  emailWaits: 'We have mailed a link to the new address. When you open it, it takes the place of the present one.',
  passwordForEmail: 'Please enter your password to change the email address',
  dobInFuture: 'Please enter a date that is not in the future',
} as const;

/** @returns 'User role updated to Admin' */
export const roleUpdated = (role: keyof typeof roleNames) => `User role updated to ${roleNames[role]}`;

/** @returns 'User enabled successfully' */
export const enabledUpdated = (isEnabled: boolean) => `User ${isEnabled ? 'enabled' : 'disabled'} successfully`;
