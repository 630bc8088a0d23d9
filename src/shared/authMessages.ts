import { unexpected } from './failures';

/** Messages about signing in and out, in a file of their own because the first page needs none. Rule: docs/rules/accounts.md, Messages */
export const authMessages = {
  login: { success: 'Login successful', failure: 'Incorrect username/password' },
  logout: { success: 'Logout successful', failure: unexpected },
  register: { success: 'Registration successful!', failure: 'Registration failed' },
  askForReset: {
    success: "If there's an account for that email, a reset link is on its way. It expires in 30 minutes.",
    failure: unexpected,
  },
  resetPassword: { success: 'Your password was changed. Log in with the new one.', failure: unexpected },
  resetLinkInvalid: 'This link has expired or was already used. Get a new one.',
  proofMailed: 'Check your email for a link to confirm your address. You can order right away.',
  proveEmail: { success: 'Your email is confirmed', failure: unexpected },
  sendProofLink: { success: 'We sent you a link. It expires in 30 minutes.', failure: unexpected },
  takeOverAccount: { success: 'The email is yours now. Log in to your new account.', failure: unexpected },
  emailLinkInvalid: 'This link has expired or was already used. Get a new one.',
  loginForLink: 'Log in to your account in this browser first, then open the link again.',
  emailNotProven: 'Confirm your email first. Open the link we sent you.',
  emailProven: 'Your email is already confirmed',
  changePassword: { success: 'Password changed', failure: "Couldn't change your password. Try again." },
  wrongPassword: "That password isn't right",
  commonPassword: 'That password is too common. Try another.',
  samePassword: "Choose a password you aren't using now",
  beginSecondFactor: { success: 'Scan the QR code with your authenticator app', failure: unexpected },
  confirmSecondFactor: { success: 'Two-step login is on', failure: unexpected },
  newRecoveryCodes: { success: 'Your old recovery codes no longer work', failure: unexpected },
  disableSecondFactor: { success: 'Two-step login is off', failure: unexpected },
  secondFactorRequired: 'Enter the code from your authenticator app',
  secondFactorInvalid: "That code isn't right",
  secondFactorIsOn: 'Two-step login is already on',
  secondFactorIsOff: "Two-step login isn't on",
  secondFactorNotBegun: 'Start setting up two-step login first',
  secondFactorForStaff: 'Two-step login is required for all staff',
  passwordChangeRequired: 'Change your password first',
  secondFactorSetupRequired: 'Set up two-step login first',
  endSession: { success: 'Device logged out', failure: "Couldn't log the device out. Try again." },
  endOtherSessions: { success: 'All other devices logged out', failure: "Couldn't log the devices out. Try again." },
  listSessions: { success: 'Devices', failure: "Couldn't load your devices" },
  sessionNotFound: 'That device is already logged out',
  nonce: 'The nonce is in the DPoP-Nonce header',
  proofRequired: 'For your security, this login only works on the device it started on. Log in again.',
  proofNeedsNonce: 'The proof is out of date. Send another one with the nonce from this response.',
  proofInvalid: 'The proof is invalid',
  pages: {
    login: 'Log in to see your cart, orders, and addresses.',
    register: 'Create an account to order and to see your orders.',
    forgotPassword: 'Get an email with a link to reset your password.',
  },
  noCookies: 'Your browser is blocking cookies. Allow them for this site to log in.',
  noUser: 'User data is not available',
} as const;

/** The confirmation on logout while changes are unsent. Rule: docs/rules/offline.md, Logging out with unsent changes */
export const logoutMessages = {
  title: 'Log out with unsent changes?',
  unsent: (count: number) =>
    count === 1 ? "1 change hasn't been sent to the shop yet." : `${count} changes haven't been sent to the shop yet.`,
  send: 'Send and log out',
  discard: 'Discard and log out',
  stay: 'Stay',
} as const;
