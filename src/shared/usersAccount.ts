/** Messages of the account pages. Rule: docs/rules/accounts.md, Messages */
import type { Role } from './auth';

/** Address cards per page. Rule: docs/rules/screens.md, Account pages */
export const addressesPerPage = 6;

export const roleLabels: Record<Role, string> = {
  ROLE_CUSTOMER: 'Customer',
  ROLE_ADMIN: 'Admin',
  ROLE_OWNER: 'Owner',
};

export const accountMessages = {
  profileFailed: 'Error loading user profile',
  pictureHint: "JPG, PNG, WebP, AVIF, or GIF, up to 10 MB. We'll crop it to a square.",
  noDescription: 'No bio yet',
  removeAddress: (street: string) => `We'll remove ${street} from your addresses.`,
  passwordRule: 'At least 8 characters, including a letter',
  staffPasswordRule: 'At least 12 characters, including a letter',
  passwordEndsSessions: "You'll be logged out on your other devices.",
  forgot: "Enter your email and we'll send you a link to reset your password.",
  confirmEmail: "Did you use this email for an account with us? Confirm that it's yours.",
  claimEmail: "Didn't create this account? Claim your email to get a new, empty account.",
  takeOver:
    'Someone signed up with your email but never confirmed it. Claim it to get a new, empty account. Everything in the old account is removed.',
  proofLinkMissing: 'Open the link in the email we sent you. You can get a new one in your profile.',
  emailUnproven: 'Confirm your email. Open the link we sent you.',
  resetLinkMissing: 'Open the link in the email we sent you, or get a new one.',
  mustChangePassword: 'Choose a new password to continue.',
  mustSetUpSecondFactor: 'Set up two-step login to continue.',
  secondFactorIsOn: 'On. You log in with your password and a code from your authenticator app.',
  secondFactorIsOff: 'Off. You log in with just your password.',
  secondFactorBegin: 'Two-step login adds a code from an authenticator app on your phone each time you log in.',
  secondFactorScan:
    'Scan this QR code with your authenticator app, or enter the key. Then enter the code the app shows.',
  secondFactorPicture: 'QR code for your authenticator app',
  secondFactorChange:
    'To get new recovery codes or to turn it off, enter your password and a code from the app, or a recovery code.',
  recoveryCodes:
    "Save these recovery codes in a safe place. Each one logs you in once without the app. You won't see them again.",
  passwordAgain: "Enter your password again. For your security, we don't keep it on the page.",
  codeHint: '6-digit code from your authenticator app, or a recovery code',
  thisDevice: 'This device',
  unknownDevice: 'Unknown device',
  lastUsed: (time: string) => `Last used ${time}`,
  endOthers: 'This logs you out on all other devices.',
} as const;
