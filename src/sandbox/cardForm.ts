import { findTestCard, isAmex, isCardNumber, type TestCard } from './cards';
import type { Payer } from './records';

/** The fields that may be shown again: never the card's number and CVC. */
export type EchoedFields = { email: string; expiry: string; name: string; zip: string };
export type FieldName = keyof EchoedFields | 'cardNumber' | 'cvc';
export type FieldErrors = Partial<Record<FieldName, string>>;

export type CardForm =
  | { isValid: true; card: TestCard; payer: Payer }
  | { isValid: false; errors: FieldErrors; echoed: EchoedFields };

const required = 'This field is required.';

/**
 * Reads and validates the payment page's form before the card is tried.
 * @param now decides whether the card has expired; a card is valid until the end of its month
 */
export function readCardForm(body: string, now: Date): CardForm {
  const form = new URLSearchParams(body);
  const field = (name: FieldName, maxLength: number) => (form.get(name) ?? '').trim().slice(0, maxLength);
  const echoed = {
    email: field('email', 254),
    expiry: field('expiry', 9),
    name: field('name', 100),
    zip: field('zip', 10),
  };
  const digits = field('cardNumber', 40).replace(/[\s-]/g, '');

  const card = findTestCard(digits);
  const fieldErrors = {
    email: emailError(echoed.email),
    cardNumber: card ? undefined : cardNumberError(digits),
    expiry: expiryError(echoed.expiry, now),
    cvc: cvcError(field('cvc', 10), digits),
    name: echoed.name === '' ? required : undefined,
    zip: zipError(echoed.zip),
  };
  const errors = Object.fromEntries(Object.entries(fieldErrors).filter(([, message]) => message)) as FieldErrors;
  if (!card || Object.keys(errors).length > 0) return { isValid: false, errors, echoed };
  const { email, name, zip: postalCode } = echoed;
  return { isValid: true, card, payer: { email, name, postalCode } };
}

function emailError(email: string): string | undefined {
  if (email === '') return required;
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email) ? undefined : 'Your email is invalid.';
}

function cardNumberError(digits: string): string {
  if (digits === '') return required;
  if (!isCardNumber(digits)) return 'Your card number is invalid.';
  return 'This is a test page. Use a test card, such as 4242 4242 4242 4242, and never enter a real one.';
}

function expiryError(text: string, now: Date): string | undefined {
  if (text === '') return required;
  const match = /^(\d{1,2}) ?\/? ?(?:20)?(\d{2})$/.exec(text);
  const month = Number(match?.[1]);
  if (!match || month < 1 || month > 12) return "Your card's expiration date is invalid. Use MM / YY.";
  const year = 2000 + Number(match[2]);
  const thisMonth = now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  return year * 12 + month < thisMonth ? "Your card's expiration date is in the past." : undefined;
}

function cvcError(cvc: string, digits: string): string | undefined {
  if (cvc === '') return required;
  const isComplete = isAmex(digits) ? /^\d{4}$/.test(cvc) : /^\d{3}$/.test(cvc);
  return isComplete ? undefined : "Your card's security code is incomplete.";
}

function zipError(zip: string): string | undefined {
  if (zip === '') return required;
  return /^\d{5}(-\d{4})?$/.test(zip) ? undefined : 'Your ZIP code is invalid.';
}
