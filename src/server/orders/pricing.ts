/**
 * Prices an order: the cart's lines with the owner's delivery methods, tax rates and discount codes. Used by both quoting
 * and placing; the sum itself is computed in shared/total.ts.
 * Rule: docs/rules/orders-and-payment.md, The total
 */
import type { Schema } from '../../shared/contract';
import { isEligible, whyNotUsable } from '../../shared/discounts';
import { fromCents } from '../../shared/money';
import { deliveryPrice, fromRatePpm, sumCents, totalOf, type DiscountTerms, type Total } from '../../shared/total';
import { type ShopTerritories, takesState } from '../../shared/usStates';
import type { PricedLine } from '../cart/lines';
import { conflict } from '../http/core/problems';
import type { Code, Method, Rate, Terms } from './orderTerms';

/** The customer's choices; undefined: none. */
export type Choice = { state: string | undefined; deliveryMethodId: string | undefined; code: string | undefined };

export type Price = {
  /** Without delivery if no method serves the state. */
  total: Total;
  discount: Code | undefined;
  /** The methods that serve the state, with their cost for these items; null: none exist, or the state is unknown. */
  methods: (Method & { costCents: number })[] | null;
  method: Method | undefined;
  rate: Rate | undefined;
};

/**
 * @param at the time for checking the code, the shop's time zone for its messages, and whether it takes territories
 * @throws Problem 409 discount_unknown, discount_ended, discount_not_yet, discount_minimum, discount_used_up,
 *   discount_used_before, discount_not_for_these
 */
export function priceOf(
  lines: readonly PricedLine[],
  terms: Terms,
  { state, deliveryMethodId, code }: Choice,
  at: ShopTerritories & { now: Date; timeZone: string },
): Price {
  const discount = code === undefined ? undefined : requireUsable(lines, terms.discount, at);
  const priced = lines.map((line) => ({
    cents: line.currentPriceCents * line.quantity,
    isTaxable: line.isTaxable,
    isEligible: !discount || isEligible(discount, line.categoryId),
  }));
  const reduced = { lines: priced, discount: termsOf(discount) };
  const { goodsCents, discountCents } = totalOf({ ...reduced, delivery: null, tax: null });
  const serving = state === undefined || terms.methods.length === 0 ? null : methodsFor(state, terms.methods, at);
  const methods = serving?.map((method) => ({
    ...method,
    costCents: discount?.kind === 'free_delivery' ? 0 : deliveryPrice(method, goodsCents - discountCents),
  }));
  const method = methods?.find(({ id }) => id === deliveryMethodId) ?? cheapest(methods ?? []);
  const rate = state === undefined ? undefined : terms.rate;
  const total = totalOf({ ...reduced, delivery: method ?? null, tax: rate ?? null });
  return { total, discount, methods: methods ?? null, method, rate };
}

const methodsFor = (state: string, methods: readonly Method[], shop: ShopTerritories) =>
  methods.filter(({ states }) => takesState(state, shop) && (states === null || states.includes(state)));

/** Among methods with the same cost, the first by position. */
const cheapest = <Any extends { costCents: number }>(methods: readonly Any[]): Any | undefined =>
  methods.toSorted((one, other) => one.costCents - other.costCents)[0];

function requireUsable(
  lines: readonly PricedLine[],
  discount: Code | undefined,
  at: { now: Date; timeZone: string },
): Code {
  const centsOf = (subset: readonly PricedLine[]) =>
    sumCents(subset.map(({ currentPriceCents, quantity }) => currentPriceCents * quantity));
  const rejection = whyNotUsable(discount, {
    ...at,
    goodsCents: centsOf(lines),
    eligibleCents: discount ? centsOf(lines.filter(({ categoryId }) => isEligible(discount, categoryId))) : 0,
    uses: discount?.uses ?? 0,
    ownUses: discount?.ownUses ?? 0,
    heldByNewcomers: discount?.heldByNewcomers ?? 0,
    isOfNewcomer: discount?.isOfNewcomer ?? false,
  });
  if (rejection || !discount) throw conflict(rejection?.code ?? 'discount_unknown', rejection?.message ?? '');
  return discount;
}

function termsOf(discount: Code | undefined): DiscountTerms | null {
  if (!discount) return null;
  const { kind, percent, amountCents } = discount;
  if (kind === 'percent') return { kind, percent: percent ?? 0 };
  return kind === 'amount' ? { kind, amountCents: amountCents ?? 0 } : { kind };
}

/** Whether the owner has delivery methods but none serves the state. */
export const isNotServed = ({ methods }: Price): boolean => methods?.length === 0;

export function presentQuote(price: Price): Schema<'Quote'> {
  const { total, discount, methods, method, rate } = price;
  return {
    goods: fromCents(total.goodsCents),
    discount: discount ? { code: discount.code, kind: discount.kind, amount: fromCents(total.discountCents) } : null,
    deliveryMethods:
      methods?.map(({ id, name, description, costCents, freeFromCents }) => ({
        id,
        name,
        description,
        price: fromCents(costCents),
        freeFrom: freeFromCents === null ? null : fromCents(freeFromCents),
      })) ?? null,
    deliveryMethodId: method?.id ?? null,
    delivery: method ? fromCents(total.deliveryCents) : null,
    tax: rate && !isNotServed(price) ? { rate: fromRatePpm(rate.ratePpm), amount: fromCents(total.taxCents) } : null,
    total: isNotServed(price) ? null : fromCents(total.totalCents),
  };
}
