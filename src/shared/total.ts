/**
 * The total of an order: goods, discount, delivery, tax, and what a refund gives back of each. The only place that sums
 * these; server and browser both use it. Whole cents in and out; products of shares pass 2^53, so they are BigInt inside
 * and no fraction is ever a floating-point number.
 * Rule: docs/rules/orders-and-payment.md, The total
 */
export type DiscountKind = 'percent' | 'amount' | 'free_delivery';

/** What a code gives. `percent` is 1 to 100; `amountCents` is in whole cents. */
export type DiscountTerms =
  | { kind: 'percent'; percent: number }
  | { kind: 'amount'; amountCents: number }
  | { kind: 'free_delivery' };

export interface DeliveryTerms {
  priceCents: number;
  /** From this sum of goods after the discount on, delivery is free; null: never. */
  freeFromCents: number | null;
}

/** A state's sales tax. `ratePpm` is in millionths: 57,500 for 5.75 %. */
export interface TaxTerms {
  ratePpm: number;
  taxesDelivery: boolean;
}

export interface TotalLine {
  /** All units of the line. */
  cents: number;
  isTaxable: boolean;
  /** Whether the discount's conditions let it in. */
  isEligible: boolean;
}

/** null: none is set, chosen or known yet. */
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
  /** What the tax was taken of: taxable goods after their discount, and the taxed part of the delivery, rounded. */
  taxedCents: number;
  taxCents: number;
  /** The part of the tax that is the delivery's; the rest is the lines'. */
  deliveryTaxCents: number;
  totalCents: number;
  /** In the order of the lines. */
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

/** The sum of an order's lines, which is not kept. */
export const goodsOf = ({ totalCents, discountCents, deliveryCents, taxCents }: Charged): number =>
  totalCents + discountCents - deliveryCents - taxCents;

/** @returns the whole cents' sum */
export const sumCents = (cents: readonly number[]): number => cents.reduce((sum, each) => sum + each, 0);

/** @returns what a method costs for goods of this sum after the discount; 0 without a method */
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
 * The tax on taxable lines after their discount and, where delivery is taxed, on the taxable share of the delivery:
 * rounded once for the order, then spread over what was taxed. The share is that of the taxable goods before the discount,
 * so a code that takes 99 % taxes delivery as one that takes all.
 */
function taxOf(taxable: readonly number[], { goodsCents, taxableGoodsCents, deliveryCents, tax }: Taxed) {
  const none = { taxedCents: 0, taxCents: 0, deliveryTaxCents: 0, shares: taxable.map(() => 0) };
  if (!tax || goodsCents === 0) return none;
  const [taxableCents, goods] = [BigInt(sumCents(taxable)), BigInt(goodsCents)];
  // all of it times the goods' sum, so that the delivery's taxable share is a whole number too
  const deliveryTimes = tax.taxesDelivery ? BigInt(deliveryCents) * BigInt(taxableGoodsCents) : 0n;
  const times = taxableCents * goods + deliveryTimes;
  const taxCents = Number(halfUp(times * BigInt(tax.ratePpm), goods * 1_000_000n));
  const shares = spreadExact(BigInt(taxCents), [...taxable.map((cents) => BigInt(cents) * goods), deliveryTimes]);
  const deliveryTaxCents = shares.pop() ?? 0;
  return { taxedCents: Number(halfUp(times, goods)), taxCents, deliveryTaxCents, shares };
}

/**
 * Spreads whole cents in proportion to weights, the largest remainder first (of equal ones the earlier), so that the
 * shares add up. No share is larger than its weight while the cents are not more than all weights together.
 * @param weights whole and not negative; all 0: nothing is spread
 */
export const spread = (cents: number, weights: readonly number[]): number[] =>
  spreadExact(
    BigInt(cents),
    weights.map((weight) => BigInt(weight)),
  );

function spreadExact(cents: bigint, weights: readonly bigint[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  if (whole === 0n) return weights.map(() => 0);
  const shares = weights.map((weight) => (cents * weight) / whole);
  let left = Number(cents - shares.reduce((sum, share) => sum + share, 0n));
  const remainder = (place: number) => (cents * (weights[place] ?? 0n)) % whole;
  const places = weights.map((_, place) => place);
  const byRemainder = places.toSorted((one, other) => compare(remainder(other), remainder(one)) || one - other);
  for (const place of byRemainder) {
    if (left <= 0) break;
    shares[place] = (shares[place] ?? 0n) + 1n;
    left -= 1;
  }
  return shares.map(Number);
}

const compare = (one: bigint, other: bigint): number => (one === other ? 0 : one < other ? -1 : 1);

/** Half a cent goes up. Nothing here is negative. */
const halfUp = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);

/** What an order's line was charged, and what refunds by lines gave back of it already. */
export interface RefundableLine {
  quantity: number;
  cents: number;
  discountCents: number;
  taxCents: number;
  /** Units that refunds by lines gave back. */
  refundedUnits: number;
}

/** What is left of an order's payment, after all refunds that were asked for and not refused. */
export interface Refundable {
  /** Goods after the discount. */
  goodsCents: number;
  deliveryCents: number;
  /** The lines' and the delivery's. */
  taxCents: number;
}

/** What a refund gives back, and of what. The three parts are its amount. */
export type RefundParts = { goodsCents: number; deliveryCents: number; taxCents: number };

export interface RefundWish {
  /** Whole units of lines, in the order of the order's lines. */
  lines: readonly { line: RefundableLine; units: number }[];
  /** What is left of the delivery, with its tax: its price and its share of the tax; null: not asked for. */
  delivery: { deliveryCents: number; taxCents: number } | null;
}

/**
 * A refund by lines. Units a+1 to b of a line of n units give floor(s*b/n) - floor(s*a/n) of each share s of the line,
 * and never more than is left of the order.
 * @returns the parts, and each line's, in the wish's order
 * Rule: docs/rules/orders-and-payment.md, Refunds
 */
export function refundByLines(left: Refundable, { lines, delivery }: RefundWish) {
  const rest = { ...left };
  const given = lines.map(({ line, units }) => {
    const goodsCents = Math.min(
      unitsOf(line.cents, line, units) - unitsOf(line.discountCents, line, units),
      rest.goodsCents,
    );
    const taxCents = Math.min(unitsOf(line.taxCents, line, units), rest.taxCents);
    rest.goodsCents -= goodsCents;
    rest.taxCents -= taxCents;
    return { goodsCents, taxCents };
  });
  const deliveryCents = Math.min(delivery?.deliveryCents ?? 0, rest.deliveryCents);
  const deliveryTaxCents = Math.min(delivery?.taxCents ?? 0, rest.taxCents);
  const parts: RefundParts = {
    goodsCents: left.goodsCents - rest.goodsCents,
    deliveryCents,
    taxCents: left.taxCents - rest.taxCents + deliveryTaxCents,
  };
  return { parts, lines: given };
}

/** The share of the next units of a line, after those that were given back. */
function unitsOf(share: number, { quantity, refundedUnits }: RefundableLine, units: number): number {
  const upTo = (count: number) => (BigInt(share) * BigInt(count)) / BigInt(quantity);
  return Number(upTo(Math.min(refundedUnits + units, quantity)) - upTo(refundedUnits));
}

/**
 * A refund of another amount: spread over what is left of goods, delivery and tax in proportion.
 * @param amountCents at most what is left
 */
export function refundOfAmount({ goodsCents, deliveryCents, taxCents }: Refundable, amountCents: number): RefundParts {
  const [goods = 0, delivery = 0, tax = 0] = spread(amountCents, [goodsCents, deliveryCents, taxCents]);
  return { goodsCents: goods, deliveryCents: delivery, taxCents: tax };
}

export const refundCents = ({ goodsCents, deliveryCents, taxCents }: RefundParts): number =>
  goodsCents + deliveryCents + taxCents;

/** What a refund's amount is of besides delivery and tax; goods are not kept, as in an order. */
export const goodsOfRefund = (refund: { amountCents: number; deliveryCents: number; taxCents: number }): number =>
  refund.amountCents - refund.deliveryCents - refund.taxCents;
