import { courierPartsOf } from '../../shared/addressLines';
import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import { type LineUnits, unitsOf } from '../../shared/orderUnits';
import { trackingLink } from '../../shared/parcels';
import { sizeFacts } from '../../shared/sizes';
import { fromRatePpm, goodsOf } from '../../shared/total';
import type { Session } from '../http/contract/access';
import type { OrderRow } from './lifecycle';
import type { FullOrder, OrderItemRow, OrderParcel, OrderRefund } from './repository';

/** @param viewer the reader: only the order's customer gets the payment URL, only staff get internal notes */
export function presentOrder(order: FullOrder, viewer: Pick<Session, 'userId' | 'role'>): Schema<'Order'> {
  const { id, orderNumber, customer, street, city, state, postalCode } = order;
  const isForStaff = viewer.role !== 'ROLE_CUSTOMER';
  const units = unitsOf(order);
  return {
    id,
    orderId: id,
    orderNumber,
    createdAt: order.createdAt.toISOString(),
    customer,
    ...(isForStaff && { userId: order.userId }),
    totalAmount: fromCents(order.totalCents),
    ...presentParts(order),
    orderStatus: order.status,
    deliveryNote: order.deliveryNote,
    deliveryAddress: { street, city, state, postalCode, ...courierPartsOf(order) },
    orderItems: order.items.map((item) => ({
      orderItemId: item.id,
      productId: item.productId,
      productName: item.productName,
      ...sizeFacts(item),
      ...(isForStaff && presentPlace(item)),
      imageUrl: item.imageUrl,
      quantity: item.quantity,
      ...presentUnits(units.get(item.id)),
      unitPrice: fromCents(item.unitPriceCents),
      totalPrice: fromCents(item.totalCents),
      discount: fromCents(item.discountCents),
      tax: fromCents(item.taxCents),
    })),
    shipmentTrackingUrl: order.shipmentTrackingUrl ?? linkOfParcels(order),
    timeline: order.timeline.map(({ status, at, by, note }) => ({
      status,
      at: at.toISOString(),
      by: isForStaff ? by : null,
      note,
    })),
    paymentUrl: order.userId === viewer.userId ? order.paymentUrl : null,
    ...(order.heldUntil && { heldUntil: order.heldUntil.toISOString() }),
    paidAt: order.paidAt?.toISOString() ?? null,
    refundedAmount: fromCents(order.refundedCents),
    refunds: order.refunds.map((refund) => presentRefund(refund, order, isForStaff)),
    parcels: order.parcels.map((parcel) => presentParcel(parcel, isForStaff)),
  };
}

/** What staff find the product by. */
const presentPlace = ({ sku, barcode, shelf }: OrderItemRow) => ({
  ...(sku && { sku }),
  ...(barcode && { barcode }),
  ...(shelf && { shelf }),
});

const presentUnits = ({ refunded = 0, shipped = 0, leftToShip = 0 }: Partial<LineUnits> = {}) => ({
  refundedQuantity: refunded,
  shippedQuantity: shipped,
  leftToShip,
});

const presentParcel = (parcel: OrderParcel, isForStaff: boolean): Schema<'Parcel'> => ({
  id: parcel.id,
  carrier: parcel.carrier,
  trackingNumber: parcel.trackingNumber,
  trackingUrl: linkOf(parcel),
  shippedAt: parcel.shippedAt.toISOString(),
  lines: parcel.lines,
  by: isForStaff ? parcel.by : null,
  isNotified: parcel.mails > 0,
});

/** Where the customer tracks a parcel; null: nowhere. */
export const linkOf = ({
  carrier,
  trackingNumber,
  trackingUrl,
}: Pick<OrderParcel, 'carrier' | 'trackingNumber' | 'trackingUrl'>): string | null =>
  trackingUrl ?? trackingLink(carrier, trackingNumber);

/** The link of the newest parcel that has one, for readers of the order that know no parcels. */
const linkOfParcels = ({ parcels }: FullOrder): string | null =>
  parcels.map(linkOf).findLast((link) => link !== null) ?? null;

/** The parts of the total. Rule: docs/rules/orders-and-payment.md, The total */
export function presentParts(order: TotalParts): Pick<Schema<'Order'>, 'goods' | 'discount' | 'delivery' | 'tax'> {
  const { discountCode, deliveryName, taxState, taxRatePpm } = order;
  return {
    goods: fromCents(goodsOf(order)),
    discount: discountCode === null ? null : { code: discountCode, amount: fromCents(order.discountCents) },
    delivery: deliveryName === null ? null : { name: deliveryName, price: fromCents(order.deliveryCents) },
    tax:
      taxState === null
        ? null
        : { state: taxState, rate: fromRatePpm(taxRatePpm ?? 0), amount: fromCents(order.taxCents) },
  };
}

export type TotalParts = Pick<
  OrderRow,
  | 'totalCents'
  | 'discountCode'
  | 'discountCents'
  | 'deliveryName'
  | 'deliveryCents'
  | 'taxState'
  | 'taxRatePpm'
  | 'taxCents'
>;

export function presentRefund(refund: OrderRefund, { items }: FullOrder, isForStaff: boolean): Schema<'Refund'> {
  const itemOf = new Map(items.map((item) => [item.id, item]));
  return {
    id: refund.id,
    amount: fromCents(refund.amountCents),
    state: refund.state,
    isRestocked: refund.restock && refund.state === 'done',
    reason: isForStaff || refund.byUserId === null ? refund.reason : null,
    by: isForStaff ? refund.by : null,
    createdAt: refund.createdAt.toISOString(),
    doneAt: refund.doneAt?.toISOString() ?? null,
    lines: refund.lines.map(({ orderItemId, quantity, restock, goodsCents, taxCents, unshippedQuantity }) => ({
      orderItemId,
      productName: itemOf.get(orderItemId)?.productName ?? '',
      ...sizeFacts(itemOf.get(orderItemId) ?? {}),
      quantity,
      ...(unshippedQuantity !== null && { unshippedQuantity }),
      isRestocked: restock && refund.state === 'done',
      amount: fromCents(goodsCents),
      tax: fromCents(taxCents),
    })),
    delivery: refund.deliveryCents > 0 ? fromCents(refund.deliveryCents) : null,
    tax: fromCents(refund.taxCents),
    other: refund.isByLines ? null : fromCents(refund.amountCents),
    customerNote: refund.customerNote,
  };
}
