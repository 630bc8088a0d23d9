import type { CardUse, Failure } from './records';

/** What a test card does: it pays, is declined with a reason, or asks its holder to confirm first (3-D Secure). */
export type CardOutcome = 'paid' | 'authenticate' | Failure;

const declined = (declineCode: string, message = 'Your card was declined.'): Failure => ({
  code: 'card_declined',
  declineCode,
  message,
});

/** The well-known test cards. Source: the provider's public list of test cards. */
const testCards: Record<string, CardOutcome> = {
  '4242424242424242': 'paid',
  '5555555555554444': 'paid',
  '378282246310005': 'paid',
  '4000000000000002': declined('generic_decline'),
  '4000000000009995': declined('insufficient_funds', 'Your card has insufficient funds. Try a different card.'),
  '4000000000009987': declined('lost_card'),
  '4000000000009979': declined('stolen_card'),
  '4000000000000069': { code: 'expired_card', declineCode: null, message: 'Your card has expired.' },
  '4000000000000127': { code: 'incorrect_cvc', declineCode: null, message: "Your card's security code is incorrect." },
  '4000000000000119': {
    code: 'processing_error',
    declineCode: null,
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  '4000002500003155': 'authenticate',
  '4000002760003184': 'authenticate',
  '4000000000003220': 'authenticate',
};

export type TestCard = { use: CardUse; outcome: CardOutcome };

/** @param digits the card's number without spaces; @returns undefined for a card that is not a test card */
export function findTestCard(digits: string): TestCard | undefined {
  const outcome = Object.hasOwn(testCards, digits) ? testCards[digits] : undefined;
  return outcome && { use: { brand: brandOf(digits), last4: digits.slice(-4) }, outcome };
}

export function isAmex(digits: string): boolean {
  return /^3[47]/.test(digits);
}

/** Whether the number is one that a card could have: 12 to 19 digits and the right check digit (Luhn). */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

function brandOf(digits: string): string {
  if (isAmex(digits)) return 'amex';
  return digits.startsWith('5') ? 'mastercard' : 'visa';
}
