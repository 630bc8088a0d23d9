/** Order statuses and who may change them. Rule: docs/rules/orders-and-payment.md, Statuses */
export const orderStatuses = [
  'PENDING_PAYMENT',
  'PAID',
  'OUT_FOR_DELIVERY',
  'DELIVERED',
  'CANCELLED',
  'REFUNDED',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** All allowed status changes: staff make those of `staffStatuses`, payments make the others. */
export const nextStatuses: Record<OrderStatus, readonly OrderStatus[]> = {
  PENDING_PAYMENT: ['PAID', 'CANCELLED'],
  PAID: ['OUT_FOR_DELIVERY', 'DELIVERED', 'REFUNDED'],
  OUT_FOR_DELIVERY: ['DELIVERED', 'REFUNDED'],
  DELIVERED: ['REFUNDED'],
  CANCELLED: ['PAID', 'REFUNDED'], // a late payment revives the order while there is stock, and is refunded otherwise
  REFUNDED: [],
};

/** The provider's limits for one payment, in cents, and for its number of lines. */
export const minOrderCents = 50;
export const maxOrderCents = 99_999_999;
export const maxOrderLines = 100;

/**
 * Maximum products of an order that may also have delivery or tax, since each of these is a line of the payment too.
 */
export const maxOrderLinesWithMore = 98;

/** Maximum lengths of texts from staff, in characters. The contract has the same limits. */
export const orderLimits = { trackingUrl: 500, note: 2000 } as const;

/** The statuses that staff set by hand: the two entries in the row menu. */
export const staffStatuses = ['OUT_FOR_DELIVERY', 'DELIVERED'] as const satisfies readonly OrderStatus[];

export const statusLabels: Record<OrderStatus, string> = {
  PENDING_PAYMENT: 'Awaiting payment',
  PAID: 'Paid',
  OUT_FOR_DELIVERY: 'On Delivery',
  DELIVERED: 'Delivered',
  CANCELLED: 'Canceled',
  REFUNDED: 'Refunded',
};

/** How long the same person may take a step back. Rule: docs/rules/orders-and-payment.md, Status changes */
export const undoStatusMs = 10_000;

/** @returns whether staff may make this change of status. Rule: docs/rules/orders-and-payment.md, Status changes */
export function canMove(from: OrderStatus, to: OrderStatus): boolean {
  return (staffStatuses as readonly OrderStatus[]).includes(to) && nextStatuses[from].includes(to);
}

/** @returns the message that rejects such a step */
export const illegalMove = (from: OrderStatus, to: OrderStatus): string =>
  `This order is ${statusLabels[from]}, so it can't be changed to ${statusLabels[to]}`;

/** Messages of order history, status and payment. Rule: docs/rules/orders-and-payment.md, Messages */
export const orderMessages = {
  updateOrderStatus: { success: 'Order status updated successfully', failure: 'Failed to update order status' },
  refundOrder: {
    success: 'Refund issued',
    asked: "Refund requested. It's sent as soon as the payment provider responds.",
    failure: "Couldn't issue the refund. Try again.",
  },
  listOrders: { success: 'Orders', failure: 'Failed to fetch orders' },
  getOrderForStaff: { success: 'Order', failure: 'Failed to load order details.' },
  exportOrders: { failure: "Couldn't export orders. Try again." },
  setOrderTracking: { success: 'Tracking link saved', failure: "Couldn't save the tracking link. Try again." },
  addOrderNote: { success: 'Note added', failure: "Couldn't add the note. Try again." },
  isNoTrackingUrl: 'Enter a link that starts with https://',
  settleAlarm: { success: 'Alert resolved', failure: "Couldn't resolve the alert. Try again." },
  cancelOwnOrder: { success: 'Order canceled', failure: "Couldn't cancel the order. Try again." },
  cancelOrder: {
    success: 'Order canceled',
    failure: "Couldn't cancel the order. Try again.",
  },
  paidJustNow: 'This order was just paid. Cancel it again to refund it.',
  orderPaid: "This order is paid, so it can't be canceled",
  heldUntil: (time: string) => `We're holding these items until ${time}.`,
  thanks: (firstName: string) => `Thank you, ${firstName}!`,
  receiptTo: (email: string) => `We're sending the receipt to ${email}.`,
  itemsFailed: "Your order is safe. We couldn't load its items.",
  mailedWhenShipped: "We'll email you when it ships.",
  notPaid: 'Payment canceled. Your cart is still here.',
  notPaidEmpty: 'Payment canceled. You can still pay for this order.',
  listCustomerOrders: { failure: 'Failed to fetch order history' },
  historyFailed: 'Failed to load order history.',
  noOrders: 'No orders found.',
  processing: 'Processing your payment...',
  checkAgain: "We'll check again when you're back online.",
  checkSoon: "The shop is busy. We'll check again in a moment.",
  givenBack: "We couldn't fill this order, so we're refunding your payment",
  paymentError: 'Payment Processing Error',
  paymentFailed: 'Failed to process payment',
  missingPayment: 'Missing required payment information',
} as const;
