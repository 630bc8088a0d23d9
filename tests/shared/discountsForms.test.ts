import { expect, test } from 'vitest';
import { discountDaysForm, discountForm } from '../../src/shared/discountsForms';

const wrong = (result: ReturnType<typeof discountForm.safeParse>) =>
  Object.fromEntries((result.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));

test('all errors of a code are shown together', () => {
  expect(wrong(discountForm.safeParse({ code: '', kind: 'percent', percent: null }))).toEqual({
    code: 'Enter a code',
    percent: 'Enter a whole number from 1 to 100',
  });
  expect(wrong(discountForm.safeParse({ code: 'A_B', kind: 'amount', amount: Number.NaN }))).toEqual({
    code: 'Use 3 to 40 letters, numbers, and hyphens',
    amount: 'Enter an amount, such as 5.00',
  });
});

test('amounts are accepted as people write them', () => {
  const code = { code: 'WINTER', kind: 'amount' };
  expect(discountForm.parse({ ...code, amount: '$1,250', minimum: '12,50' })).toMatchObject({
    amount: 1250,
    minimum: 12.5,
  });
  expect(wrong(discountForm.safeParse({ ...code, amount: '12,5', minimum: 'ten' }))).toEqual({
    amount: 'Use a period and two digits for cents, such as 1,250.00 or 12.50',
    minimum: 'Enter an amount, such as 5.00',
  });
});

test('days are in the shop’s time zone, and the last one counts entirely', () => {
  const form = discountDaysForm('America/New_York');
  const code = { code: ' winter ', kind: 'free_delivery' };
  expect(form.parse({ ...code, startsAt: '2026-12-01', endsAt: '2026-12-01' })).toMatchObject({
    code: 'WINTER',
    startsAt: '2026-12-01T05:00:00.000Z',
    endsAt: '2026-12-02T05:00:00.000Z',
  });
  expect(form.parse({ ...code, startsAt: '', endsAt: '' })).toMatchObject({ startsAt: null, endsAt: null });
  expect(form.safeParse({ ...code, startsAt: '2026-12-02', endsAt: '2026-12-01' }).error?.issues).toMatchObject([
    { path: ['endsAt'], message: "The end date can't be before the start date" },
  ]);
});
