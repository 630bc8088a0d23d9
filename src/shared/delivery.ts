/** Delivery methods as staff see and edit them. Rule: docs/rules/selling.md, Delivery methods */
import type { Schema } from './contract';
import { type ShopTerritories, stateName, statesOf, takesState } from './usStates';

export type DeliveryMethod = Schema<'DeliveryMethod'>;

/** Lengths in characters, money in cents, and the maximum number of methods. The contract has the same limits. */
export const deliveryLimits = {
  name: 60,
  description: 120,
  priceCents: 999_999,
  freeFromCents: 9_999_999,
  methods: 50,
} as const;

export const deliveryMessages = {
  listDeliveryMethods: { success: 'Delivery methods', failure: "Couldn't load delivery methods" },
  createDeliveryMethod: { success: 'Delivery method added', failure: "Couldn't add the delivery method. Try again." },
  updateDeliveryMethod: { success: 'Delivery method saved', failure: "Couldn't save the delivery method. Try again." },
  archiveDeliveryMethod: {
    success: 'Delivery method archived',
    failure: "Couldn't archive the delivery method. Try again.",
  },
  nameTaken: "There's already a method with this name",
  notFound: 'Delivery method not found',
  tooMany: `You can have up to ${deliveryLimits.methods} delivery methods`,
  price: 'Enter a price, such as 5.95, or 0 for free',
  freeFrom: 'Enter an amount, such as 60.00, or leave blank',
  states: 'Choose at least one state',
  otherStates: (shop: ShopTerritories) =>
    shop.territories ? 'Choose from the U.S. states and territories' : 'Choose from the 50 states and DC',
  empty: 'No delivery methods yet. Checkout shows only the subtotal.',
  order: 'Checkout lists the methods in this order. Drag a row or use its menu to move it.',
  restored: 'Delivery method restored',
  freeFromHint: 'Based on the subtotal after discounts. Leave blank for never.',
  offered: (name: string) => `${name} is available at checkout`,
  notOffered: (name: string) => `${name} is no longer available at checkout`,
} as const;

/** @returns 'Alaska', 'Alaska and Hawaii', 'Alaska, Guam and Hawaii' */
export const inWords = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ');

const fewStates = 6;

/**
 * @returns how many states a method serves and which: all but the few it does not serve, or the codes of the first few
 */
export function servedStates(
  states: readonly string[] | null,
  shop: ShopTerritories,
): { count: string; which: string | undefined } {
  const missing = states ? statesOf(shop).filter((code) => !states.includes(code)) : [];
  if (missing.length === 0) return { count: 'All states', which: undefined };
  const count = countStates(states ?? []);
  if (missing.length <= fewStates) return { count, which: `All but ${inWords(missing.map(stateName))}` };
  const codes = [...(states ?? [])].sort();
  const more = codes.length - fewStates;
  return { count, which: codes.slice(0, fewStates).join(', ') + (more > 0 ? ` and ${more} more` : '') };
}

/** @returns '1 state', '3 states and DC', '3 states, DC and 2 territories' */
export function countStates(codes: readonly string[]): string {
  const others = codes.filter((code) => !takesState(code, {})).length;
  const hasDc = codes.includes('DC');
  const states = codes.length - others - (hasDc ? 1 : 0);
  return inWords([
    ...(states > 0 ? [states === 1 ? '1 state' : `${states} states`] : []),
    ...(hasDc ? ['DC'] : []),
    ...(others > 0 ? [others === 1 ? '1 territory' : `${others} territories`] : []),
  ]);
}

/** @returns a warning about states that no method serves; undefined if all are served, or if no method is offered */
export function unservedStates(methods: readonly DeliveryMethod[], shop: ShopTerritories): string | undefined {
  const offered = methods.filter(({ isActive }) => isActive);
  if (offered.length === 0 || offered.some(({ states }) => states === null)) return undefined;
  const served = new Set(offered.flatMap(({ states }) => states ?? []));
  const missing = statesOf(shop)
    .filter((code) => !served.has(code))
    .map(stateName);
  const [first] = missing;
  if (first === undefined) return undefined;
  const shown =
    missing.length > fewStates ? [...missing.slice(0, fewStates), `${missing.length - fewStates} more`] : missing;
  return `No delivery method covers ${inWords(shown)}. At checkout, customers there see "We don't ship to ${first} yet".`;
}
