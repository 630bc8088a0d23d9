/** Messages about orders for staff. Rule: docs/rules/back-office.md, Orders */
import type { Schema } from './contract';
import { countOf } from './counts';

export const orderStaffMessages = {
  noDetails: 'No order details available.',
  newOrder: 'New paid order',
  newOrderOf: (number: string, total: string) => `New order #${number}, ${total}`,
  newOrders: (count: number) => `${count} new orders`,
  statusUndone: 'Order status restored',
  /** '1 delivered, 2 skipped: #1003 (refunded), #1004 (canceled)' */
  moved: (count: number, status: string, skipped: readonly string[]) => {
    if (skipped.length === 0) return `${countOf(count, 'order')} marked ${status}`;
    return [
      ...(count > 0 ? [`${count} ${status.toLowerCase()}`] : []),
      `${skipped.length} skipped: ${skipped.join(', ')}`,
    ].join(', ');
  },
  skippedAs: {
    PENDING_PAYMENT: 'not paid',
    PAID: 'paid',
    OUT_FOR_DELIVERY: 'already shipped',
    DELIVERED: 'already delivered',
    CANCELLED: 'canceled',
    REFUNDED: 'refunded',
  },
  trackingHint: 'Starts with https://. Customers see this in their order and in the shipping email.',
  noteIsInternal: 'Only staff can see notes.',
  placed: 'Order placed',
  paymentArrived: 'Payment received',
  paidLate: 'Paid after the order was canceled',
  amountHint: (left: string) => `Up to ${left}`,
  isNoAmount: 'Enter an amount, such as 4.50',
  isTooMuch: (left: string) => `You can refund up to ${left}`,
  isTooManyUnits: (left: number, name: string) =>
    left > 0 ? `You can refund up to ${left} of ${name}` : `${name} is already fully refunded`,
  isNoDelivery: 'Delivery is already fully refunded',
  isNothing: 'These are already fully refunded',
  isNoLine: "These items aren't part of this order",
  isTwice: 'List each item only once',
  isBoth: 'Refund items and delivery, or a custom amount, not both',
  isNoRestock: 'Choose whether to restock each item',
  paid: (amount: string) => `Paid ${amount}`,
  backOnShelf: 'Restock',
  cameBack: (shipped: number) => `Refund shipped units first (${shipped} shipped)`,
  staysPaid: (rest: string, total: string) => `${rest} of ${total} left to refund`,
  reasonHint: 'Staff only',
  noteHint: "Shown in the customer's email and receipt",
  noteTooLong: (most: number) => `Use ${most} characters or fewer`,
  chooseFirst: 'Choose what to refund',
  leaveRefund: 'Discard this refund?',
  leaveRefundText: "What you entered won't be saved.",
  restockHint: 'Restock every item in this order. You can do this once.',
  toldCustomer: (note: string) => `Note to customer: ${note}`,
  lineRestocked: (units: number, name: string) => `Restocked: ${units} × ${name}`,
  restocked: 'This order was restocked',
  refundAsks: "The money goes back to the card the customer paid with. This can't be undone.",
  declined: 'Payment declined',
  refundStep: {
    asked: (amount: string) => `Refund of ${amount} requested`,
    done: (amount: string) => `Refunded ${amount}`,
    failed: (amount: string) => `Refund of ${amount} failed`,
  },
  trackingAdded: 'Tracking link added',
  trackingChanged: 'Tracking link changed',
  trackingRemoved: 'Tracking link removed',
  emailTo: (recipient: string) => `To ${recipient}`,
  email: (kind: string, state: string) => `Email ${state.toLowerCase()}: ${kind}`,
  canceled: 'Order canceled',
  cancelAsks: (amount: string, name: string) => `This refunds ${amount} to ${name}. It can't be undone.`,
  cancelUnpaidAsks:
    "This order hasn't been paid. Its items go back in stock, and the customer can no longer pay for it.",
  restockUnits: (units: number) => (units === 1 ? 'Restock 1 item' : `Restock ${units} items`),
  isShipped: "Part of this order has shipped. Refund what hasn't shipped instead.",
  noteAdded: 'Note added',
  soundOn: 'Sound for new orders is on',
  soundOff: 'Sound for new orders is off',
} as const;

/** Labels of the event whose date the list of orders is filtered by. */
export const orderPeriodWords: Record<'created' | 'paid' | 'refunded' | 'money', string> = {
  created: 'Placed',
  paid: 'Paid',
  refunded: 'Refunded',
  money: 'Paid or refunded',
};

export const paymentStateLabels: Record<Schema<'OrderPayment'>['state'], string> = {
  creating: 'Starting',
  open: 'Awaiting payment',
  paid: 'Paid',
  expired: 'Expired',
  refunded: 'Refunded',
};

export const alarmMessages = { failure: "Couldn't load alerts" } as const;

export const paymentKeyMessages =
  "Customers can't pay because the payment provider rejects STRIPE_SECRET_KEY. Set the right key and restart the shop.";

/** Labels of the alarms. */
export const alarmLabels: Record<Schema<'Alarm'>['kind'], string> = {
  paid_undeliverable: "Paid, but can't be filled",
  paid_twice: 'Paid twice',
  event_refused: 'Payment event rejected',
  mail_failed: 'Email failed',
  mail_waiting: 'Emails are waiting',
  refund_failed: 'Refund failed',
  webhook_silent: 'No payment events for a day',
  payment_key_refused: "Customers can't pay",
  large_hold: 'Large share of stock reserved',
  backup_failed: 'Backup failed',
  backup_damaged: 'Backup damaged',
  backup_overdue: 'No recent backup',
};
