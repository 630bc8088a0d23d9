import { expect, test } from 'vitest';
import { everywhereFreeFrom, freeDelivery } from '../../src/shared/freeDelivery';

test.each([
  [2_999, 6_000, undefined],
  [3_000, 6_000, { leftCents: 3_000, share: 0.5 }],
  [5_565, 6_000, { leftCents: 435, share: 0.9275 }],
  [6_000, 6_000, { leftCents: 0, share: 1 }],
  [9_000, null, undefined],
])('a cart of %d cents with free delivery from %s', (goods, freeFrom, state) => {
  expect(freeDelivery(goods, freeFrom)).toEqual(state);
});

test('a cart without an address counts toward the cheapest method that serves every state', () => {
  const method = { id: '', name: '', description: '' };
  const local = { ...method, price: 1, freeFrom: 20, states: ['GA'] };
  const standard = { ...method, price: 5.95, freeFrom: 60, states: null };
  const express = { ...method, price: 14.95, freeFrom: null, states: null };
  expect(everywhereFreeFrom([local, express, standard], 3_000)).toBe(6_000);
  expect(everywhereFreeFrom([local], 3_000)).toBeNull();
  expect(everywhereFreeFrom([express], 3_000)).toBeNull();
});
