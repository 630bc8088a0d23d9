// @vitest-environment node
import { expect, test } from 'vitest';
import { loginForm, secondFactorForm } from '../../../src/shared/authForms';
import { loginRules } from '../../../src/web/auth/loginRules';
import { resolverOf } from '../../../src/web/forms/resolver';

/** The login page does without zod: its few rules match those of the forms that the server checks. */
const options = { fields: {}, shouldUseNativeValidation: false };
const blank = { email: '', password: '', rememberMe: true, otp: '' };

test.each([
  blank,
  { ...blank, email: ' ', password: ' ' },
  { ...blank, email: ' awa@example.com ', password: ' pepper ', rememberMe: false },
  { ...blank, email: 'awa@example.com' },
])('for %j the login page gives the form’s errors, and sends the same', async (fields) => {
  const plain = await loginRules('email', 'password')(fields, undefined, options);
  const ruled = await resolverOf(loginForm)(fields, undefined, options);
  expect(plain.values).toEqual(ruled.values);
  expect(sentences(plain.errors)).toEqual(sentences(ruled.errors));
});

test.each([' ', ' 123456 '])('for the code %j it gives the form’s errors', async (otp) => {
  const plain = await loginRules('otp')({ ...blank, otp }, undefined, options);
  const ruled = await resolverOf(secondFactorForm)({ otp }, undefined, options);
  expect(sentences(plain.errors)).toEqual(sentences(ruled.errors));
  expect((plain.values as { otp?: string }).otp).toBe((ruled.values as { otp?: string }).otp);
});

const sentences = (errors: object) =>
  Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, (error as { message: string }).message]));
