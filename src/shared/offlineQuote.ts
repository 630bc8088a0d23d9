import type { Schema } from './contract';
import { fromCents, toCents } from './money';
import { type ShopTerritories, takesState } from './usStates';
import { deliveryPrice, sumCents, toRatePpm, totalOf } from './total';

interface Choice {
  /** Two letters; undefined: no address chosen yet. */
  state: string | undefined;
  methodId: string | undefined;
}

/**
 * Estimates what a cart would cost from what this device last received: current prices, no code, every product taxed.
 * @param terms the owner's terms, from getShop
 * @param shop whether it takes territories, from there too
 * @returns the estimate in the form of a quote. Rule: docs/rules/orders-and-payment.md, Ordering while offline
 */
export function offlineQuote(
  items: readonly Schema<'CartItem'>[],
  terms: Schema<'ShopCheckout'>,
  { state, methodId }: Choice,
  shop: ShopTerritories = {},
): Schema<'Quote'> {
  const lines = items.map(({ currentPrice, quantity }) => ({
    cents: toCents(currentPrice) * quantity,
    isTaxable: true,
    isEligible: true,
  }));
  const goodsCents = sumCents(lines.map(({ cents }) => cents));
  const methods =
    state === undefined || terms.deliveryMethods.length === 0 ? null : methodsServing(terms, state, goodsCents, shop);
  const cheapest = methods?.toSorted((one, other) => one.costCents - other.costCents)[0];
  const method = methods?.find(({ id }) => id === methodId) ?? cheapest;
  const rate = terms.taxRates.find((each) => each.state === state);
  const tax = rate ? { ratePpm: toRatePpm(rate.rate), taxesDelivery: rate.taxesDelivery } : null;
  const total = totalOf({ lines, discount: null, delivery: method?.terms ?? null, tax });
  const isNotServed = methods?.length === 0;
  return {
    goods: fromCents(total.goodsCents),
    discount: null,
    deliveryMethods:
      methods?.map(({ id, name, description, freeFrom, costCents }) => ({
        id,
        name,
        description,
        price: fromCents(costCents),
        freeFrom,
      })) ?? null,
    deliveryMethodId: method?.id ?? null,
    delivery: method ? fromCents(total.deliveryCents) : null,
    tax: rate && !isNotServed ? { rate: rate.rate, amount: fromCents(total.taxCents) } : null,
    total: isNotServed ? null : fromCents(total.totalCents),
  };
}

function methodsServing(
  { deliveryMethods }: Schema<'ShopCheckout'>,
  state: string,
  goodsCents: number,
  shop: ShopTerritories,
) {
  return deliveryMethods
    .filter(({ states }) => takesState(state, shop) && (states === null || states.includes(state)))
    .map((method) => {
      const freeFromCents = method.freeFrom === null ? null : toCents(method.freeFrom);
      const terms = { priceCents: toCents(method.price), freeFromCents };
      return { ...method, terms, costCents: deliveryPrice(terms, goodsCents) };
    });
}
