import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareLine } from '../../src/shared/comparison';

const shown = { quantity: 3, priceCents: 795 };
const now = { priceCents: 795, isArchived: false, isSold: true, stock: 10, inCart: 0 };

describe('a line is compared with what was shown', () => {
  test.each([
    ['as it was', {}, 3, null],
    ['another price', { priceCents: 845 }, 3, 'price_changed'],
    ['fewer left', { stock: 2 }, 2, 'not_enough_stock'],
    ['fewer left at another price', { stock: 2, priceCents: 845 }, 2, 'not_enough_stock'],
    ['the cart has some of what is left', { stock: 4, inCart: 2 }, 2, 'not_enough_stock'],
    ['the cart has 99 of it', { stock: 200, inCart: 99 }, 0, 'not_enough_stock'],
    ['none left', { stock: 0 }, 0, 'out_of_stock'],
    ['more promised than there is', { stock: -4 }, 0, 'out_of_stock'],
    ['not on sale', { isSold: false }, 0, 'out_of_stock'],
    ['no longer sold, and none left', { isArchived: true, stock: 0 }, 0, 'archived'],
  ])('%s', (_what, change, quantity, notice) => {
    expect(compareLine(shown, { ...now, ...change })).toEqual({ quantity, notice });
  });
});

test('never more than was wanted, than is left or than a cart allows; unchanged lines have no note', () => {
  const cents = fc.integer({ min: 1, max: 5 });
  const line = fc.record({ quantity: fc.integer({ min: 1, max: 99 }), priceCents: cents });
  const present = fc.record({
    priceCents: cents,
    isArchived: fc.boolean(),
    isSold: fc.boolean(),
    stock: fc.integer({ min: -5, max: 120 }),
    inCart: fc.integer({ min: 0, max: 99 }),
  });
  fc.assert(
    fc.property(line, present, (before, then) => {
      const { quantity, notice } = compareLine(before, then);
      expect(quantity).toBeGreaterThanOrEqual(0);
      expect(quantity).toBeLessThanOrEqual(before.quantity);
      if (quantity > 0) expect(then.inCart + quantity).toBeLessThanOrEqual(Math.min(then.stock, 99));
      const isSame = quantity === before.quantity && then.priceCents === before.priceCents;
      expect(notice === null).toBe(isSame && !then.isArchived);
    }),
  );
});
