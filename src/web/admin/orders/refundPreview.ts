import { toCents } from '../../../shared/money';
import { sizeFacts } from '../../../shared/sizes';
import { goodsOfRefund, refundByLines, refundCents, sumCents, type Refundable } from '../../../shared/total';
import type { Order } from './queries';

/** How many units of a line are refunded, and whether they are restocked. */
export interface LineChoice {
  units: number;
  restock: boolean;
  /** Shipped units go first, because they came back. */
  cameBack?: boolean;
}
export type LineChoices = Readonly<Record<string, LineChoice>>;

const unrefused = ({ refunds }: Order) => refunds.filter(({ state }) => state !== 'failed');

/** The refundable rest of an order and of each line, as far as the browser knows; the server computes it again. */
export function refundableOf(order: Order) {
  const taken = unrefused(order);
  const items = order.orderItems.map(
    ({ orderItemId, productName, imageUrl, quantity, totalPrice, discount, tax, ...more }) => ({
      orderItemId,
      productName,
      ...sizeFacts(more),
      /** Units that were not shipped, and those that were and may come back. */
      unshipped: more.leftToShip,
      shipped: Math.max(0, quantity - more.refundedQuantity - more.leftToShip),
      imageUrl,
      quantity,
      cents: toCents(totalPrice),
      discountCents: toCents(discount),
      taxCents: toCents(tax),
      paidCents: toCents(totalPrice) - toCents(discount),
      refundedUnits: sumCents(taken.flatMap(({ lines }) => lines.filter(isOf(orderItemId)).map(unitsOf))),
    }),
  );
  const taxCents = toCents(order.tax?.amount ?? 0);
  const deliveryCents = toCents(order.delivery?.price ?? 0);
  const parts = taken.map(({ amount, delivery, tax }) => ({
    amountCents: toCents(amount),
    deliveryCents: toCents(delivery ?? 0),
    taxCents: toCents(tax),
  }));
  const gone = (part: (refund: (typeof parts)[number]) => number) => sumCents(parts.map(part));
  const left: Refundable = {
    goodsCents: Math.max(0, sumCents(items.map(({ paidCents }) => paidCents)) - gone(goodsOfRefund)),
    deliveryCents: Math.max(0, deliveryCents - gone((refund) => refund.deliveryCents)),
    taxCents: Math.max(0, taxCents - gone((refund) => refund.taxCents)),
  };
  const deliveryTaxCents = Math.max(0, taxCents - sumCents(items.map((item) => item.taxCents)));
  return { items, left, delivery: { deliveryCents, taxCents: deliveryTaxCents } };
}

type RefundLine = NonNullable<NonNullable<Order['refunds']>[number]['lines']>[number];
const isOf =
  (itemId: string) =>
  ({ orderItemId }: RefundLine): boolean =>
    orderItemId === itemId;
const unitsOf = ({ quantity }: RefundLine): number => quantity;

/** @returns the refund of the chosen units and the delivery, in cents, in total and by line */
export function previewOf(
  { items, left, delivery }: ReturnType<typeof refundableOf>,
  choices: LineChoices,
  withDelivery: boolean,
) {
  const chosen = items.flatMap((line) => {
    const { units = 0 } = choices[line.orderItemId] ?? {};
    return units > 0 ? [{ line, units }] : [];
  });
  const { parts, lines } = refundByLines(left, { lines: chosen, delivery: withDelivery ? delivery : null });
  const cents = new Map(chosen.map(({ line }, place) => [line.orderItemId, lines[place]?.goodsCents ?? 0]));
  return { parts, cents, amountCents: refundCents(parts), restCents: refundCents(left) - refundCents(parts) };
}
