import { expect, test } from 'vitest';
import { bySize } from '../../src/shared/sizeGroups';
import { sizeInWords, type ProductSize } from '../../src/shared/sizes';

const size = (facts: Partial<ProductSize>): ProductSize => ({
  id: 'a',
  name: 'Afra Grill Rub',
  price: 7.95,
  availability: true,
  quantity: 3,
  unitSize: null,
  ...facts,
});

test('sizes are sorted by net amount, then price, and those without a net amount come last', () => {
  const small = size({ netGrams: 110, price: 7.95 });
  const sameButDearer = size({ netGrams: 110, price: 8.95 });
  const large = size({ netGrams: 450, price: 1 });
  const unweighed = size({ price: 0.5 });
  const dearer = size({ price: 0.75 });
  const twin = size({ price: 0.75, id: 'b' });
  const sorted = [small, sameButDearer, large, unweighed, dearer, twin];
  expect([twin, dearer, large, unweighed, sameButDearer, small].toSorted(bySize)).toEqual(sorted);
});

test('a size is called by its net amount, else by what staff wrote, else by the name of its product', () => {
  expect(sizeInWords(size({ unitSize: 'Family jar', netGrams: 450 }), 'us')).toBe('15.9 oz (450 g)');
  expect(sizeInWords(size({ netMillilitres: 250 }), 'metric')).toBe('250 ml');
  expect(sizeInWords(size({ unitSize: 'Family jar' }), 'us')).toBe('Family jar');
  expect(sizeInWords(size({}), 'us')).toBe('Afra Grill Rub');
});
