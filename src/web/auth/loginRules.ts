import type { FieldErrors, Resolver } from 'react-hook-form';
import type { Schema } from '../../shared/contract';
import { isCodeRequired, isEmailRequired, isPasswordRequired } from '../../shared/required';

/** A form's fields: `otp` is empty until a code is requested. */
export type LoginFields = Required<Schema<'Credentials'>>;

const sentences = { email: isEmailRequired, password: isPasswordRequired, otp: isCodeRequired };
type Name = keyof typeof sentences;

/**
 * The client-side part of loginForm and secondFactorForm in shared/authForms.ts, without zod, which would double the
 * login's download size.
 * @param names the fields on the page
 */
export const loginRules =
  (...names: Name[]): Resolver<LoginFields, unknown, Schema<'Credentials'>> =>
  (fields) => {
    const { otp, ...values } = { ...fields, email: fields.email.trim(), otp: fields.otp.trim() };
    const errors: FieldErrors<LoginFields> = {};
    for (const name of names) {
      if ({ ...values, otp }[name] === '') errors[name] = { type: 'required', message: sentences[name] };
    }
    if (Object.keys(errors).length > 0) return { values: {}, errors };
    return { values: { ...values, ...(otp && { otp }) }, errors: {} };
  };
