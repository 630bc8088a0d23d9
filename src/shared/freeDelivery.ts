import type { Schema } from './contract';
import { toCents } from './money';
import { deliveryPrice } from './total';

/** How far a cart is from free delivery. Rule: docs/rules/orders-and-payment.md, Free delivery */
export interface FreeDelivery {
  /** 0 when the delivery is free. */
  leftCents: number;
  /** Of the amount needed, at most 1. */
  share: number;
}

/**
 * @param freeFromCents the amount from which a delivery method is free; null: never
 * @returns undefined below half of the amount, where it would only be in the way
 */
export function freeDelivery(goodsCents: number, freeFromCents: number | null): FreeDelivery | undefined {
  if (freeFromCents === null || goodsCents * 2 < freeFromCents) return undefined;
  if (goodsCents >= freeFromCents) return { leftCents: 0, share: 1 };
  return { leftCents: freeFromCents - goodsCents, share: goodsCents / freeFromCents };
}

/**
 * For a cart without an address: the method that most orders start with, the cheapest of those that serve every state.
 * @returns the amount from which it is free; null: never, or each method serves only some states
 */
export function everywhereFreeFrom(methods: readonly Schema<'ShopDelivery'>[], goodsCents: number): number | null {
  const costs = methods
    .filter(({ states }) => states === null)
    .map(({ price, freeFrom }) => ({ priceCents: toCents(price), freeFromCents: freeFrom && toCents(freeFrom) }));
  const [cheapest] = costs.toSorted((one, other) => deliveryPrice(one, goodsCents) - deliveryPrice(other, goodsCents));
  return cheapest?.freeFromCents ?? null;
}

export const freeDeliveryMessages = { isFree: 'You have free delivery' } as const;
