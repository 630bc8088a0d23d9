import { expect, test } from 'vitest';
import { totalLines } from '../../src/shared/totalLines';

const nothing = { discount: null, delivery: null, tax: null };
const said = (parts: Parameters<typeof totalLines>[0]) =>
  totalLines(parts).map(({ label, text }) => `${label} ${text}`);

test('parts without a charge have no line', () => {
  expect(said({ goods: 31.8, ...nothing })).toEqual(['Subtotal $31.80']);
});

test('each part has its line, in the order of computation', () => {
  const lines = totalLines({
    goods: 31.8,
    discount: { code: 'WELCOME10', amount: 3.18 },
    delivery: { name: 'Standard', price: 5.95 },
    tax: { state: 'GA', rate: 4.125, amount: 1.38 },
  });
  expect(lines).toEqual([
    { label: 'Subtotal', text: '$31.80' },
    { label: 'Discount (WELCOME10)', text: '−$3.18', spoken: 'minus $3.18', tone: 'minus' },
    { label: 'Delivery (Standard)', text: '$5.95' },
    { label: 'Sales tax (GA 4.125%)', text: '$1.38' },
  ]);
});

test('delivery for nothing is free, and a tax of nothing has no line', () => {
  expect(
    said({
      goods: 80,
      discount: { code: 'FREESHIP', amount: 0 },
      delivery: { name: 'Standard', price: 0 },
      tax: { state: 'OH', rate: 5.75, amount: 0 },
    }),
  ).toEqual(['Subtotal $80.00', 'Delivery (Standard) Free']);
});
