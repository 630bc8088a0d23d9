import { expect } from 'vitest';
import { loginForm, registrationForm } from '../../../src/shared/authForms';
import { whyNotPlaceable } from '../../../src/shared/checkout';
import { newAddressForm } from '../../../src/shared/checkoutForms';
import { fill, press } from '../openTab';
import { address, onPage, type Provoke, refusing, registration, type Table } from './stage';

type Form = { safeParse: (value: unknown) => { error?: { issues: { message: string }[] } | undefined } };

/** The form itself says it; that both sides run the same form is tested with the pages and the API. */
const bySending =
  (form: Form, sent: object, sentence: string): Provoke =>
  async () =>
    expect(form.safeParse(sent).error?.issues.map(({ message }) => message)).toContain(sentence);
const byRegistering = (sentence: string, change: object): [string, Provoke] => [
  sentence,
  bySending(registrationForm, { ...registration, ...change }, sentence),
];
const byPlacing = (sentence: string, missing: object): [string, Provoke] => [
  sentence,
  async () => {
    const draft = { cartId: 'c', address, customer: 'Ana', userId: 'u', ...missing };
    expect(whyNotPlaceable(draft)).toBe(sentence);
  },
];

/** The sentences of what is wrong in a form. */
export const validation: Table = {
  'Email is required': bySending(loginForm, { email: ' ', password: 'x' }, 'Email is required'),
  'Password is required': bySending(loginForm, { email: 'a@example.com', password: '' }, 'Password is required'),
  ...Object.fromEntries([
    byRegistering('Invalid email address', { email: 'cook@example' }),
    byRegistering('Password must be at least 8 characters', { password: 'abc' }),
    byRegistering('Password must contain at least one letter', { password: '12345678' }),
    byRegistering('Please confirm your password', { confirmPassword: '' }),
    byRegistering('Passwords do not match', { confirmPassword: 'salt and pepper' }),
    byRegistering('This field is required', { city: ' ' }),
    byRegistering('Postal Code is required', { postalCode: '' }),
    byRegistering('Postal code format is numbers only', { postalCode: '3030A' }),
    byRegistering('Postal code must be at least 5 characters', { postalCode: '3030' }),
    byRegistering('Postal code must be no more than 5 characters', { postalCode: '30303-1234' }),
    byPlacing('No cart available. Please try again.', { cartId: undefined }),
    byPlacing('Please select or add a delivery address.', { address: undefined }),
    byPlacing('Please provide a customer name.', { customer: ' ' }),
    byPlacing('User information is missing. Please log in again.', { userId: undefined }),
  ]),
  'Please fill in all address fields': onPage(
    '/checkout',
    async () => {
      await press('Add New Address');
      for (const label of ['Full Name', 'Street Address', 'City', 'Postal Code']) await fill(label, ' ');
      await fill('State', 'GA');
      await press('Use This Address');
      expect(newAddressForm.safeParse({}).success).toBe(false);
    },
    'Please fill in all address fields',
  ),
  'Cart data is not available': onPage(
    '/',
    (tab) => refusing(/\/public\/cart\//, () => tab.go('/cart'))(tab),
    'Cart data is not available',
  ),
  'Missing required payment information': onPage(
    '/customer/order/success?session_id=cs_test_1',
    async () => undefined,
    'Missing required payment information',
  ),
};
