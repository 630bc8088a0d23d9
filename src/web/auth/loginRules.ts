import type { FieldErrors, Resolver } from 'react-hook-form';
import type { Schema } from '../../shared/contract';
import { isEmailRequired, isPasswordRequired, isRequired } from '../../shared/required';

/** A form's fields: `otp` is empty until a code is asked for. */
export type LoginFields = Required<Schema<'Credentials'>>;

const sentences = { email: isEmailRequired, password: isPasswordRequired, otp: isRequired };
type Name = keyof typeof sentences;

/**
 * The rules of loginForm and secondFactorForm in shared/authForms.ts, as far as a page needs them before it asks the
 * server: with what those are made of, the login would load twice as much.
 * @param names the fields that the page shows
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
