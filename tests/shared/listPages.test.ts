import { expect, test } from 'vitest';
import {
  copyName,
  firstUncounted,
  isBelowPar,
  numberText,
  numberTyped,
  packsBelowPar,
  type PadKey,
  roundMs,
  stepped,
  withKey,
} from '../../src/shared/listPages';

test.each<[text: string, decimals: 0 | 1, value: number | null | undefined]>([
  ['3', 0, 3],
  ['0.5', 1, 0.5],
  ['0,5', 1, 0.5],
  ['.5', 1, 0.5],
  ['2.', 1, 2],
  [' 12 ', 1, 12],
  ['', 1, null],
  ['–', 1, null],
  ['-', 0, null],
  ['0.55', 1, undefined],
  ['1.5', 0, undefined],
  ['1000', 1, undefined],
  ['two', 1, undefined],
  ['1e3', 1, undefined],
])('text typed into a field, %j with %i decimals, is %j', (text, decimals, value) =>
  expect(numberTyped(text, decimals)).toBe(value),
);

test.each<[keys: PadKey[], before: string, shown: string]>([
  [['7'], '3', '7'], // the first digit replaces
  [['1', '2'], '3', '12'],
  [['.', '5'], '3', '0.5'],
  [['1', '.', '5', '5'], '–', '1.5'],
  [['1', '.', '.', '5'], '–', '1.5'],
  [['0', '0', '7'], '–', '7'],
  [['9', '9', '9', '9'], '–', '999'],
  [['erase'], '12', '1'],
  [['erase', 'erase'], '12', ''],
  [['4', 'erase'], '12', ''],
  [['erase'], '–', ''],
])('the number pad: %j over %j shows %j', (keys, before, shown) => {
  const entered = keys.reduce<string | undefined>((text, key) => withKey(text, key, before), undefined);
  expect(entered).toBe(shown);
});

test('plus and minus step by one, from a half too, and never below zero or above the maximum', () => {
  expect([stepped(null, 1), stepped(0.5, 1), stepped(0.5, -1), stepped(0, -1), stepped(999, 1)]).toEqual([
    1, 1.5, 0, 0, 999,
  ]);
});

test('an item counted below its par is below par, in whole packs', () => {
  const item = (par: number | null, onHand: number | null) => ({ par, onHand });
  expect([item(2, 0.5), item(2, 2), item(2, null), item(null, 0), item(0, 0)].map(isBelowPar)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect([item(2, 0.5), item(3, 1), item(2, 4), item(2, null)].map(packsBelowPar)).toEqual([2, 2, 0, 0]);
  expect([numberText(null), numberText(0.5), numberText(0)]).toEqual(['–', '0.5', '0']);
});

test('a round continues at the first product not yet counted, and starts over once it is done', () => {
  const now = Date.parse('2026-03-14T09:00:00Z');
  const counted = (agoMs: number) => ({ onHand: 1, countedAt: new Date(now - agoMs).toISOString() });
  const open = { onHand: null, countedAt: null };
  expect(firstUncounted([counted(1000), open, counted(1000)], now)).toBe(1);
  expect(firstUncounted([counted(1000), counted(roundMs + 1)], now)).toBe(1);
  expect(firstUncounted([counted(1000), counted(2000)], now)).toBe(0);
  expect(firstUncounted([], now)).toBe(0);
});

test('a copy of a list gets a name of its own, at most as long as a name may be', () => {
  const lists = ['Bar', 'BAR copy'].map((name) => ({ name }));
  expect(copyName('Cellar', lists)).toBe('Cellar copy');
  expect(copyName('Bar', lists)).toBe('Bar copy 2');
  const long = 'Spices of the upper shelf in the back of the kitchen, by hand';
  expect(copyName(long, lists)).toBe(`${long.slice(0, 55)} copy`);
});
