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
  lines: readonly { orderItemId: string; quantity: number; restock: boolean }[];
}

export interface UnitFacts {
  status: OrderStatus;
  /** Oldest first. */
  timeline: readonly { status: OrderStatus; at: Date }[];
  items: readonly { id: string; quantity: number }[];
  refunds: readonly RefundFacts[];
}

/** @returns the units of each line, by the line's id */
export function unitsOf({ status, timeline, items, refunds }: UnitFacts): Map<string, LineUnits> {
  const shippedAt = findShippedAt(timeline);
  const isShipped =
    status === 'OUT_FOR_DELIVERY' || status === 'DELIVERED' || (status === 'REFUNDED' && shippedAt !== undefined);
  const own = refunds.filter(({ strayPaymentId }) => strayPaymentId === null);
  const isBeforeShipping = ({ createdAt }: RefundFacts) => shippedAt === undefined || createdAt <= shippedAt;
  const before = own.filter(isBeforeShipping);
  return new Map(
    items.map((line): [string, LineUnits] => {
      const ordered = line.quantity;
      const refunded = status === 'REFUNDED' ? ordered : refundedUnits(line, own);
      const shipped = isShipped ? ordered - refundedUnits(line, before) : 0;
      return [line.id, { ordered, refunded, shipped, leftToShip: status === 'PAID' ? ordered - refunded : 0 }];
    }),
  );
}

/** When everything left was shipped. A step that was taken back does not count. */
function findShippedAt(timeline: UnitFacts['timeline']): Date | undefined {
  let shippedAt: Date | undefined;
  for (const { status, at } of timeline) {
    if (status === 'PAID') shippedAt = undefined;
    else if (status === 'OUT_FOR_DELIVERY' || status === 'DELIVERED') shippedAt ??= at;
  }
  return shippedAt;
}

/**
 * A failed refund takes no units, but units that it put back into stock are not shipped again. A refund of an amount
 * takes units only if it restocks the whole order.
 */
function refundedUnits({ id, quantity }: UnitFacts['items'][number], refunds: readonly RefundFacts[]): number {
  const counted = refunds.filter(({ state }) => state !== 'failed');
  const restocked = refunds.filter(({ state, doneAt }) => state !== 'failed' || doneAt !== null);
  if (restocked.some(({ restock }) => restock)) return quantity;
  const linesOf = (of: readonly RefundFacts[]) =>
    of.flatMap(({ lines }) => lines).filter((line) => line.orderItemId === id);
  const sum = (lines: readonly { quantity: number }[]) => lines.reduce((units, line) => units + line.quantity, 0);
  const inStock = linesOf(restocked).filter(({ restock }) => restock);
  return Math.min(quantity, Math.max(sum(linesOf(counted)), sum(inStock)));
}

type Item = Schema<'OrderItem'>;

/** @returns the units that go or went into the parcel */
export const packedUnits = ({ leftToShip, shippedQuantity }: Item): number => leftToShip + shippedQuantity;

/** @returns whether all units of the line were refunded */
export const isAllRefunded = ({ quantity, refundedQuantity }: Item): boolean => refundedQuantity >= quantity;

/** @returns 'Quantity: 3', or '3 ordered, 1 refunded, 2 left to ship' after a refund */
export function unitsInWords({ quantity, refundedQuantity, shippedQuantity, leftToShip }: Item): string {
  if (refundedQuantity === 0) return `Quantity: ${quantity}`;
  return [
    `${quantity} ordered`,
    `${refundedQuantity} refunded`,
    ...(shippedQuantity > 0 ? [`${shippedQuantity} shipped`] : []),
    ...(leftToShip > 0 ? [`${leftToShip} left to ship`] : []),
  ].join(', ');
}

/** @returns the lines of a packing slip: those with units that go or went into the parcel */
export const slipLines = ({ orderItems }: Pick<Schema<'Order'>, 'orderItems'>) =>
  orderItems.map((item) => ({ ...item, units: packedUnits(item) })).filter(({ units }) => units > 0);
