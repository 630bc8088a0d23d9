import * as z from 'zod';
import { findStateCode } from './usStates';

export const isRequired = 'This field is required';

/** A trimmed line of text that must not be empty. */
export const requiredText = (maxLength: number, sentence = isRequired) =>
  z
    .string(sentence)
    .trim()
    .min(1, { error: sentence, abort: true })
    .max(maxLength, `Please use no more than ${maxLength} characters`);

export const streetRule = requiredText(200);
export const cityRule = requiredText(100);

/** One of the 50 states, by code or by name; the result is the code. */
export const stateRule = requiredText(50).transform((state, context) => {
  const code = findStateCode(state);
  if (code) return code;
  context.addIssue('Please choose one of the 50 states');
  return z.NEVER;
});

/** Five digits, one message at a time: required, length, pattern; ZIP+4 is too long. Source: specification §5, decisions §8. */
export const postalCodeRule = z
  .string('Postal Code is required')
  .trim()
  .min(1, { error: 'Postal Code is required', abort: true })
  .min(5, { error: 'Postal code must be at least 5 characters', abort: true })
  .max(5, { error: 'Postal code must be no more than 5 characters', abort: true })
  .regex(/^[0-9]{5}$/, 'Postal code format is numbers only');

export const addressFields = { street: streetRule, city: cityRule, state: stateRule, postalCode: postalCodeRule };
