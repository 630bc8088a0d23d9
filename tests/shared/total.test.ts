import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  refundByLines,
  refundCents,
  refundOfAmount,
  spread,
  sumCents,
  toRatePpm,
  totalOf,
  type DiscountTerms,
  type Refundable,
  type RefundableLine,
  type TaxTerms,
} from '../../src/shared/total';

const plain = (cents: number) => ({ cents, isTaxable: true, isEligible: true });
const alone = { discount: null, delivery: null, tax: null };

describe('the total', () => {
  test('of a shop without settings is the sum of the lines', () => {
    expect(totalOf({ lines: [plain(450), plain(1900)], ...alone })).toEqual({
      goodsCents: 2350,
      discountCents: 0,
      deliveryCents: 0,
      taxedCents: 0,
      taxCents: 0,
      deliveryTaxCents: 0,
      totalCents: 2350,
      lines: [
        { discountCents: 0, taxCents: 0 },
        { discountCents: 0, taxCents: 0 },
      ],
    });
  });

  test.each<[string, DiscountTerms, number]>([
    ['a percent is rounded half up', { kind: 'percent', percent: 10 }, 11],
    ['an amount is at most what it is for', { kind: 'amount', amountCents: 500 }, 105],
    ['free delivery takes nothing of the goods', { kind: 'free_delivery' }, 0],
  ])('%s', (_, discount, discountCents) => {
    expect(totalOf({ lines: [plain(105)], ...alone, discount })).toMatchObject({ discountCents });
  });

  test('a code limited to categories leaves other lines alone', () => {
    const lines = [plain(1000), { ...plain(1000), isEligible: false }];
    const total = totalOf({ lines, ...alone, discount: { kind: 'percent', percent: 25 } });
    expect(total.lines.map(({ discountCents }) => discountCents)).toEqual([250, 0]);
  });

  test.each([
    [5999, 700],
    [6000, 0],
    [9000, 0],
  ])('delivery is free from a threshold on, after the discount: %i', (cents, deliveryCents) => {
    const delivery = { priceCents: 700, freeFromCents: 6000 };
    expect(totalOf({ lines: [plain(cents)], ...alone, delivery }).deliveryCents).toBe(deliveryCents);
    const discount: DiscountTerms = { kind: 'amount', amountCents: 1 };
    const less = totalOf({ lines: [plain(cents + 1)], discount, delivery, tax: null });
    expect(less.deliveryCents).toBe(deliveryCents);
  });

  test('a code for free delivery makes any method free', () => {
    const delivery = { priceCents: 700, freeFromCents: null };
    const total = totalOf({ lines: [plain(1000)], discount: { kind: 'free_delivery' }, delivery, tax: null });
    expect(total).toMatchObject({ discountCents: 0, deliveryCents: 0, totalCents: 1000 });
  });

  test('tax is rounded once for the order, not for each line', () => {
    const tax: TaxTerms = { ratePpm: toRatePpm(5), taxesDelivery: false };
    // 5 % of 10 and 10 and 10 cents is 1.5: rounded line by line it would be 3
    expect(totalOf({ lines: [plain(10), plain(10), plain(10)], ...alone, tax }).taxCents).toBe(2);
  });

  test('delivery is taxed only by the taxable share of the goods after the discount', () => {
    const tax: TaxTerms = { ratePpm: toRatePpm(10), taxesDelivery: true };
    const lines = [plain(3000), { ...plain(1000), isTaxable: false }];
    const delivery = { priceCents: 800, freeFromCents: null };
    const total = totalOf({ lines, discount: null, delivery, tax });
    expect(total).toMatchObject({ taxedCents: 3600, taxCents: 360, deliveryTaxCents: 60, totalCents: 5160 });
    expect(total.lines.map(({ taxCents }) => taxCents)).toEqual([300, 0]);
  });

  test.each<[string, DiscountTerms | null]>([
    ['no code', null],
    ['99 %', { kind: 'percent', percent: 99 }],
    ['99.99 %', { kind: 'amount', amountCents: 9_999 }],
    ['100 %', { kind: 'percent', percent: 100 }],
  ])('a code of %s leaves the tax on the delivery unchanged', (_, discount) => {
    const tax: TaxTerms = { ratePpm: toRatePpm(10), taxesDelivery: true };
    const lines = [plain(7_500), { ...plain(2_500), isTaxable: false }];
    const delivery = { priceCents: 800, freeFromCents: null };
    const total = totalOf({ lines, discount, delivery, tax });
    expect(total).toMatchObject({ deliveryCents: 800, deliveryTaxCents: 60 });
    const goods = total.lines.reduce((sum, { taxCents }) => sum + taxCents, 0);
    expect(total.taxCents).toBe(goods + 60);
  });

  test('free goods leave no delivery to be taxed', () => {
    const tax: TaxTerms = { ratePpm: toRatePpm(10), taxesDelivery: true };
    const delivery = { priceCents: 800, freeFromCents: null };
    expect(totalOf({ lines: [plain(0)], discount: null, delivery, tax })).toMatchObject({
      taxCents: 0,
      totalCents: 800,
    });
  });

  test.each([
    [5.75, 57_500],
    [8.8875, 88_875],
    [0.0001, 1],
    [30, 300_000],
  ])('a rate of %f percent is %i millionths', (percent, ppm) => expect(toRatePpm(percent)).toBe(ppm));
});

test('indivisible cents go to the largest remainders first, and among equal ones to the earlier', () => {
  expect(spread(100, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(spread(10, [1, 2, 4])).toEqual([1, 3, 6]);
  expect(spread(5, [0, 0])).toEqual([0, 0]);
});

const aLine = fc.record({
  unitCents: fc.integer({ min: 1, max: 20_000 }),
  quantity: fc.integer({ min: 1, max: 99 }),
  isTaxable: fc.boolean(),
  isEligible: fc.boolean(),
});
const aDiscount: fc.Arbitrary<DiscountTerms | null> = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constant('percent' as const), percent: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ kind: fc.constant('amount' as const), amountCents: fc.integer({ min: 1, max: 1_000_000 }) }),
  fc.constant({ kind: 'free_delivery' as const }),
);
const anOrder = fc.record({
  lines: fc.array(aLine, { minLength: 1, maxLength: 12 }),
  discount: aDiscount,
  delivery: fc.option(
    fc.record({
      priceCents: fc.integer({ min: 0, max: 5_000 }),
      freeFromCents: fc.option(fc.integer({ min: 0, max: 500_000 })),
    }),
  ),
  tax: fc.option(fc.record({ ratePpm: fc.integer({ min: 0, max: 300_000 }), taxesDelivery: fc.boolean() })),
  refunds: fc.array(
    fc.record({ kind: fc.constantFrom('line', 'delivery', 'amount'), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
    {
      maxLength: 8,
    },
  ),
});

/** An order and its refunds, as the shop stores them. */
function openOrder({ lines, ...terms }: Pick<Drawn, 'lines' | 'discount' | 'delivery' | 'tax'>) {
  const priced = lines.map((line) => ({ ...line, cents: line.unitCents * line.quantity }));
  const total = totalOf({ lines: priced, ...terms });
  const left: Refundable = {
    goodsCents: total.goodsCents - total.discountCents,
    deliveryCents: total.deliveryCents,
    taxCents: total.taxCents,
  };
  const kept: RefundableLine[] = priced.map(({ cents, quantity }, place) => ({
    cents,
    quantity,
    refundedUnits: 0,
    ...(total.lines[place] ?? { discountCents: 0, taxCents: 0 }),
  }));
  return { total, left, kept };
}
type Drawn = typeof anOrder extends fc.Arbitrary<infer Order> ? Order : never;

function giveBack(order: ReturnType<typeof openOrder>, wish: Parameters<typeof refundByLines>[1]): number {
  const { parts } = refundByLines(order.left, wish);
  for (const { line, units } of wish.lines) line.refundedUnits += units;
  take(order.left, parts);
  return refundCents(parts);
}

function take(left: Refundable, parts: Refundable): void {
  left.goodsCents -= parts.goodsCents;
  left.deliveryCents -= parts.deliveryCents;
  left.taxCents -= parts.taxCents;
  expect(Math.min(left.goodsCents, left.deliveryCents, left.taxCents)).toBeGreaterThanOrEqual(0);
}

const deliveryOf = ({ total }: ReturnType<typeof openOrder>) => ({
  deliveryCents: total.deliveryCents,
  taxCents: total.deliveryTaxCents,
});

test('1,000 random orders add up to the cent, and refunds of everything return exactly the total', () => {
  fc.assert(
    fc.property(anOrder, ({ refunds, ...drawn }) => {
      const order = openOrder(drawn);
      const { total, left, kept } = order;
      expect(total.totalCents).toBe(total.goodsCents - total.discountCents + total.deliveryCents + total.taxCents);
      expect(sumCents(total.lines.map(({ discountCents }) => discountCents))).toBe(total.discountCents);
      expect(sumCents(total.lines.map(({ taxCents }) => taxCents)) + total.deliveryTaxCents).toBe(total.taxCents);
      for (const { cents, discountCents, taxCents } of kept)
        expect(Math.min(discountCents, taxCents, cents - discountCents)).toBeGreaterThanOrEqual(0);

      let given = 0;
      for (const { kind, at } of refunds) {
        if (kind === 'amount') {
          const parts = refundOfAmount(left, Math.floor(refundCents(left) * at));
          take(left, parts);
          given += refundCents(parts);
        } else if (kind === 'delivery') {
          given += giveBack(order, { lines: [], delivery: deliveryOf(order) });
        } else {
          const line = kept[Math.floor(at * kept.length) % kept.length];
          const open = line ? line.quantity - line.refundedUnits : 0;
          if (line && open > 0)
            given += giveBack(order, { lines: [{ line, units: Math.max(1, Math.floor(open * at)) }], delivery: null });
        }
      }
      const rest = kept.map((line) => ({ line, units: line.quantity - line.refundedUnits }));
      given += giveBack(order, { lines: rest.filter(({ units }) => units > 0), delivery: deliveryOf(order) });
      expect(given).toBe(total.totalCents);
    }),
    { numRuns: 1_000 },
  );
});
