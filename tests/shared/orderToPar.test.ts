import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultParChoice, onItsWay, type ParChoice, parSheet, type ParNote } from '../../src/shared/orderToPar';
import type { Schema } from '../../src/shared/contract';

const pepper = { name: 'Pepper', price: 4.35, availability: true, quantity: 50, archived: false };

interface Case {
  par?: number | null;
  onHand?: number | null;
  inCart?: number;
  onItsWay?: number;
  product?: Partial<typeof pepper> | null;
  choice?: Partial<ParChoice>;
}

function rowOf({ par = 6, onHand = 0, inCart = 0, onItsWay: coming = 0, product = {}, choice = {} }: Case) {
  const countedAt = onHand === null ? null : '2026-03-14T09:26:53.589Z';
  const sheet = parSheet(
    {
      items: [{ productId: 'pepper', par, onHand, countedAt }],
      inCart: new Map([['pepper', inCart]]),
      onItsWay: new Map([['pepper', coming]]),
      products: new Map(product ? [['pepper', { ...pepper, ...product }]] : []),
    },
    { ...defaultParChoice, ...choice },
  );
  return { ...sheet, ...sheet.rows[0] };
}

test.each<[string, Case, number, ParNote | null]>([
  ['what to order', { onHand: 2 }, 4, null],
  ['a pack for the half that is missing', { onHand: 2.5 }, 4, null],
  ['a whole pack for a tenth', { onHand: 5.9 }, 1, null],
  ['nothing of what is there', { onHand: 6 }, 0, 'enough'],
  ['nothing where more is there than should be', { onHand: 8.5 }, 0, 'enough'],
  ['nothing where none should be there', { par: 0 }, 0, 'enough'],
  ['less by what is in the cart', { inCart: 4 }, 2, null],
  ['less by what is on its way', { onItsWay: 5 }, 1, null],
  ['less by both', { inCart: 4, onItsWay: 5 }, 0, 'enough'],
  ['all of it where the cart is left out', { inCart: 4, choice: { leavesOutCart: true } }, 6, null],
  ['all of it where what is coming is left out', { onItsWay: 5, choice: { leavesOutOnItsWay: true } }, 6, null],
  ['nothing without a par', { par: null }, 0, 'no_par'],
  ['nothing that was not counted', { onHand: null }, 0, 'not_counted'],
  ['as if none were there once it is ticked', { onHand: null, choice: { ticked: new Set(['pepper']) } }, 6, null],
  ['nothing that is sold out', { product: { availability: false } }, 0, 'sold_out'],
  ['nothing that has no stock', { product: { quantity: 0 } }, 0, 'sold_out'],
  ['nothing that is no longer sold', { product: { archived: true } }, 0, 'not_sold'],
  ['nothing that nobody knows', { product: null }, 0, 'not_sold'],
  ['what the stock still has', { product: { quantity: 4 } }, 4, 'short'],
  [
    'what the stock has beside the cart',
    { inCart: 2, product: { quantity: 4 }, choice: { leavesOutCart: true } },
    2,
    'short',
  ],
  ['what a cart takes', { par: 120, product: { quantity: 500 } }, 99, 'most_in_cart'],
  ['what a cart takes beside what is in it', { par: 120, inCart: 90, product: { quantity: 500 } }, 9, 'most_in_cart'],
])('a press adds %s', (_, given, packs, note) => {
  const row = rowOf(given);
  expect(row).toMatchObject({ note });
  expect(row.rows[0]?.packs).toBe(packs);
  expect(row.sumCents).toBe(packs * (given.product === null ? 0 : 435));
});

test('no sum of an order to par exceeds the stock or 99, and none is below zero', () => {
  const few = fc.integer({ min: 0, max: 150 });
  const tenths = fc.option(fc.integer({ min: 0, max: 9990 }).map((each) => each / 10));
  fc.assert(
    fc.property(few, tenths, few, few, few, fc.boolean(), (par, onHand, inCart, coming, quantity, leavesOutCart) => {
      const choice = { leavesOutCart, ticked: new Set(['pepper']) };
      const { rows } = rowOf({ par, onHand, inCart, onItsWay: coming, product: { quantity }, choice });
      const packs = rows[0]?.packs ?? -1;
      expect(packs).toBeGreaterThanOrEqual(0);
      if (packs > 0) expect(packs + inCart).toBeLessThanOrEqual(Math.min(99, quantity));
      const had = (onHand ?? 0) + coming + (leavesOutCart ? 0 : inCart);
      expect(packs).toBeLessThan(Math.max(par - had, 0) + 1);
    }),
  );
});

test('paid but undelivered units are on their way', () => {
  const order = (orderStatus: Schema<'OrderStatus'>, quantity: number) =>
    ({ orderStatus, orderItems: [{ productId: 'pepper', quantity }], refunds: [] as object[] }) as Schema<'Order'>;
  const orders = [
    order('PENDING_PAYMENT', 1),
    order('PAID', 2),
    order('OUT_FOR_DELIVERY', 4),
    order('DELIVERED', 8),
    order('CANCELLED', 16),
    order('REFUNDED', 32),
  ];
  expect(onItsWay(orders)).toEqual(new Map([['pepper', 6]]));
});

test('refunded units are not on their way, unless the provider rejected the refund', () => {
  const refund = (state: Schema<'Refund'>['state'], quantity: number) => ({
    state,
    lines: [{ orderItemId: 'line', quantity }],
  });
  const order = {
    orderStatus: 'PAID',
    orderItems: [{ orderItemId: 'line', productId: 'pepper', quantity: 6 }],
    refunds: [refund('done', 1), refund('asked', 2), refund('failed', 3), { state: 'done', lines: [] as object[] }],
  } as Schema<'Order'>;
  expect(onItsWay([order])).toEqual(new Map([['pepper', 3]]));
});

test.each<[string, Case, number]>([
  ['what to order', { onHand: 2 }, 4],
  ['all of it where nothing was counted', { onHand: null }, 6],
  ['less by what is in the cart and on its way', { onHand: null, inCart: 1, onItsWay: 2 }, 3],
  ['no more than the stock has', { onHand: null, product: { quantity: 3 } }, 3],
  ['no more than a cart takes', { onHand: null, par: 300, product: { quantity: 500 } }, 99],
])('a row offers %s', (_, given, packs) => {
  expect(rowOf(given).offered).toBe(packs);
  expect(rowOf({ ...given, choice: { ticked: new Set(['pepper']) } }).rows[0]?.packs).toBe(packs);
});
