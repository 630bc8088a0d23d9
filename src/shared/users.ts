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
  setOwnPicture: { success: 'Photo saved', failure: "Couldn't save the photo. Try again." },
  removeOwnPicture: { success: 'Photo removed', failure: "Couldn't remove the photo. Try again." },
  addAddress: { success: 'Address added successfully', failure: 'Failed to add address' },
  updateAddress: { success: 'Address updated', failure: "Couldn't update the address. Try again." },
  removeAddress: { success: 'Address removed successfully', failure: 'Failed to remove address' },
  listPromotions: { success: 'Accounts promoted to staff', failure: "Couldn't load the promoted accounts" },
  updateUserRole: { failure: 'Failed to update user role' },
  exportUsers: { failure: "Couldn't export users. Try again." },
  endSessionsOfUser: { success: 'User logged out everywhere', failure: "Couldn't log the devices out. Try again." },
  updateUserEnabled: { failure: "Couldn't update the user. Try again." },
  emailTaken: "There's already an account with this email",
  emailUnproven:
    'Someone signed up with this email but never confirmed it. We sent a link to that email (up to three a day). The person who opens it gets a new, empty account.',
  tooManyAddresses: `You can save up to ${accountLimits.addresses} addresses. Remove one first.`,
  addressNotFound: 'Address not found',
  noAddresses: 'No saved addresses found.',
  userNotFound: 'User not found',
  ownRole: "You can't change your own role",
  ownerRole: "The owner's role can't be changed",
  unprovenRole: "This user hasn't confirmed their email yet. They can become an admin after that.",
  ownerSessions: 'Only an owner can log an owner out',
  ownerEnabled: "The owner can't be deactivated",
  codeForEmail: 'Enter a code from your authenticator app, or a recovery code',
  emailWaits: 'We sent a link to the new email. Your email changes when you open that link.',
  passwordForEmail: 'Enter your password to change your email',
  dobInFuture: "Enter a date that isn't in the future",
} as const;

/** @returns 'User role updated to Admin' */
export const roleUpdated = (role: keyof typeof roleNames) => `User role updated to ${roleNames[role]}`;

/** @returns 'User activated' */
export const enabledUpdated = (isEnabled: boolean) => `User ${isEnabled ? 'activated' : 'deactivated'}`;
