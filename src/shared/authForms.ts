import * as z from './zod';
import {
  accountAddress,
  byTerritories,
  hasAtLeast,
  hasAtMost,
  isFilled,
  matches,
  requiredText,
  ruledText,
} from './addressForms';
import { isEmailAddress } from './emailAddress';
import { isCodeRequired, isEmailRequired, isFullNameRequired, isPasswordRequired } from './required';
import type { ShopTerritories } from './usStates';

/** In characters. argon2 takes any length, but a longer password costs the server more time. */
export const maxPasswordLength = 128;

const isNoEmail = 'Invalid email address';

/**
 * An email address in the normal form that identifies accounts (NFKC), so mails go to exactly that address.
 * Rule: docs/rules/accounts.md, Validation
 */
export const emailRule = ruledText(
  [
    [isFilled, isEmailRequired],
    [isEmailAddress, isNoEmail],
  ],
  z.string(isEmailRequired).trim().normalize('NFKC'),
);

const minPasswordLength = 8;
/** In characters, for staff. Rule: docs/rules/accounts.md, Passwords; PCI DSS 8.3.6 */
export const minStaffPasswordLength = 12;

const tooShort = (minLength: number) => `Password must be at least ${minLength} characters`;
export const isTooShortForStaff = tooShort(minStaffPasswordLength);

/** A new password. Not trimmed: spaces count as characters. */
export const passwordRule = ruledText([
  [isFilled, isPasswordRequired],
  [hasAtLeast(minPasswordLength), tooShort(minPasswordLength)],
  [hasAtMost(maxPasswordLength), `Password must be no more than ${maxPasswordLength} characters`],
  [matches(/\p{L}/u), 'Password must contain at least one letter'],
]);

const confirmPasswordRule = ruledText([[isFilled, 'Please confirm your password']]);

export const loginForm = z.object({
  email: z.string(isEmailRequired).trim().min(1, isEmailRequired),
  password: z.string(isPasswordRequired).min(1, isPasswordRequired),
  rememberMe: z.boolean().default(true),
});

/** The second step of a login: six digits from the authenticator app, or a recovery code. */
export const secondFactorForm = z.object({ otp: requiredText(64, isCodeRequired) });

const confirmedPassword = { password: passwordRule, confirmPassword: confirmPasswordRule };

const sameTwice = {
  path: ['confirmPassword'],
  error: 'Passwords do not match',
  when: ({ value }: { value: unknown }) => hasBothPasswords(value), // also while other fields have errors
};

/** @param fields must include `confirmedPassword` */
export const withConfirmation = <Fields extends typeof confirmedPassword & z.ZodRawShape>(fields: Fields) =>
  z.object(fields).refine(passwordsMatch, sameTwice);

/** The fields of every new account form. */
export const accountFields = (shop: ShopTerritories) => ({
  fullName: requiredText(120, isFullNameRequired),
  email: emailRule,
  ...confirmedPassword,
  ...accountAddress(shop),
});

/** Initial values of a form for a new account. */
export const emptyAccount = {
  fullName: '',
  email: '',
  password: '',
  confirmPassword: '',
  street: '',
  city: '',
  state: '',
  postalCode: '',
};

export const registrationForm = byTerritories((shop) => withConfirmation(accountFields(shop)));

/** Requests a password reset link. */
export const forgotPasswordForm = z.object({ email: emailRule });

/** Sent by the page behind that link, together with the link's token. */
export const resetPasswordForm = withConfirmation(confirmedPassword);

/** Sent by the page behind the link that takes over an address, together with the link's token. */
export const takeoverForm = withConfirmation({ fullName: requiredText(120, isFullNameRequired), ...confirmedPassword });

const isPresentPasswordRequired = 'Enter your current password';

/** The current password, required before a sensitive change. The rules for new passwords do not apply to it. */
const presentPasswordRule = z.string(isPresentPasswordRequired).min(1, isPresentPasswordRequired);

export const passwordChangeForm = withConfirmation({ currentPassword: presentPasswordRule, ...confirmedPassword });

/** The same for staff, who need longer passwords. */
export const staffPasswordChangeForm = passwordChangeForm.refine(
  ({ password }) => password.length >= minStaffPasswordLength,
  { path: ['password'], error: isTooShortForStaff },
);

export const passwordProofForm = z.object({ password: presentPasswordRule });
export const secondFactorProofForm = z.object({ password: presentPasswordRule, otp: requiredText(64, isCodeRequired) });

interface Passwords {
  password: string;
  confirmPassword: string;
}

function passwordsMatch(value: Partial<Passwords>): boolean {
  return value.password === value.confirmPassword;
}

function hasBothPasswords(value: unknown): boolean {
  const { password, confirmPassword } = (value ?? {}) as Partial<Passwords>;
  return typeof password === 'string' && typeof confirmPassword === 'string' && confirmPassword !== '';
}
