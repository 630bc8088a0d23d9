/** Pick lists and packing slips of chosen orders. Rule: docs/rules/back-office.md, Packing */
import type { Schema } from './contract';
import { countOf } from './counts';
import { statusLabels } from './orders';
import { unitsLeft } from './orderUnits';

export type PickListLine = Schema<'PickListLine'>;
export type OrdersWithNothingLeft = Schema<'OrdersWithNothingLeft'>;

/** The most orders of a pick list and of packing slips. The contract has the same limit. */
export const maxPackedOrders = 200;

/** A2 before A10, and 999 before 1000. */
const natural = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' });

export const byNumber = (one: { orderNumber: string }, other: { orderNumber: string }): number =>
  natural.compare(one.orderNumber, other.orderNumber);

type Placed = { shelf: string | null; productName: string };

/** By shelf, then name. Products without a shelf come last. */
export function byShelf(one: Placed, other: Placed): number {
  if ((one.shelf === null) !== (other.shelf === null)) return one.shelf === null ? 1 : -1;
  return natural.compare(one.shelf ?? '', other.shelf ?? '') || natural.compare(one.productName, other.productName);
}

/** @returns the lines by the row of shelves that their shelf's name starts with, such as A of 'A 02', in their order */
export function shelfGroups(lines: readonly PickListLine[]): { title: string; lines: PickListLine[] }[] {
  if (lines.every(({ shelf }) => shelf === null)) return [{ title: 'Products', lines: [...lines] }];
  const groups = new Map<string, PickListLine[]>();
  for (const line of lines) {
    const title = shelfTitle(line.shelf);
    groups.set(title, [...(groups.get(title) ?? []), line]);
  }
  return [...groups].map(([title, some]) => ({ title, lines: some }));
}

function shelfTitle(shelf: string | null): string {
  if (shelf === null) return 'No shelf';
  const [start = ''] = /^(?:\p{L}+|\d+)/u.exec(shelf) ?? [];
  if (start === '') return 'Other shelves';
  return start.length > 3 ? start : `Shelf ${start.toUpperCase()}`;
}

type Packed = Pick<Schema<'Order'>, 'orderItems' | 'parcels'>;

/**
 * @param parcel whose units the slip has; without it, the slip has what is left to ship, or else all that was shipped
 * @returns the units of the order that aren't on its packing slip, and where they are
 */
export function slipRest(order: Packed, parcel?: Schema<'Parcel'>) {
  const { orderItems, parcels = [] } = order;
  const isAllShipped = !parcel && unitsLeft(order) === 0;
  return orderItems.flatMap((item) => {
    const inOthers = parcels.map(({ id, lines }, at) => ({
      units: isAllShipped || id === parcel?.id ? 0 : unitsIn(lines, item.orderItemId),
      where: `In package ${at + 1}`,
    }));
    const refunded = item.quantity - item.shippedQuantity - item.leftToShip;
    return [
      ...inOthers,
      { units: parcel ? item.leftToShip : 0, where: 'Not shipped yet' },
      { units: refunded, where: 'Refunded' },
    ]
      .filter(({ units }) => units > 0)
      .map((rest) => ({ ...item, ...rest }));
  });
}

const unitsIn = (lines: Schema<'Parcel'>['lines'], itemId: string): number =>
  lines.filter(({ orderItemId }) => orderItemId === itemId).reduce((sum, { quantity }) => sum + quantity, 0);

/** The file of addresses and weights. Label services map the columns by name when they import it. */
export const labelList = {
  file: {
    name: 'labels',
    loggedAs: 'labels',
    headers: {
      orderNumber: 'Order Number',
      customer: 'Recipient Name',
      company: 'Company',
      street: 'Address Line 1',
      street2: 'Address Line 2',
      city: 'City',
      state: 'State',
      postalCode: 'Zip Code',
      country: 'Country Code',
      phone: 'Phone',
      email: 'Email',
      ounces: 'Weight (oz)',
    },
  },
} as const;

const gramsPerOunce = 28.349523125;

/** @returns ounces in tenths, rounded up: a label for less than the weight is charged again */
export const labelOunces = (grams: number): number => Math.ceil((grams / gramsPerOunce) * 10) / 10;

/** How many orders a toast names. */
const maxNamed = 5;

/** @returns '#1003 (On Delivery), #1004 (Refunded)', or the first of them and how many more */
function namesOf(orders: OrdersWithNothingLeft, most = orders.length): string {
  const names = orders.map(({ orderNumber, orderStatus }) => `#${orderNumber} (${statusLabels[orderStatus]})`);
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')}, and ${more} more` : names.join(', ');
}

export const packingMessages = {
  getPickList: { success: 'Pick list', failure: "Couldn't load the pick list" },
  getPackingSlips: { success: 'Packing slips', failure: "Couldn't load the packing slips" },
  noOrders: 'Choose orders in the list first.',
  summary: (orders: number, products: number, units: number) =>
    `${countOf(orders, 'order')}, ${countOf(products, 'product')}, ${countOf(units, 'unit')}. Refunded and shipped units aren't included.`,
  thanks: (firstName: string, email: string) => `Thank you, ${firstName}! Something not right? Email ${email}.`,
  slips: (count: number) => countOf(count, 'packing slip'),
  /** '2 orders have nothing left to ship: #1003 (On Delivery), #1004 (Refunded).' */
  nothingLeft: (orders: OrdersWithNothingLeft) =>
    `${countOf(orders.length, 'order')} ${orders.length === 1 ? 'has' : 'have'} nothing left to ship: ${namesOf(orders)}.`,
  /** The orders whose slips are printed again. */
  shipped: (orders: OrdersWithNothingLeft) =>
    orders.length === 1
      ? `1 order is already shipped: ${namesOf(orders)}. Its slip has what was shipped.`
      : `${orders.length} orders are already shipped: ${namesOf(orders)}. Their slips have what was shipped.`,
  noLabels: 'The chosen orders have nothing left to ship',
  /** The orders that the file of labels does not have. */
  leftOut: (orders: OrdersWithNothingLeft) =>
    orders.length === 1
      ? `1 order had nothing left to ship and was left out: ${namesOf(orders, maxNamed)}.`
      : `${orders.length} orders had nothing left to ship and were left out: ${namesOf(orders, maxNamed)}.`,
} as const;
