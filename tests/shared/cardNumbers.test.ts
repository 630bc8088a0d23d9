/** What counts as a card number, and what does not. Rule: docs/rules/wire.md, Validation */
import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { holdsCardNumber } from '../../src/shared/cardNumbers';

const digits = (count: number) =>
  fc.bigInt({ min: 0n, max: 10n ** BigInt(count) - 1n }).map((number) => String(number).padStart(count, '0'));
const sum = (body: string, weigh: (digit: number) => number) =>
  Array.from(body, Number).reduce((all, digit, at) => all + ((body.length - at) % 2 === 1 ? weigh(digit) : digit), 0);
const luhnDigit = (body: string) => (10 - (sum(body, (digit) => (digit > 4 ? digit * 2 - 9 : digit * 2)) % 10)) % 10;
const barcodeDigit = (body: string) => (10 - (sum(body, (digit) => digit * 3) % 10)) % 10;

const split = (text: string, lengths: readonly number[], gap: string) => {
  let from = 0;
  return lengths.map((length) => text.slice(from, (from += length))).join(gap);
};

/** Prefixes and lengths as the networks publish them, and how their cards are printed. */
const networks: [prefixes: string[], length: number, groups: number[]][] = [
  [['4'], 13, [4, 3, 3, 3]],
  [['4'], 16, [4, 4, 4, 4]],
  [['4'], 19, [4, 4, 4, 4, 3]],
  [['51', '52', '53', '54', '55', '2221', '2229', '2230', '2300', '2699', '2700', '2720'], 16, [4, 4, 4, 4]],
  [['34', '37'], 15, [4, 6, 5]],
  [['6011', '644', '649', '65'], 16, [4, 4, 4, 4]],
  [['300', '305', '36', '38'], 14, [4, 6, 4]],
  [['3528', '3530', '3589'], 16, [4, 4, 4, 4]],
  [['62'], 16, [4, 4, 4, 4]],
  [['62'], 17, [4, 4, 4, 4, 1]],
  [['62'], 18, [4, 4, 4, 4, 2]],
  [['62'], 19, [6, 13]],
];

const card = fc
  .tuple(
    fc.constantFrom(...networks).chain(([prefixes, length, groups]) =>
      fc.constantFrom(...prefixes).chain((prefix) =>
        digits(length - prefix.length - 1).map((rest) => ({
          number: `${prefix}${rest}${luhnDigit(prefix + rest)}`,
          groups,
        })),
      ),
    ),
    fc.constantFrom('', ' ', '-', '  '),
    fc.constantFrom('', 'My card: ', 'card', 'valid 12/27 '),
    fc.constantFrom('', '.', ' 123', ' 12/27', ', thanks'),
  )
  // A barcode is none, although it may look like an old Visa number.
  .filter(([{ number }]) => number.length !== 13 || Number(number[12]) !== barcodeDigit(number.slice(0, 12)))
  .map(([{ number, groups }, gap, before, after]) => `${before}${split(number, groups, gap)}${after}`);

const year = fc.integer({ min: 1900, max: 2099 }).map(String);
const two = (most: number) => fc.integer({ min: 1, max: most }).map((part) => String(part).padStart(2, '0'));
const date = fc.oneof(
  fc.tuple(year, two(12), two(28)).map((parts) => parts.join('-')),
  fc.tuple(two(12), two(28), year).map((parts) => parts.join('-')),
  fc.tuple(year, two(12), two(28)).map((parts) => parts.join('')),
);
const dates = fc
  .tuple(fc.array(date, { minLength: 1, maxLength: 4 }), fc.constantFrom(' - ', ' ', '-', ' to '))
  .map(([all, gap]) => `between ${all.join(gap)}`);

const barcode = fc
  .tuple(fc.constantFrom('EAN ', 'EAN', ''), digits(12))
  .map(([before, body]) => `${before}${body}${barcodeDigit(body)}`);

const usps = fc
  .tuple(fc.constantFrom('9400', '9205', '9303', '9270', '8200', '9407'), digits(18))
  .map((p) => p.join(''));
const fedEx = fc.oneof(
  digits(12),
  fc.tuple(fc.constantFrom('7', '9', '0', '1'), digits(14)).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom('96', '61'), digits(18)).map((parts) => parts.join('')),
);
const ups = fc
  .tuple(fc.constantFrom('999AA1', 'A0A463', '123456', 'X4Y81W'), digits(10))
  .map(([shipper, rest]) => `1Z${shipper}${rest}`);
const tracking = fc.oneof(
  ups,
  fc
    .tuple(fc.oneof(usps, fedEx), fc.boolean())
    .map(([number, isGrouped]) => (isGrouped ? number.replaceAll(/(\d{4})(?=\d)/g, '$1 ') : number)),
);

const orderNumber = fc.oneof(
  fc.integer({ min: 1000, max: 99_999_999 }).map((number) => `order #${number}`),
  fc.tuple(digits(3), digits(7), digits(7)).map((parts) => parts.join('-')), // Amazon
  fc.tuple(digits(2), digits(5), digits(5)).map((parts) => parts.join('-')), // eBay
  fc.tuple(digits(7), digits(8)).map(([front, back]) => `${front}-${back}`), // Walmart
  fc.array(fc.integer({ min: 1000, max: 999_999 }), { minLength: 2, maxLength: 6 }).map((all) => all.join(', ')),
);

test.each([
  ['a date', dates],
  ['a barcode', barcode],
  ['a tracking number', tracking],
  ['an order number', orderNumber],
])('%s is never taken for a card number', (_, texts) => {
  fc.assert(
    fc.property(texts, (text) => !holdsCardNumber(text)),
    { numRuns: 10_000 },
  );
});

test('a number with the prefix, the length, the check digit and the groups of a card is a card number', () => {
  fc.assert(fc.property(card, holdsCardNumber), { numRuns: 1000 });
});

test.each(['between 2026-12-13 - 2027-01-01', 'EAN 5901234123457', '+1 404-555-0100 or 404-555-0199'])(
  '"%s" contains no card number',
  (text) => expect(holdsCardNumber(text)).toBe(false),
);
