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
  pictureHint: 'JPEG, PNG, WebP, AVIF or GIF, at most 10 MB. The square in its middle is shown.',
  noDescription: 'Nothing written yet',
  noAddresses: 'No saved addresses found.',
  removeAddress: (street: string) => `${street} will be removed from your addresses.`,
  passwordRule: 'At least 8 characters, with a letter',
  staffPasswordRule: 'At least 12 characters, with a letter',
  passwordEndsSessions: 'All your other sessions end when the password changes.',
  forgot: 'Enter the email of your account, and we will send you a link to set a new password.',
  confirmEmail: 'Did you make an account in our shop? Then confirm here that this email address is yours.',
  claimEmail: "Didn't create this account? Claim your email to get a new, empty account.",
  takeOver:
    'Somebody made an account with your address and never confirmed it. You get a new account in its place. What was in the former one is removed.',
  proofLinkMissing: 'Please open the link from the mail. A new one can be asked for in your profile.',
  emailUnproven: 'Please confirm your email address: open the link that we mailed to you.',
  resetLinkMissing: 'Please open the link from the mail, or ask for a new one.',
  mustChangePassword: 'Before you go on, please choose a new password.',
  mustSetUpSecondFactor: 'Before you go on, please set up two-step login.',
  secondFactorIsOn: 'On: a login asks for a code from your authenticator app.',
  secondFactorIsOff: 'Off: a login asks for your password alone.',
  secondFactorBegin: 'With two-step login, a login asks for a code from an authenticator app on your phone as well.',
  secondFactorScan: 'Scan this picture with your authenticator app, or type in the key. Then enter the code it shows.',
  secondFactorPicture: 'The key as a QR code',
  secondFactorDisable: 'To switch it off, enter your password and a code from the app, or a recovery code.',
  recoveryCodes:
    'Keep these recovery codes in a safe place. Each of them logs you in once without the app. They are shown only now.',
  passwordAgain: 'Enter your password again, too: no page keeps it.',
  codeHint: 'Six digits from your authenticator app, or a recovery code',
  thisDevice: 'This session',
  unknownDevice: 'Unknown device',
  notBound: 'not bound to this device',
  lastUsed: (time: string) => `Last used ${time}`,
  endOthers: 'Every other device that is logged in to your account will be logged out.',
} as const;

/** @returns 'IJ' for Isatou Jallow, 'R' for Rohey */
export function initialsOf(fullName: string): string {
  const words = fullName.trim().split(/\s+/u);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}
