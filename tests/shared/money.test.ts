import { expect, test } from 'vitest';
import { formatMoney, fromCents, toCents } from '../../src/shared/money';

test.each([
  [0, 0],
  [0.1, 10],
  [0.2, 20],
  [0.1 + 0.2, 30],
  [1.005, 101],
  [4.35, 435],
  [8.5, 850],
  [19.99, 1999],
  [1234567.89, 123456789],
])('%d dollars are %d cents', (dollars, cents) => {
  expect(toCents(dollars)).toBe(cents);
});

test('every price up to 1,000 dollars survives the wire unchanged', () => {
  const wrong = Array.from({ length: 100_000 }, (_, cents) => cents).filter((cents) => {
    const onTheWire = JSON.parse(JSON.stringify(fromCents(cents))) as number;
    return toCents(onTheWire) !== cents;
  });
  expect(wrong).toEqual([]);
});

test.each([
  [0, '$0.00'],
  [5, '$0.05'],
  [435, '$4.35'],
  [120_000, '$1,200.00'],
])('%d cents are shown as %s', (cents, text) => {
  expect(formatMoney(cents)).toBe(text);
});
