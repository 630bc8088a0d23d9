/**
 * What changed in the shop while a device was away: how two states of a product or an order differ, and how the
 * differences are listed. Rule: docs/rules/kitchen.md, While you were away
 */
import type { Schema } from './contract';
import { toCents } from './money';
import type { OrderStatus } from './orders';

type Product = Schema<'Product'>;

/** Whether customers can buy a product: in stock, sold out, or no longer sold. */
export type Offer = 'in_stock' | 'sold_out' | 'not_sold';

interface ProductRef {
  productId: string;
  /** The name when the device received the change. */
  name: string;
}
/** Devices store these objects, so their properties must not be renamed. */
export type Change =
  | ({ kind: 'price'; from: number; to: number } & ProductRef) // whole cents
  | ({ kind: 'offer'; from: Offer; to: Offer } & ProductRef)
  | ({ kind: 'new' } & ProductRef)
  | { kind: 'order'; orderId: string; orderNumber: string; from: OrderStatus; to: OrderStatus };

/** A change as the device recorded it. */
export interface NotedChange {
  /** Identifies the change: the same one received again has the same id. */
  key: string;
  userId: string;
  /** When the device received it, in ms by the device's clock. */
  at: number;
  change: Change;
}

/** One row of a list of changes; several changes of the same thing share a row. */
export interface ChangeRow {
  id: string;
  /** The changes that this row combines. */
  keys: readonly string[];
  at: number;
  change: Change;
}

/** How long and how many changes a device stores, and after what absence it counts as away. */
export const changeLimits = { days: 30, notes: 500, newProducts: 10, awayMs: 60 * 60 * 1000 } as const;
const dayMs = 24 * 60 * 60 * 1000;

/** @returns the product's availability */
export function offerOf({ archived, availability }: Pick<Product, 'archived' | 'availability'>): Offer {
  if (archived) return 'not_sold';
  return availability ? 'in_stock' : 'sold_out';
}

/**
 * Lists what a part of the change feed changes for the user of a device.
 * @param before the products that the device has, by id
 * @param after the products from the feed, in list order
 * @param isWatched whether the product is in the user's cart or lists
 * @returns price and availability changes of watched products, and products that are new to the device
 */
export function changesOfProducts(
  before: ReadonlyMap<string, Product>,
  after: readonly Product[],
  isWatched: (productId: string) => boolean,
): Change[] {
  const added = after.filter(({ id, archived }) => !before.has(id) && !archived).slice(-changeLimits.newProducts);
  const changed = after.flatMap((product) => {
    const former = before.get(product.id);
    return former && isWatched(product.id) ? differences(former, product) : [];
  });
  return [...changed, ...added.map((product): Change => ({ kind: 'new', ...named(product) }))];
}

function differences(before: Product, after: Product): Change[] {
  const [price, offer] = [
    { from: toCents(before.price), to: toCents(after.price) },
    { from: offerOf(before), to: offerOf(after) },
  ];
  const changes: Change[] = [];
  if (price.from !== price.to && offer.to !== 'not_sold') changes.push({ kind: 'price', ...named(after), ...price });
  if (offer.from !== offer.to) changes.push({ kind: 'offer', ...named(after), ...offer });
  return changes;
}

const named = ({ id, name }: Product): ProductRef => ({ productId: id, name });

type Order = Pick<Schema<'Order'>, 'orderId' | 'orderNumber' | 'orderStatus'>;

/** @returns the orders whose status differs; an order that is new to the device does not count */
export function changesOfOrders(before: readonly Order[], after: readonly Order[]): Change[] {
  const former = new Map(before.map(({ orderId, orderStatus }) => [orderId, orderStatus]));
  return after.flatMap(({ orderId, orderNumber, orderStatus: to }): Change[] => {
    const from = former.get(orderId);
    return from === undefined || from === to ? [] : [{ kind: 'order', orderId, orderNumber, from, to }];
  });
}

/** @returns a key of what the change is about; a later change with the same key replaces it in a list */
export const subjectOf = (change: Change): string =>
  change.kind === 'order' ? `order:${change.orderId}` : `${change.kind}:${change.productId}`;

/** @returns the changes of the last 30 days */
export const recentChanges = (noted: readonly NotedChange[], now: number): NotedChange[] =>
  noted.filter(({ at }) => now - at < changeLimits.days * dayMs);

/**
 * Builds the rows of one list. Repeated changes become one row from the first to the last state; if these are equal,
 * there is no row.
 * @param noted in any order
 * @returns newest first
 */
export function rowsOf(noted: readonly NotedChange[]): ChangeRow[] {
  const rows = new Map<string, ChangeRow>();
  for (const { key, at, change } of noted.toSorted((one, other) => one.at - other.at)) {
    const id = subjectOf(change);
    const former = rows.get(id);
    const keys = [...(former?.keys ?? []), key];
    rows.set(id, { id, keys, at, change: former ? mergeChanges(former.change, change) : change });
  }
  return [...rows.values()].filter(({ change }) => change.kind === 'new' || change.from !== change.to).toReversed();
}

function mergeChanges(first: Change, last: Change): Change {
  if (first.kind === 'price' && last.kind === 'price') return { ...last, from: first.from };
  if (first.kind === 'offer' && last.kind === 'offer') return { ...last, from: first.from };
  if (first.kind === 'order' && last.kind === 'order') return { ...last, from: first.from };
  return last;
}

/** The groups of the sheet, in display order. */
export const changeGroups = ['orders', 'prices', 'sold_out', 'back', 'not_sold', 'new'] as const;
export type ChangeGroup = (typeof changeGroups)[number];

const groupByOffer = { in_stock: 'back', sold_out: 'sold_out', not_sold: 'not_sold' } as const;

/** @returns the group that a change belongs to */
export function groupOf(change: Change): ChangeGroup {
  if (change.kind === 'order') return 'orders';
  if (change.kind === 'price') return 'prices';
  return change.kind === 'new' ? 'new' : groupByOffer[change.to];
}

/** Comparator for `sort`: by group. */
export const byGroup = (one: ChangeRow, other: ChangeRow): number =>
  changeGroups.indexOf(groupOf(one.change)) - changeGroups.indexOf(groupOf(other.change));

/** @returns the non-empty groups, in display order; at most the newest 10 new products */
export function groupsOf(rows: readonly ChangeRow[]): { group: ChangeGroup; rows: ChangeRow[] }[] {
  return changeGroups.flatMap((group) => {
    const own = rows.filter(({ change }) => groupOf(change) === group);
    const shown = group === 'new' ? own.slice(0, changeLimits.newProducts) : own;
    return shown.length > 0 ? [{ group, rows: shown }] : [];
  });
}

const and = new Intl.ListFormat('en-US');

/** Messages of the sheet and of the page. Rule: docs/rules/kitchen.md, While you were away */
export const changesMessages = {
  sheet: 'While you were away',
  page: 'Updates',
  about: 'The last 30 days of changes to your orders, cart, and lists.',
  nothing: 'Nothing has changed.',
  since: (time: string) => `Since ${time}`,
  dismiss: (name: string) => `Dismiss ${name}`,
  dismissAll: 'Dismiss all',
  dismissed: 'Dismissed',
  undo: 'Undo',
  today: 'Today',
  was: 'was ',
  now: 'Now ',
  order: (orderNumber: string) => `Order #${orderNumber}`,
  couldNotSave: "This browser couldn't save that.",
  groups: {
    orders: 'Your orders',
    prices: 'Prices',
    sold_out: 'Sold out',
    back: 'Back in stock',
    not_sold: 'No longer sold',
    new: 'New',
  } satisfies Record<ChangeGroup, string>,
  /** @returns 'in your cart and Weekly kitchen'; '' when the product is in neither */
  where: (isInCart: boolean, lists: readonly string[]): string => {
    const places = [...(isInCart ? ['your cart'] : []), ...lists];
    return places.length > 0 ? `in ${and.format(places)}` : '';
  },
  /** @returns '$9.50, 50 g' */
  offered: (price: string, size: string | null | undefined): string => (size ? `${price}, ${size}` : price),
} as const;

/** @returns the text with a capital first letter */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
