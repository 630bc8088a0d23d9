import { expect, test } from 'vitest';
import { countStates, servedStates, unservedStates } from '../../src/shared/delivery';
import { offlineQuote } from '../../src/shared/offlineQuote';
import { findStateCode, stateName, statesOf } from '../../src/shared/usStates';

const on = { territories: true };
const codes = statesOf({});
const method = { id: '', name: '', description: '', price: 5, freeFrom: null, position: 0, isActive: true };

test('the shop has the 50 states and DC, and with the setting the territories and military addresses too', () => {
  expect(codes).toHaveLength(51);
  expect(codes.at(-1)).toBe('DC');
  expect(statesOf(on)).toEqual([...codes, 'PR', 'VI', 'GU', 'AS', 'MP', 'AA', 'AE', 'AP']);
  expect(statesOf({}, ['GU', 'GA'])).toEqual([...codes, 'GU']);
});

test('a territory is known by its code and its name, whatever the setting says', () => {
  expect(findStateCode(' u.s. virgin islands ')).toBe('VI');
  expect(stateName('AE')).toBe('Armed Forces Europe');
});

test.each([
  [[], ''],
  [['GA'], '1 state'],
  [['DC'], 'DC'],
  [['GA', 'DC', 'AL'], '2 states and DC'],
  [['GU'], '1 territory'],
  [['GA', 'DC', 'GU', 'PR'], '1 state, DC and 2 territories'],
])('%j counts as "%s"', (states, words) => {
  expect(countStates(states)).toBe(words);
});

test('a method for all 50 states and DC serves all states only while the shop has no territories', () => {
  expect(servedStates(codes, {})).toEqual({ count: 'All states', which: undefined });
  expect(servedStates(codes, on)).toMatchObject({ count: '50 states and DC' });
  expect(servedStates(null, on)).toEqual({ count: 'All states', which: undefined });
  expect(servedStates([...codes, 'PR', 'GU', 'AS', 'VI', 'MP'], on).which).toBe(
    'All but Armed Forces Americas, Armed Forces Europe and Armed Forces Pacific',
  );
});

test('the warning names territories that no method serves, once the shop takes them', () => {
  const methods = [{ ...method, states: codes }];
  expect(unservedStates(methods, {})).toBeUndefined();
  expect(unservedStates(methods, on)).toMatch(/^No delivery method covers Puerto Rico, .* and 2 more\./);
});

test('an estimate without a connection follows the setting as the shop does', () => {
  const terms = { deliveryMethods: [{ ...method, states: null }], taxRates: [], takesCodes: false };
  const estimate = (shop: object) => offlineQuote([], terms, { state: 'GU', methodId: undefined }, shop);
  expect(estimate({})).toMatchObject({ deliveryMethods: [], total: null });
  expect(estimate(on)).toMatchObject({ delivery: 5, total: 5 });
});
