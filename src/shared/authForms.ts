import * as z from 'zod';
import { addressFields, isRequired, requiredText } from './addressForms';

/** The longest password we hash: argon2 takes any length, but a request must not choose how long it takes. */
export const maxPasswordLength = 128;
const maxEmailLength = 254; // RFC 5321

/**
 * An address such as ana@example.com. The length is tested before the pattern, and the pattern never goes back over
 * what it has read, so a hostile string costs no time. Control characters are no part of an address.
 * Source: specification §5
 */
const emailPattern = /^[^\s@\p{C}]+@[^\s@.\p{C}]+(?:\.[^\s@.\p{C}]+)+$/u;

export const emailRule = z
  .string(isRequired)
  .trim()
  .min(1, { error: isRequired, abort: true })
  .max(maxEmailLength, { error: 'Invalid email address', abort: true })
  .regex(emailPattern, 'Invalid email address');

/** A new password. Not trimmed: spaces are characters like others. */
export const passwordRule = z
  .string(isRequired)
  .min(1, { error: isRequired, abort: true })
  .min(8, { error: 'Password must be at least 8 characters', abort: true })
  .max(maxPasswordLength, { error: `Password must be no more than ${maxPasswordLength} characters`, abort: true })
  .regex(/\p{L}/u, 'Password must contain at least one letter');

export const confirmPasswordRule = z.string('Please confirm your password').min(1, 'Please confirm your password');

export const loginForm = z.object({
  email: z.string('Email is required').trim().min(1, 'Email is required'),
  password: z.string('Password is required').min(1, 'Password is required'),
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
