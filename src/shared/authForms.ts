import * as z from 'zod';
import {
  addressFields,
  hasAtLeast,
  hasAtMost,
  isFilled,
  isRequired,
  matches,
  requiredText,
  ruledText,
} from './addressForms';

/** The longest password we hash: argon2 takes any length, but a request must not choose how long it takes. */
export const maxPasswordLength = 128;
const maxEmailLength = 254; // RFC 5321

/**
 * An address such as ana@example.com. The length is tested before the pattern, and the pattern never goes back over
 * what it has read, so a hostile string costs no time. Control characters are no part of an address.
 * Source: specification §5
 */
const emailPattern = /^[^\s@\p{C}]+@[^\s@.\p{C}]+(?:\.[^\s@.\p{C}]+)+$/u;

const isNoEmail = 'Invalid email address';

export const emailRule = ruledText(
  [
    [isFilled, isRequired],
    [hasAtMost(maxEmailLength), isNoEmail],
    [matches(emailPattern), isNoEmail],
  ],
  z.string(isRequired).trim(),
);

/** A new password. Not trimmed: spaces are characters like others. */
export const passwordRule = ruledText([
  [isFilled, isRequired],
  [hasAtLeast(8), 'Password must be at least 8 characters'],
  [hasAtMost(maxPasswordLength), `Password must be no more than ${maxPasswordLength} characters`],
  [matches(/\p{L}/u), 'Password must contain at least one letter'],
]);

export const confirmPasswordRule = ruledText([[isFilled, 'Please confirm your password']]);

const isEmailRequired = 'Email is required';
const isPasswordRequired = 'Password is required';

export const loginForm = z.object({
  email: z.string(isEmailRequired).trim().min(1, isEmailRequired),
  password: z.string(isPasswordRequired).min(1, isPasswordRequired),
  rememberMe: z.boolean().default(true),
});

export const registrationForm = z
  .object({
    fullName: requiredText(120),
    email: emailRule,
    password: passwordRule,
    confirmPassword: confirmPasswordRule,
    ...addressFields,
  })
  .refine(passwordsMatch, {
    path: ['confirmPassword'],
    error: 'Passwords do not match',
    when: ({ value }) => hasBothPasswords(value), // also while other fields still have errors
  });

interface Passwords {
  password: string;
  confirmPassword: string;
}

function passwordsMatch({ password, confirmPassword }: Passwords): boolean {
  return password === confirmPassword;
}

function hasBothPasswords(value: unknown): boolean {
  const { password, confirmPassword } = (value ?? {}) as Partial<Passwords>;
  return typeof password === 'string' && typeof confirmPassword === 'string' && confirmPassword !== '';
}
