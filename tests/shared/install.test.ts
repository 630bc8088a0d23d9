import { expect, test } from 'vitest';
import { picturesMessages } from '../../src/shared/install';

test.each([
  [296_666, 'Save photos too (0.3 MB)'],
  [1_000_000, 'Save photos too (1.0 MB)'],
  [18_700_000, 'Save photos too (18.7 MB)'],
  [9_000, 'Save photos too (0.1 MB)'], // never zero
  [undefined, 'Save photos too'],
])('%s bytes of pictures: %s', (bytes, said) => expect(picturesMessages.saveToo(bytes)).toBe(said));

test.each([
  [{ count: 36, isAll: true }, 'Catalog saved without photos'],
  [{ count: 1, isAll: false }, 'Saved for offline, except 1 photo'],
  [{ count: 12, isAll: false }, 'Saved for offline, except 12 photos'],
])('%o are missing: %s', (missing, said) => expect(picturesMessages.without(missing)).toBe(said));
