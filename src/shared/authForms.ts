import * as z from './zod';
import { addressFields, hasAtLeast, hasAtMost, isFilled, matches, requiredText, ruledText } from './addressForms';
import { isEmailAddress } from './emailAddress';
import { isEmailRequired, isPasswordRequired, isRequired } from './required';

/** In characters. argon2 takes any length, but a longer password costs the server more time. */
export const maxPasswordLength = 128;

const isNoEmail = 'Invalid email address';

/**
 * An email address, in the form by which accounts are told apart (NFKC), so that its mails go to that very address.
 * Rule: docs/rules/accounts.md, Validation
 */
export const emailRule = ruledText(
  [
    [isFilled, isRequired],
    [isEmailAddress, isNoEmail],
  ],
  z.string(isRequired).trim().normalize('NFKC'),
);

const minPasswordLength = 8;
/** In characters, for staff. Rule: docs/rules/accounts.md, Passwords; PCI DSS 8.3.6 */
export const minStaffPasswordLength = 12;

const tooShort = (minLength: number) => `Password must be at least ${minLength} characters`;
export const isTooShortForStaff = tooShort(minStaffPasswordLength);

/** A new password. Not trimmed: spaces are characters like others. */
export const passwordRule = ruledText([
  [isFilled, isRequired],
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

/** The login's second step: six digits from the app, or a recovery code. */
export const secondFactorForm = z.object({ otp: requiredText(64) });

const confirmedPassword = { password: passwordRule, confirmPassword: confirmPasswordRule };

const sameTwice = {
  path: ['confirmPassword'],
  error: 'Passwords do not match',
  when: ({ value }: { value: unknown }) => hasBothPasswords(value), // also while other fields have errors
};

/** @param fields with `confirmedPassword` among them */
export const withConfirmation = <Fields extends typeof confirmedPassword & z.ZodRawShape>(fields: Fields) =>
  z.object(fields).refine(passwordsMatch, sameTwice);

/** The fields of every new account. */
export const accountFields = { fullName: requiredText(120), email: emailRule, ...confirmedPassword, ...addressFields };

/** How a form for a new account begins. */
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

export const registrationForm = withConfirmation(accountFields);

/** Asks for a link to set a new password. */
export const forgotPasswordForm = z.object({ email: emailRule });

/** What the page behind that link sends, with the link's token. */
export const resetPasswordForm = withConfirmation(confirmedPassword);

/** What the page behind the link to take over an address sends, with the link's token. */
export const takeoverForm = withConfirmation({ fullName: requiredText(120), ...confirmedPassword });

const isPresentPasswordRequired = 'Please enter your present password';

/** The present password, asked for before a sensitive change. The rules of new passwords do not apply to it. */
const presentPasswordRule = z.string(isPresentPasswordRequired).min(1, isPresentPasswordRequired);

export const passwordChangeForm = withConfirmation({ currentPassword: presentPasswordRule, ...confirmedPassword });

/** The same for staff, whose passwords are longer. */
export const staffPasswordChangeForm = passwordChangeForm.refine(
  ({ password }) => password.length >= minStaffPasswordLength,
  { path: ['password'], error: isTooShortForStaff },
);

export const passwordProofForm = z.object({ password: presentPasswordRule });
export const secondFactorProofForm = z.object({ password: presentPasswordRule, otp: requiredText(64) });

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
