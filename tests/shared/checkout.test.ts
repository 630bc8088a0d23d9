import { expect, test } from 'vitest';
import { whyNotPlaceable } from '../../src/shared/checkout';
import { deliveryAddressForm, newOrderForm } from '../../src/shared/checkoutForms';

const address = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };
const draft = { cartId: 'c1', address, customer: 'Ana Jallow', userId: 'u1' };

test('a complete order can be placed', () => {
  expect(whyNotPlaceable(draft)).toBeUndefined();
});

test('missing fields are reported one at a time, in the order of the rule', () => {
  const nothing = { cartId: undefined, address: undefined, customer: ' ', userId: undefined };
  const { cartId, customer, userId } = draft;
  expect([
    whyNotPlaceable(nothing),
    whyNotPlaceable({ ...nothing, cartId }),
    whyNotPlaceable({ ...nothing, cartId, address }),
    whyNotPlaceable({ ...nothing, cartId, address, customer }),
    whyNotPlaceable({ cartId, address, customer, userId }),
  ]).toEqual([
    'No cart available. Please try again.',
    'Please select or add a delivery address.',
    'Please provide a customer name.',
    'User information is missing. Please log in again.',
    undefined,
  ]);
});

test('an address is trimmed', () => {
  expect(deliveryAddressForm({}).parse({ ...address, street: ' 12 Market Street ', postalCode: ' 30303 ' })).toEqual({
    ...address,
    company: '',
    street2: '',
    phone: '',
  });
});

test('an order without a name or with a wrong address is rejected', () => {
  const result = newOrderForm({}).safeParse({ customer: ' ', deliveryAddress: { ...address, postalCode: '3030' } });
  expect(result.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['customer', 'Please provide a customer name.'],
    ['deliveryAddress.postalCode', 'Postal code must be at least 5 characters'],
  ]);
});
