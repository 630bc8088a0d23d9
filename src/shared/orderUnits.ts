/**
 * Units of an order line: ordered, refunded, shipped, and left to ship. Packing slip, mails and pages all use these
 * functions. Rule: docs/rules/orders-and-payment.md, Units
 */
import type { Schema } from './contract';
import type { OrderStatus } from './orders';

export interface LineUnits {
  ordered: number;
  refunded: number;
  shipped: number;
  leftToShip: number;
}

interface RefundFacts {
  state: Schema<'Refund'>['state'];
  createdAt: Date;
  /** Null: the provider has not made the refund. */
  doneAt: Date | null;
  /** All units of the order went back into stock. */
  restock: boolean;
  /** Set if it refunded a second payment, which is not part of the order. */
  strayPaymentId: string | null;
  lines: readonly RefundLineFacts[];
}

interface RefundLineFacts {
  orderItemId: string;
  quantity: number;
  restock: boolean;
  /** How many of the units were not shipped; null: made before parcels existed, so its time decides. */
  unshippedQuantity: number | null;
}

export interface UnitFacts {
  status: OrderStatus;
  /** Oldest first. */
  timeline: readonly { status: OrderStatus; at: Date }[];
  items: readonly { id: string; quantity: number }[];
  refunds: readonly RefundFacts[];
  parcels: readonly { lines: readonly { orderItemId: string; quantity: number }[] }[];
}

const paid: readonly OrderStatus[] = ['PAID', 'OUT_FOR_DELIVERY', 'DELIVERED'];

/** @returns the units of each line, by the line's id */
export function unitsOf({ status, timeline, items, refunds, parcels }: UnitFacts): Map<string, LineUnits> {
  const shippedAt = findShippedAt(timeline);
  const own = refunds.filter(({ strayPaymentId }) => strayPaymentId === null);
  const isBefore = ({ createdAt }: RefundFacts) => shippedAt === undefined || createdAt <= shippedAt;
  // an order without parcels was shipped before they existed, or had nothing to ship: all that was left is shipped
  const isShippedWhole = parcels.length === 0 && shippedAt !== undefined && status !== 'PAID';
  const inParcels = parcels.flatMap(({ lines }) => lines);
  return new Map(
    items.map((line): [string, LineUnits] => {
      const ordered = line.quantity;
      const refunded = refundedUnitsOf({ status, refunds }, line);
      if (isShippedWhole) {
        const before = refundedUnits(line, own.filter(isBefore), ({ quantity }) => quantity);
        return [line.id, { ordered, refunded, shipped: ordered - before, leftToShip: 0 }];
      }
      const shipped = sumOf(
        inParcels.filter(({ orderItemId }) => orderItemId === line.id).map((some) => some.quantity),
      );
      const before = refundedUnits(line, own, ({ unshippedQuantity, quantity }, refund) =>
        unshippedQuantity === null ? (isBefore(refund) ? quantity : 0) : unshippedQuantity,
      );
      const leftToShip = paid.includes(status) ? Math.max(0, ordered - shipped - before) : 0;
      return [line.id, { ordered, refunded, shipped, leftToShip }];
    }),
  );
}

/** @returns how many units of a line were refunded */
export const refundedUnitsOf = (
  { status, refunds }: Pick<UnitFacts, 'status' | 'refunds'>,
  line: UnitFacts['items'][number],
): number => {
  if (status === 'REFUNDED') return line.quantity;
  const own = refunds.filter(({ strayPaymentId }) => strayPaymentId === null);
  return refundedUnits(line, own, ({ quantity }) => quantity);
};

/** When everything left was shipped. A step that was taken back does not count. */
function findShippedAt(timeline: UnitFacts['timeline']): Date | undefined {
  let shippedAt: Date | undefined;
  for (const { status, at } of timeline) {
    if (status === 'PAID') shippedAt = undefined;
    else if (status === 'OUT_FOR_DELIVERY' || status === 'DELIVERED') shippedAt ??= at;
  }
  return shippedAt;
}

const sumOf = (units: readonly number[]): number => units.reduce((sum, some) => sum + some, 0);

/**
 * A failed refund takes no units, but units that it put back into stock are not shipped again. A refund of an amount
 * takes units only if it restocks the whole order.
 * @param countOf how many units of a refund's line count
 */
function refundedUnits(
  { id, quantity }: UnitFacts['items'][number],
  refunds: readonly RefundFacts[],
  countOf: (line: RefundLineFacts, refund: RefundFacts) => number,
): number {
  const counted = refunds.filter(({ state }) => state !== 'failed');
  const restocked = refunds.filter(({ state, doneAt }) => state !== 'failed' || doneAt !== null);
  if (restocked.some(({ restock }) => restock)) return quantity;
  const linesOf = (of: readonly RefundFacts[], isCounted: (line: RefundLineFacts) => boolean) =>
    of.flatMap((refund) =>
      refund.lines.filter((line) => line.orderItemId === id && isCounted(line)).map((line) => countOf(line, refund)),
    );
  const units = sumOf(linesOf(counted, () => true));
  const inStock = sumOf(linesOf(restocked, ({ restock }) => restock));
  return Math.min(quantity, Math.max(units, inStock));
}

type Item = Schema<'OrderItem'>;

/** @returns whether all units of the line were refunded */
export const isAllRefunded = ({ quantity, refundedQuantity }: Item): boolean => refundedQuantity >= quantity;

/** @returns 'Quantity: 3', or '3 ordered, 1 refunded, 2 left to ship' after a refund or a part that was shipped */
export function unitsInWords({ quantity, refundedQuantity, shippedQuantity, leftToShip }: Item): string {
  if (refundedQuantity === 0 && (shippedQuantity === 0 || leftToShip === 0)) return `Quantity: ${quantity}`;
  return [
    `${quantity} ordered`,
    ...(refundedQuantity > 0 ? [`${refundedQuantity} refunded`] : []),
    ...(shippedQuantity > 0 ? [`${shippedQuantity} shipped`] : []),
    ...(leftToShip > 0 ? [`${leftToShip} left to ship`] : []),
  ].join(', ');
}

type Items = Pick<Schema<'Order'>, 'orderItems'>;

/** @returns how many units are left to ship */
export const unitsLeft = ({ orderItems }: Items): number => sumOf(orderItems.map(({ leftToShip }) => leftToShip));

/** The badge of a paid order without shipped units, and the name of the filter for orders with units left to ship. */
export const toShip = 'To ship';

/** Shown to customers instead of Paid, and to staff beside it. Rule: docs/rules/orders-and-payment.md, Parcels */
export const partlyShipped = 'Partially shipped';

/** @returns whether some of a paid order was shipped, and the order is not on its way as a whole yet */
export const isPartlyShipped = ({ orderStatus, orderItems }: Items & Pick<Schema<'Order'>, 'orderStatus'>): boolean =>
  orderStatus === 'PAID' && orderItems.some(({ shippedQuantity }) => shippedQuantity > 0);

/**
 * @param parcel whose units the slip has
 * @returns the lines of a packing slip: without a parcel what is left to ship, or if nothing is left, what was shipped
 */
export function slipLines({ orderItems }: Items, parcel?: Pick<Schema<'Parcel'>, 'lines'>) {
  const isLeft = unitsLeft({ orderItems }) > 0;
  const inParcel = new Map(parcel?.lines.map(({ orderItemId, quantity }) => [orderItemId, quantity]));
  const unitsIn = (item: Item) => {
    if (parcel) return inParcel.get(item.orderItemId) ?? 0;
    return isLeft ? item.leftToShip : item.shippedQuantity;
  };
  return orderItems.map((item) => ({ ...item, units: unitsIn(item) })).filter(({ units }) => units > 0);
}
