import { describe, expect, it } from 'vitest';
import {
  type DiscountConditions,
  discountStatus,
  type DiscountUse,
  isEligible,
  whyNotUsable,
} from '../../src/shared/discounts';
import { parseCode } from '../../src/shared/pastedCodes';

const code: DiscountConditions = {
  isActive: true,
  minimumCents: null,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerCustomer: null,
  categoryIds: null,
};
const now = new Date('2026-11-22T12:00:00Z');
const use: DiscountUse = {
  goodsCents: 4_000,
  eligibleCents: 4_000,
  uses: 0,
  ownUses: 0,
  heldByNewcomers: 0,
  isOfNewcomer: false,
  now,
  timeZone: 'America/New_York',
};

describe('a discount code', () => {
  it('ignores case and spaces at its ends', () => {
    expect(['Welcome10', ' WELCOME10 ', 'welcome10\n'].map(parseCode)).toEqual(Array(3).fill('WELCOME10'));
  });

  it('is the same when pasted with zero-width characters, other hyphens or full-width letters', () => {
    const pasted = [
      'WELCOME-10',
      '\u200bwelcome-10\ufeff',
      'Wel\u00adcome\u201110',
      'WELCOME\u201310',
      'ＷＥＬＣＯＭＥ－１０',
    ];
    expect(pasted.map(parseCode)).toEqual(['WELCOME-10', 'WELCOME-10', 'WELCOME-10', 'WELCOME-10', 'WELCOME-10']);
  });

  it('has 3 to 40 letters, digits and hyphens of the keyboard', () => {
    for (const text of ['ab', 'a'.repeat(41), 'TWO WORDS', 'straße', 'ıı1', 'A_B', ''])
      expect(parseCode(text)).toBe(undefined);
    expect(parseCode('a'.repeat(40))).toBe('A'.repeat(40));
    expect(parseCode('x-1')).toBe('X-1');
  });

  it('is off, ended, used up, planned or active; the first that applies is shown', () => {
    const [past, future] = [new Date('2026-11-01'), new Date('2026-12-01')];
    const status = (own: Partial<DiscountConditions>, uses = 0) => discountStatus({ ...code, ...own }, { uses, now });
    expect(status({})).toBe('active');
    expect(status({ startsAt: past, endsAt: future, maxUses: 2 }, 1)).toBe('active');
    expect(status({ startsAt: future })).toBe('planned');
    expect(status({ maxUses: 2, startsAt: future }, 2)).toBe('used_up');
    expect(status({ endsAt: now, maxUses: 2 }, 2)).toBe('ended');
    expect(status({ isActive: false, endsAt: past })).toBe('off');
  });

  it('applies to goods of its categories, or to all', () => {
    expect(isEligible({ categoryIds: null }, null)).toBe(true);
    expect(isEligible({ categoryIds: ['a'] }, 'a')).toBe(true);
    expect(isEligible({ categoryIds: ['a'] }, 'b')).toBe(false);
    expect(isEligible({ categoryIds: ['a'] }, null)).toBe(false);
  });
});

describe('a code that a customer enters', () => {
  const why = (conditions: Partial<DiscountConditions>, asked: Partial<DiscountUse> = {}) =>
    whyNotUsable({ ...code, ...conditions }, { ...use, ...asked });

  it('can be used when nothing prevents it', () => {
    expect(why({})).toBe(undefined);
    expect(
      why(
        { startsAt: now, endsAt: new Date(now.getTime() + 1), maxUses: 5, maxUsesPerCustomer: 2, minimumCents: 4_000 },
        { uses: 4, ownUses: 1 },
      ),
    ).toBe(undefined);
  });

  it('is rejected with the sentence of what prevents it', () => {
    const unknown = { code: 'discount_unknown', message: "That code isn't valid" };
    expect(whyNotUsable(undefined, use)).toEqual(unknown);
    expect(why({ isActive: false, endsAt: now })).toEqual(unknown);
    expect(why({ endsAt: now })).toEqual({ code: 'discount_ended', message: 'That code has expired' });
    expect(why({ maxUses: 3 }, { uses: 3 })).toEqual({
      code: 'discount_used_up',
      message: 'That code has reached its limit',
    });
    expect(why({ maxUsesPerCustomer: 1 }, { uses: 9, ownUses: 1 })).toEqual({
      code: 'discount_used_before',
      message: "You've already used that code",
    });
    expect(why({ categoryIds: ['a'], minimumCents: 9_000 }, { eligibleCents: 0 })).toEqual({
      code: 'discount_not_for_these',
      message: "That code doesn't apply to anything in your cart",
    });
    expect(why({ minimumCents: 5_000 })).toEqual({
      code: 'discount_minimum',
      message: 'Spend $50.00 or more to use this code',
    });
  });

  it('shows its start day in the shop’s time zone, with the year when it is another one', () => {
    expect(why({ startsAt: new Date('2026-12-01T05:00:00Z') })).toEqual({
      code: 'discount_not_yet',
      message: 'That code starts on Dec 1',
    });
    expect(why({ startsAt: new Date('2027-01-01T04:59:00Z') })?.message).toBe('That code starts on Dec 31');
    expect(why({ startsAt: new Date('2027-01-01T05:00:00Z') })?.message).toBe('That code starts on Jan 1, 2027');
  });
});
