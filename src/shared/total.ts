/**
 * Computes the total of an order (goods, discount, delivery, tax) and what a refund returns of each part. This is the
 * only place that adds these up, for server and browser. Input and output are whole cents. Products of shares exceed
 * 2^53, so they are computed with BigInt; no fraction is ever a floating-point number.
 * Rule: docs/rules/orders-and-payment.md, The total
 */
export type DiscountKind = 'percent' | 'amount' | 'free_delivery';

/** The value of a code. `percent` is 1 to 100; `amountCents` is in whole cents. */
export type DiscountTerms =
  | { kind: 'percent'; percent: number }
  | { kind: 'amount'; amountCents: number }
  | { kind: 'free_delivery' };

export interface DeliveryTerms {
  priceCents: number;
  /** Delivery is free from this sum of goods after the discount; null: never. */
  freeFromCents: number | null;
}

/** A state's sales tax. `ratePpm` is in millionths: 57,500 for 5.75 %. */
export interface TaxTerms {
  ratePpm: number;
  taxesDelivery: boolean;
}

export interface TotalLine {
  /** Price of all units of the line. */
  cents: number;
  isTaxable: boolean;
  /** Whether the discount applies to the line. */
  isEligible: boolean;
}

/** null: not set, not chosen, or not known yet. */
export interface TotalParts {
  lines: readonly TotalLine[];
  discount: DiscountTerms | null;
  delivery: DeliveryTerms | null;
  tax: TaxTerms | null;
}

/** A line's share of the discount and of the tax. */
export type LineShares = { discountCents: number; taxCents: number };

export interface Total {
  goodsCents: number;
  discountCents: number;
  deliveryCents: number;
  /** The tax base: taxable goods after their discount plus the taxed part of the delivery, rounded. */
  taxedCents: number;
  taxCents: number;
  /** The tax on delivery; the rest of the tax is on the lines. */
  deliveryTaxCents: number;
  totalCents: number;
  /** In the same order as the input lines. */
  lines: LineShares[];
}

/** A rate on the wire is in percent with at most four decimals: 5.75 is 57,500 millionths. */
export const toRatePpm = (percent: number): number => Math.round(Number((percent * 10_000).toPrecision(15)));
export const fromRatePpm = (ratePpm: number): number => ratePpm / 10_000;

/** @returns the sum of all parts. Rule: docs/rules/orders-and-payment.md, The total */
export function totalOf({ lines, discount, delivery, tax }: TotalParts): Total {
  const goodsCents = sumCents(lines.map(({ cents }) => cents));
  const eligible = lines.map(({ cents, isEligible }) => (isEligible ? cents : 0));
  const discountCents = discountOf(discount, sumCents(eligible));
  const discounts = spread(discountCents, eligible);
  const nets = lines.map(({ cents }, line) => cents - (discounts[line] ?? 0));
  const deliveryCents = discount?.kind === 'free_delivery' ? 0 : deliveryPrice(delivery, goodsCents - discountCents);
  const taxed = taxOf(
    lines.map(({ isTaxable }, line) => (isTaxable ? (nets[line] ?? 0) : 0)),
    {
      goodsCents,
      taxableGoodsCents: sumCents(lines.map(({ cents, isTaxable }) => (isTaxable ? cents : 0))),
      deliveryCents,
      tax,
    },
  );
  return {
    goodsCents,
    discountCents,
    deliveryCents,
    taxedCents: taxed.taxedCents,
    taxCents: taxed.taxCents,
    deliveryTaxCents: taxed.deliveryTaxCents,
    totalCents: goodsCents - discountCents + deliveryCents + taxed.taxCents,
    lines: discounts.map((discountCents, line) => ({ discountCents, taxCents: taxed.shares[line] ?? 0 })),
  };
}

type Charged = { totalCents: number; discountCents: number; deliveryCents: number; taxCents: number };

/** The sum of an order's lines, which is not stored. */
export const goodsOf = ({ totalCents, discountCents, deliveryCents, taxCents }: Charged): number =>
  totalCents + discountCents - deliveryCents - taxCents;

export const sumCents = (cents: readonly number[]): number => cents.reduce((sum, each) => sum + each, 0);

/** @returns the price of a method for this sum of goods after the discount; 0 without a method */
export function deliveryPrice(delivery: DeliveryTerms | null, netGoodsCents: number): number {
  if (!delivery) return 0;
  const { priceCents, freeFromCents } = delivery;
  return freeFromCents !== null && netGoodsCents >= freeFromCents ? 0 : priceCents;
}

function discountOf(discount: DiscountTerms | null, eligibleCents: number): number {
  if (discount?.kind === 'percent') return Number(halfUp(BigInt(eligibleCents) * BigInt(discount.percent), 100n));
  return discount?.kind === 'amount' ? Math.min(discount.amountCents, eligibleCents) : 0;
}

/** Goods before the discount. */
type Taxed = { goodsCents: number; taxableGoodsCents: number; deliveryCents: number; tax: TaxTerms | null };

/**
 * The tax on taxable lines after their discount and, where delivery is taxed, on the taxable share of the delivery.
 * Rounded once for the order, then spread over the tax base. The share uses taxable goods before the discount, so a 99
 * % code taxes delivery the same way as a 100 % code.
 */
function taxOf(taxable: readonly number[], { goodsCents, taxableGoodsCents, deliveryCents, tax }: Taxed) {
  const none = { taxedCents: 0, taxCents: 0, deliveryTaxCents: 0, shares: taxable.map(() => 0) };
  if (!tax || goodsCents === 0) return none;
  const [taxableCents, goods] = [BigInt(sumCents(taxable)), BigInt(goodsCents)];
  // both are multiplied by the sum of goods, so that the delivery's taxable share is a whole number too
  const scaledDelivery = tax.taxesDelivery ? BigInt(deliveryCents) * BigInt(taxableGoodsCents) : 0n;
  const scaledBase = taxableCents * goods + scaledDelivery;
  const taxCents = Number(halfUp(scaledBase * BigInt(tax.ratePpm), goods * 1_000_000n));
  const shares = spreadExact(BigInt(taxCents), [...taxable.map((cents) => BigInt(cents) * goods), scaledDelivery]);
  const deliveryTaxCents = shares.pop() ?? 0;
  return { taxedCents: Number(halfUp(scaledBase, goods)), taxCents, deliveryTaxCents, shares };
}

/**
 * Spreads whole cents in proportion to weights by largest remainder (the earlier one on a tie), so that the shares add
 * up exactly. No share exceeds its weight as long as the cents do not exceed the sum of weights.
 * @param weights whole and not negative; if all are 0, nothing is spread
 */
export const spread = (cents: number, weights: readonly number[]): number[] =>
  spreadExact(
    BigInt(cents),
    weights.map((weight) => BigInt(weight)),
  );

function spreadExact(cents: bigint, weights: readonly bigint[]): number[] {
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0n);
  if (weightSum === 0n) return weights.map(() => 0);
  const shares = weights.map((weight) => (cents * weight) / weightSum);
  let left = Number(cents - shares.reduce((sum, share) => sum + share, 0n));
  const remainder = (index: number) => (cents * (weights[index] ?? 0n)) % weightSum;
  const indexes = weights.map((_, index) => index);
  const byRemainder = indexes.toSorted((one, other) => compare(remainder(other), remainder(one)) || one - other);
  for (const index of byRemainder) {
    if (left <= 0) break;
    shares[index] = (shares[index] ?? 0n) + 1n;
    left -= 1;
  }
  return shares.map(Number);
}

const compare = (one: bigint, other: bigint): number => (one === other ? 0 : one < other ? -1 : 1);

/** Rounds half a cent up. All values are non-negative. */
const halfUp = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);

/** What an order line was charged, and how much of it refunds by lines have already returned. */
export interface RefundableLine {
  quantity: number;
  cents: number;
  discountCents: number;
  taxCents: number;
  /** Units returned by refunds by lines. */
  refundedUnits: number;
}

/** What is left of an order's payment, after all refunds that were requested and not rejected. */
export interface Refundable {
  /** Goods after the discount. */
  goodsCents: number;
  deliveryCents: number;
  /** Tax on lines and delivery. */
  taxCents: number;
}

/** What a refund returns, by part. The three parts add up to its amount. */
export type RefundParts = { goodsCents: number; deliveryCents: number; taxCents: number };

export interface RefundWish {
  /** Whole units, in the order of the order's lines. */
  lines: readonly { line: RefundableLine; units: number }[];
  /** The remaining delivery price and its tax; null: delivery is not refunded. */
  delivery: { deliveryCents: number; taxCents: number } | null;
}

/**
 * A refund by lines. Units a+1 to b of a line of n units return floor(s*b/n) - floor(s*a/n) of each share s of the
 * line, but never more than is left of the order.
 * @returns the parts in total and for each line, in input order
 * Rule: docs/rules/orders-and-payment.md, Refunds
 */
export function refundByLines(left: Refundable, { lines, delivery }: RefundWish) {
  const remaining = { ...left };
  const refundedLines = lines.map(({ line, units }) => {
    const goodsCents = Math.min(
      unitsOf(line.cents, line, units) - unitsOf(line.discountCents, line, units),
      remaining.goodsCents,
    );
    const taxCents = Math.min(unitsOf(line.taxCents, line, units), remaining.taxCents);
    remaining.goodsCents -= goodsCents;
    remaining.taxCents -= taxCents;
    return { goodsCents, taxCents };
  });
  const deliveryCents = Math.min(delivery?.deliveryCents ?? 0, remaining.deliveryCents);
  const deliveryTaxCents = Math.min(delivery?.taxCents ?? 0, remaining.taxCents);
  const parts: RefundParts = {
    goodsCents: left.goodsCents - remaining.goodsCents,
    deliveryCents,
    taxCents: left.taxCents - remaining.taxCents + deliveryTaxCents,
  };
  return { parts, lines: refundedLines };
}

/** The share of the next `units` of a line, after those already refunded. */
function unitsOf(share: number, { quantity, refundedUnits }: RefundableLine, units: number): number {
  const upTo = (count: number) => (BigInt(share) * BigInt(count)) / BigInt(quantity);
  return Number(upTo(Math.min(refundedUnits + units, quantity)) - upTo(refundedUnits));
}

/**
 * A refund of an amount: spread in proportion over what is left of goods, delivery and tax.
 * @param amountCents at most the sum of what is left
 */
export function refundOfAmount({ goodsCents, deliveryCents, taxCents }: Refundable, amountCents: number): RefundParts {
  const [goods = 0, delivery = 0, tax = 0] = spread(amountCents, [goodsCents, deliveryCents, taxCents]);
  return { goodsCents: goods, deliveryCents: delivery, taxCents: tax };
}

export const refundCents = ({ goodsCents, deliveryCents, taxCents }: RefundParts): number =>
  goodsCents + deliveryCents + taxCents;

/** The goods in a refund's amount; not stored, as in an order. */
export const goodsOfRefund = (refund: { amountCents: number; deliveryCents: number; taxCents: number }): number =>
  refund.amountCents - refund.deliveryCents - refund.taxCents;
