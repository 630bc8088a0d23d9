import { unexpected } from './failures';

/** Messages about signing in and out, in a file of their own because the first page needs none. Rule: docs/rules/accounts.md, Messages */
export const authMessages = {
  login: { success: 'Login successful', failure: 'Incorrect username/password' },
  logout: { success: 'Logout successful', failure: unexpected },
  register: { success: 'Registration successful!', failure: 'Registration failed' },
  askForReset: {
    success: 'If this address has an account, a link to set a new password is on its way. It works for 30 minutes.',
    failure: unexpected,
  },
  resetPassword: { success: 'Your password has been changed. Please log in.', failure: unexpected },
  resetLinkInvalid: 'This link has expired or was used already. Please ask for a new one.',
  proofMailed: 'Please open the link in our mail to confirm your email address. You can log in and order without it.',
  proveEmail: { success: 'Your email address is confirmed', failure: unexpected },
  sendProofLink: { success: 'A link is on its way to you. It works for 30 minutes.', failure: unexpected },
  takeOverAccount: { success: 'The account is yours. Please log in.', failure: unexpected },
  emailLinkInvalid: 'This link has expired or was used already. Please ask for a new one.',
  loginForLink: 'Please log in to your account in this browser first, and then open the link once more.',
  emailNotProven: 'Please confirm your email address first: open the link that we mailed to you.',
  emailProven: 'Your email address is confirmed already',
  changePassword: { success: 'Password changed successfully', failure: 'Failed to change password' },
  wrongPassword: 'The password is not right',
  commonPassword: 'This password is one of the most common ones. Please choose another',
  samePassword: 'Please choose a password that differs from the present one',
  beginSecondFactor: { success: 'Scan the code with your authenticator app', failure: unexpected },
  confirmSecondFactor: { success: 'Two-step login is on', failure: unexpected },
  disableSecondFactor: { success: 'Two-step login is off', failure: unexpected },
  secondFactorRequired: 'Please enter the code from your authenticator app',
  secondFactorInvalid: 'The code is not right',
  secondFactorIsOn: 'Two-step login is on already',
  secondFactorIsOff: 'Two-step login is not on',
  secondFactorNotBegun: 'Please begin to set up two-step login first',
  secondFactorForStaff: 'Two-step login is required for everybody who works in the shop',
  passwordChangeRequired: 'Please change your password first',
  secondFactorSetupRequired: 'Please set up two-step login first',
  endSession: { success: 'The session has been ended', failure: 'Failed to end the session' },
  endOtherSessions: { success: 'All other sessions have been ended', failure: 'Failed to end the sessions' },
  listSessions: { success: 'Sessions', failure: 'Failed to fetch the sessions' },
  sessionNotFound: 'This session has ended already',
  nonce: 'The nonce stands in the header DPoP-Nonce',
  proofRequired: 'This session goes on only on the device that it is bound to. Please log in again.',
  proofNeedsNonce: 'The proof is not new. Please send another one with the nonce of this answer.',
  proofInvalid: 'The proof cannot be accepted',
  pages: {
    login: 'Log in to your account: cart, orders and addresses.',
    register: 'Make an account to order, and to see your orders again.',
    forgotPassword: 'Get a link by mail to set a new password.',
  },
  noCookies: 'Your browser refuses cookies. Allow them for this site to log in.',
  noUser: 'User data is not available',
} as const;

/** The confirmation on logout while changes are unsent. Rule: docs/rules/offline.md, Logging out with unsent changes */
export const logoutMessages = {
  title: 'Log out with unsent changes?',
  unsent: (count: number) =>
    count === 1 ? '1 change was not sent to the shop yet.' : `${count} changes were not sent to the shop yet.`,
  send: 'Send and log out',
  discard: 'Discard and log out',
  stay: 'Stay',
} as const;
