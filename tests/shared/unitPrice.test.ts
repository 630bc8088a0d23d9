import { expect, test } from 'vitest';
import catalog from '../../src/server/db/seed/catalog.json' with { type: 'json' };
import { formatMoney } from '../../src/shared/money';
import { netSize, shortSize, unitPrice } from '../../src/shared/unitPrice';
import { seededRandom } from '../support/random';

test.each([
  [60, '2.1 oz (60 g)', '60 g'],
  [250, '8.8 oz (250 g)', '250 g'],
  [450, '15.9 oz (450 g)', '450 g'],
  [453, '1 lb (453 g)', '453 g'],
  [454, '1 lb (454 g)', '454 g'],
  [1000, '2.2 lb (1 kg)', '1 kg'],
  [1250, '2.8 lb (1.25 kg)', '1.25 kg'],
  [100_000, '220.5 lb (100 kg)', '100 kg'],
  [1, '0.04 oz (1 g)', '1 g'],
  [2, '0.07 oz (2 g)', '2 g'],
])('%i grams read %s, or %s in metric units', (netGrams, us, metric) => {
  expect([netSize({ netGrams }, 'us'), netSize({ netGrams }, 'metric')]).toEqual([us, metric]);
});

test.each([
  [237, '8 fl oz (237 ml)', '237 ml'],
  [1000, '33.8 fl oz (1 L)', '1 L'],
  [1, '0.03 fl oz (1 ml)', '1 ml'],
])('%i milliliters read %s, or %s in metric units', (netMillilitres, us, metric) => {
  expect([netSize({ netMillilitres }, 'us'), netSize({ netMillilitres }, 'metric')]).toEqual([us, metric]);
});

test('a product without a net amount has neither a size in units nor a unit price', () => {
  expect([netSize({}, 'us'), unitPrice(950, {}, 'us'), unitPrice(950, {}, 'metric')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a unit price is per ounce, fluid ounce, or 100 grams or milliliters, and half a cent rounds up', () => {
  expect(unitPrice(836, { netGrams: 60 }, 'us')).toBe('$3.95/oz');
  expect(unitPrice(836, { netGrams: 60 }, 'metric')).toBe('$13.93/100 g');
  expect(unitPrice(499, { netMillilitres: 148 }, 'us')).toBe('$1.00/fl oz');
  expect(unitPrice(499, { netMillilitres: 148 }, 'metric')).toBe('$3.37/100 ml');
  expect(unitPrice(1001, { netGrams: 200 }, 'metric')).toBe('$5.01/100 g');
});

test('the unit prices of 500 random products are exact', () => {
  const random = seededRandom();
  for (let number = 0; number < 500; number += 1) {
    // the largest prices and amounts too
    const cents = 1 + random.below(number % 2 ? 9_999_999 : 5000);
    const amount = 1 + random.below(number % 3 ? 100_000 : 500);
    const ratios = {
      oz: [BigInt(cents) * 28_349_523_125n, BigInt(amount) * 10n ** 9n],
      'fl oz': [BigInt(cents) * 295_735_295_625n, BigInt(amount) * 10n ** 10n],
      '100 g': [BigInt(cents) * 100n, BigInt(amount)],
      '100 ml': [BigInt(cents) * 100n, BigInt(amount)],
    } satisfies Record<string, [bigint, bigint]>;
    const shown = [
      unitPrice(cents, { netGrams: amount }, 'us'),
      unitPrice(cents, { netMillilitres: amount }, 'us'),
      unitPrice(cents, { netGrams: amount }, 'metric'),
      unitPrice(cents, { netMillilitres: amount }, 'metric'),
    ];
    const exact = Object.entries(ratios).map(([unit, [dividend, divisor]]) => {
      const rounded = (2n * dividend + divisor) / (2n * divisor);
      return `${formatMoney(Number(rounded))}/${unit}`;
    });
    expect(shown, `${cents} cents for ${amount}`).toEqual(exact);
  }
});

test('each product of the demo catalog has a net weight, which is the size on its label', () => {
  expect(catalog.products.map(({ netGrams }) => netSize({ netGrams }, 'us'))).toEqual(
    catalog.products.map(({ unitSize }) => unitSize),
  );
});

test('a row shows a size in ounces alone', () => {
  expect([shortSize('3.5 oz (100 g)'), shortSize('2 lb'), shortSize(null)]).toEqual(['3.5 oz', '2 lb', undefined]);
});
