/**
 * Computes how many packs of each product of a list are missing. Counts are in whole tenths, money in whole cents.
 * Rule: docs/rules/kitchen.md, Order to par
 */
import { countOf } from './counts';
import { maxQuantity } from './cart';
import type { Schema } from './contract';
import { type ListItem, toTenths } from './lists';
import { toCents } from './money';
import { sizeInstead } from './sizeInstead';
import { sumCents } from './total';

/** Input of the sheet: the list, and what the device knows about cart, orders and catalog. */
export interface ParParts {
  items: readonly ListItem[];
  /** Packs in the cart, by product, including unsent changes. */
  inCart: ReadonlyMap<string, number>;
  /** Packs that are paid but not delivered yet, by product (`onItsWay`). */
  onItsWay: ReadonlyMap<string, number>;
  products: ReadonlyMap<string, ParProduct>;
}
type ParProduct = Pick<Schema<'Product'>, 'name' | 'price' | 'availability' | 'quantity' | 'archived'>;

/** What the user excludes from the calculation, and which uncounted products are ordered as if none were on hand. */
export interface ParChoice {
  leavesOutCart: boolean;
  leavesOutOnItsWay: boolean;
  ticked: ReadonlySet<string>;
}
export const defaultParChoice: ParChoice = { leavesOutCart: false, leavesOutOnItsWay: false, ticked: new Set() };

/**
 * Why a product is not added, or fewer packs than are missing: no par, not counted, no longer sold (or unknown on this
 * device), sold out, more than the stock, more than a cart allows. `enough`: nothing is missing.
 */
export type ParNote = 'no_par' | 'not_counted' | 'not_sold' | 'sold_out' | 'short' | 'most_in_cart' | 'enough';

export interface ParRow extends ListItem {
  /** Empty if the device does not know the product. */
  name: string;
  inCart: number;
  onItsWay: number;
  /** Whole packs missing, after what the user excluded. */
  missing: number;
  /** Whole packs that would be added if the product were ticked; same as `packs` if it needs no tick. */
  offered: number;
  /** Whole packs that will be added. */
  packs: number;
  /** Price of a pack. */
  priceCents: number;
  note: ParNote | null;
}

export interface ParSheet {
  /** In list order. */
  rows: readonly ParRow[];
  /** Total of all that will be added. */
  packs: number;
  sumCents: number;
}

/** @returns what is missing of each product of the list, and what one press will add */
export function parSheet({ items, ...parts }: ParParts, choice: ParChoice = defaultParChoice): ParSheet {
  const rows = items.map((item) => rowOf(item, parts, choice));
  return {
    rows,
    packs: rows.reduce((sum, row) => sum + row.packs, 0),
    sumCents: sumCents(rows.map((row) => row.packs * row.priceCents)),
  };
}

function rowOf(item: ListItem, parts: Omit<ParParts, 'items'>, choice: ParChoice): ParRow {
  const { productId, par } = item;
  const product = parts.products.get(productId);
  const [inCart, onItsWay] = [parts.inCart.get(productId) ?? 0, parts.onItsWay.get(productId) ?? 0];
  const isLeftOut = item.onHand === null && !choice.ticked.has(productId);
  const covered = (choice.leavesOutCart ? 0 : inCart) + (choice.leavesOutOnItsWay ? 0 : onItsWay);
  const needed = par === null ? 0 : missingPacks(par - covered, item.onHand ?? 0);
  const capacity = capacityFor(product, inCart);
  const offered = Math.min(needed, capacity.packs);
  const [missing, packs] = isLeftOut ? [0, 0] : [needed, offered];
  return {
    ...item,
    name: product?.name ?? '',
    inCart,
    onItsWay,
    missing,
    offered,
    packs,
    priceCents: product ? toCents(product.price) : 0,
    note: noteOf({ par, isLeftOut, missing, packs, reason: capacity.reason }),
  };
}

/** A half-full jar leaves half a jar missing, which rounds up to a whole pack. */
const missingPacks = (wanted: number, onHand: number): number =>
  Math.max(0, Math.ceil((wanted * 10 - toTenths(onHand)) / 10));

type Capacity = { packs: number; reason: ParNote };

/**
 * How many more packs the cart can take. Always subtracts what is in it already, even if the user excluded the cart.
 */
function capacityFor(product: ParProduct | undefined, inCart: number): Capacity {
  if (!product || product.archived) return { packs: 0, reason: 'not_sold' };
  if (!product.availability || product.quantity <= 0) return { packs: 0, reason: 'sold_out' };
  const most = Math.min(product.quantity, maxQuantity);
  return { packs: Math.max(0, most - inCart), reason: product.quantity < maxQuantity ? 'short' : 'most_in_cart' };
}

type Outcome = { par: number | null; isLeftOut: boolean; missing: number; packs: number; reason: ParNote };

function noteOf({ par, isLeftOut, missing, packs, reason }: Outcome): ParNote | null {
  if (par === null) return 'no_par';
  if (isLeftOut) return 'not_counted';
  if (missing === 0) return 'enough';
  return packs < missing ? reason : null;
}

/** @returns whether something is missing of a product that can't be bought */
export const isGone = ({ note }: Pick<ParRow, 'note'>): boolean => note === 'sold_out' || note === 'not_sold';

type SizedProduct = ParProduct & Pick<Schema<'Product'>, 'id' | 'sizeGroup'>;

/**
 * @param others products on sale that may be sizes of those of the sheet
 * @returns the size that is offered in place of each one that can't be bought, by the id of the latter: each at most
 *   once, and none that the list or the cart has already
 */
export function otherSizes<Product extends SizedProduct>(
  rows: readonly ParRow[],
  others: readonly Product[],
  { products, inCart }: { products: ReadonlyMap<string, SizedProduct>; inCart: ReadonlyMap<string, number> },
): Map<string, Product> {
  const offered = new Map<string, Product>();
  const taken = new Set([...rows.map(({ productId }) => productId), ...inCart.keys()]);
  for (const { productId } of rows.filter(isGone)) {
    const gone = products.get(productId);
    const sizes = others.filter(
      ({ id, sizeGroup, quantity }) => sizeGroup === gone?.sizeGroup && quantity > 0 && !taken.has(id),
    );
    const instead = gone?.sizeGroup === undefined ? undefined : sizeInstead(gone, sizes);
    if (!instead) continue;
    offered.set(productId, instead);
    taken.add(instead.id);
  }
  return offered;
}

/** @returns one pack of another size, as a row of the order */
export const rowOfOtherSize = ({ id, name, price }: SizedProduct): ParRow => ({
  productId: id,
  par: null,
  onHand: null,
  countedAt: null,
  name,
  inCart: 0,
  onItsWay: 0,
  missing: 1,
  offered: 1,
  packs: 1,
  priceCents: toCents(price),
  note: null,
});

/** @returns packs paid and not delivered yet, by product */
export function onItsWay(orders: readonly Schema<'Order'>[]): Map<string, number> {
  const packs = new Map<string, number>();
  for (const { orderStatus, orderItems, refunds } of orders) {
    if (orderStatus !== 'PAID' && orderStatus !== 'OUT_FOR_DELIVERY') continue;
    const refunded = refundedUnits(refunds);
    for (const { orderItemId, productId, quantity } of orderItems)
      packs.set(productId, (packs.get(productId) ?? 0) + quantity - (refunded.get(orderItemId) ?? 0));
  }
  return packs;
}

/** Units refunded, or about to be refunded, by order line. */
function refundedUnits(refunds: readonly Schema<'Refund'>[]): Map<string, number> {
  const units = new Map<string, number>();
  const lines = refunds.flatMap((refund) => (refund.state === 'failed' ? [] : refund.lines));
  for (const { orderItemId, quantity } of lines) units.set(orderItemId, (units.get(orderItemId) ?? 0) + quantity);
  return units;
}

/** @returns packs in a cart, by product */
export const packsInCart = (cart: Schema<'Cart'> | undefined): Map<string, number> =>
  new Map((cart?.cartItems ?? []).map(({ productId, quantity }) => [productId, quantity]));

/** Messages of ordering to par. Rule: docs/rules/kitchen.md, Order to par */
export const parMessages = {
  no_par: 'No par set',
  not_counted: 'Not counted',
  not_sold: 'No longer sold',
  sold_out: 'Out of stock',
  enough: 'Enough on hand',
  short: ({ packs, missing }: Pick<ParRow, 'packs' | 'missing'>) => `${packs} of ${missing}: no more in stock`,
  most_in_cart: ({ packs, missing }: Pick<ParRow, 'packs' | 'missing'>) =>
    `${packs} of ${missing}: the limit is ${maxQuantity} per product`,
  /** While offline, the packs are in the cart as unsent changes. */
  added: ({ packs, products, waits }: { packs: number; products: number; waits: unknown }) =>
    `${waits ? 'Waiting to add' : 'Added'} ${countOf(packs, 'pack')} of ${countOf(products, 'product')} to your cart`,
  refused: (products: number) => `${countOf(products, 'product')} couldn't be added. See your cart for details.`,
  notAdded: "Couldn't add the packs to your cart",
  nothing: "You're fully stocked",
  undone: 'Removed from your cart',
  notUndone: "Some items couldn't be removed from your cart",
} as const;
