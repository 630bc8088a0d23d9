import { expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { loginForm, registrationForm as registrationFormOf } from '../../src/shared/authForms';

const registrationForm = registrationFormOf({});

const ana = {
  fullName: 'Ana Jallow',
  email: 'ana@example.com',
  password: 'saffron12',
  confirmPassword: 'saffron12',
  street: '12 Market Street',
  city: 'Atlanta',
  state: 'GA',
  postalCode: '30303',
};

/** The errors of each field. */
function said(form: ZodType, value: unknown): Record<string, string[]> {
  const result = form.safeParse(value);
  const messages: Record<string, string[]> = {};
  for (const { path, message } of result.error?.issues ?? []) (messages[path.join('.')] ??= []).push(message);
  return messages;
}

test('login requires both fields', () => {
  expect(said(loginForm, { email: '', password: '' })).toEqual({
    email: ['Email is required'],
    password: ['Password is required'],
  });
});

test('a complete registration passes, trimmed, with the password unchanged', () => {
  const result = registrationForm.parse({
    ...ana,
    fullName: '  Ana Jallow ',
    password: ' saffron ',
    confirmPassword: ' saffron ',
  });
  expect(result).toMatchObject({ fullName: 'Ana Jallow', password: ' saffron ' });
});

test.each([
  ['fullName', '', 'Enter a full name'],
  ['fullName', '   ', 'Enter a full name'],
  ['email', '', 'Email is required'],
  ['email', 'ana', 'Invalid email address'],
  ['email', 'ana@example', 'Invalid email address'],
  ['email', 'ana @example.com', 'Invalid email address'],
  ['email', `${'a'.repeat(250)}@example.com`, 'Invalid email address'],
  ['password', '', 'Password is required'],
  ['password', 'short1', 'Password must be at least 8 characters'],
  ['password', '12345678', 'Password must contain at least one letter'],
  ['confirmPassword', '', 'Please confirm your password'],
  ['confirmPassword', 'saffron13', 'Passwords do not match'],
  ['street', '', 'This field is required'],
  ['city', ' ', 'This field is required'],
  ['state', '', 'This field is required'],
  ['state', 'ZZ', 'Choose one of the 50 states or DC'],
  ['postalCode', '', 'Postal Code is required'],
  ['postalCode', '123', 'Postal code must be at least 5 characters'],
  ['postalCode', '12345-6789', 'Postal code must be no more than 5 characters'],
  ['postalCode', '1234a', 'Postal code format is numbers only'],
])('%s %j is rejected with %j, and nothing else', (field, value, sentence) => {
  const messages = said(registrationForm, { ...ana, [field]: value });
  expect(messages[field]).toEqual([sentence]);
});

test('different passwords are reported while other fields are wrong too', () => {
  expect(said(registrationForm, { ...ana, city: '', confirmPassword: 'other' })).toEqual({
    city: ['This field is required'],
    confirmPassword: ['Passwords do not match'],
  });
});

test('a missing field says the same as an empty one', () => {
  expect(said(registrationForm, {})).toMatchObject({
    fullName: ['Enter a full name'],
    password: ['Password is required'],
    confirmPassword: ['Please confirm your password'],
    postalCode: ['Postal Code is required'],
  });
});

test('a state may be given by its name', () => {
  expect(registrationForm.parse({ ...ana, state: 'georgia' }).state).toBe('GA');
});

test('a hostile email address costs no time', () => {
  const began = process.cpuUsage();
  for (const hostile of [`a@${'a.'.repeat(25_000)}`, '@'.repeat(50_000), `a@${'b'.repeat(252)}`, 'a@a.'.repeat(63)]) {
    registrationForm.safeParse({ ...ana, email: hostile });
  }
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(200);
});

test('a password longer than 128 characters is rejected', () => {
  const password = 'a'.repeat(129);
  expect(said(registrationForm, { ...ana, password, confirmPassword: password })['password']).toEqual([
    'Password must be no more than 128 characters',
  ]);
});
