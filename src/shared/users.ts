/** Limits and messages of accounts. Rule: docs/rules/accounts.md, An account */

/** Maximum number of addresses, and lengths in characters. The contract has the same limits. */
export const accountLimits = {
  addresses: 20,
  fullName: 120,
  description: 1000,
  phoneNumber: 40,
} as const;

export const userMessages = {
  getUser: { success: 'User', failure: 'Failed to fetch user' },
  updateProfile: { success: 'Profile updated successfully', failure: 'Failed to update profile' },
  setOwnPicture: { success: 'Photo saved', failure: "Couldn't save the photo. Try again." },
  removeOwnPicture: { success: 'Photo removed', failure: "Couldn't remove the photo. Try again." },
  addAddress: { success: 'Address added successfully', failure: 'Failed to add address' },
  updateAddress: { success: 'Address updated', failure: "Couldn't update the address. Try again." },
  removeAddress: { success: 'Address removed successfully', failure: 'Failed to remove address' },
  emailTaken: "There's already an account with this email",
  tooManyAddresses: `You can save up to ${accountLimits.addresses} addresses. Remove one first.`,
  addressNotFound: 'Address not found',
  noAddresses: 'No saved addresses found.',
  userNotFound: 'User not found',
  codeForEmail: 'Enter a code from your authenticator app, or a recovery code',
  emailWaits: 'We sent a link to the new email. Your email changes when you open that link.',
  passwordForEmail: 'Enter your password to change your email',
  dobInFuture: "Enter a date that isn't in the future",
} as const;
