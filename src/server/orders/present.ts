import type { Schema } from '../../shared/contract';
import { fromCents } from '../../shared/money';
import type { FullOrder } from './repository';

/** @param viewerId whoever reads it: only its own customer is told where to pay */
export function presentOrder(order: FullOrder, viewerId: string): Schema<'Order'> {
  const { id, orderNumber, customer, street, city, state, postalCode } = order;
  return {
    id,
    orderId: id,
    orderNumber,
    createdAt: order.createdAt.toISOString(),
    customer,
    totalAmount: fromCents(order.totalCents),
    orderStatus: order.status,
    deliveryAddress: { street, city, state, postalCode },
    orderItems: order.items.map((item) => ({
      orderItemId: item.id,
      productId: item.productId,
      productName: item.productName,
      imageUrl: item.imageUrl,
      quantity: item.quantity,
      totalPrice: fromCents(item.totalCents),
    })),
    shipmentTrackingUrl: order.shipmentTrackingUrl,
    timeline: order.timeline.map(({ status, at, by }) => ({ status, at: at.toISOString(), by })),
    paymentUrl: order.userId === viewerId ? order.paymentUrl : null,
  };
}
