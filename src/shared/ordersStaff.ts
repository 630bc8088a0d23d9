/** Messages about orders for staff. Rule: docs/rules/back-office.md, Orders */
import type { Schema } from './contract';
import { countOf } from './counts';

export const orderStaffMessages = {
  noDetails: 'No order details available.',
  newOrder: 'A new order has been paid',
  newOrderOf: (number: string, total: string) => `New order #${number}, ${total}`,
  newOrders: (count: number) => `${count} new orders`,
  statusUndone: 'The order is as it was',
  /** '1 delivered, 2 skipped: #1003 (refunded), #1004 (canceled)' */
  moved: (count: number, status: string, skipped: readonly string[]) => {
    if (skipped.length === 0) return `${countOf(count, 'order')}: ${status}`;
    return [
      ...(count > 0 ? [`${count} ${status.toLowerCase()}`] : []),
      `${skipped.length} skipped: ${skipped.join(', ')}`,
    ].join(', ');
  },
  skippedAs: {
    PENDING_PAYMENT: 'not paid',
    PAID: 'paid',
    OUT_FOR_DELIVERY: 'already on delivery',
    DELIVERED: 'already delivered',
    CANCELLED: 'canceled',
    REFUNDED: 'refunded',
  },
  trackingHint: 'Begins with https://. The customer sees it at the order and in the mail that it is on its way.',
  noNotes: 'No notes yet. Only people who work in the shop see them.',
  amountHint: (left: string) => `Up to ${left}`,
  isNoAmount: 'Please enter an amount such as 4.50',
  isTooMuch: (left: string) => `Only ${left} of this order can be given back`,
  isTooManyUnits: (left: number, name: string) =>
    left > 0 ? `Only ${left} of ${name} can be given back` : `All of ${name} was given back already`,
  isNoDelivery: 'Nothing is left of the delivery to give back',
  isNothing: 'Nothing is left of these to give back',
  isNoLine: 'These items are not of this order',
  isTwice: 'Please name each item once',
  isBoth: 'Please give back items and delivery, or another amount, not both',
  isNoRestock: 'Please say of each item whether it goes back on the shelf',
  paid: (amount: string) => `Paid ${amount}`,
  backOnShelf: 'Put back on the shelf',
  staysPaid: (rest: string, total: string) => `${rest} of ${total} stay paid`,
  reasonHint: 'For people who work in the shop',
  noteHint: 'The customer reads it in the mail and on the receipt',
  noteTooLong: (most: number) => `Please use at most ${most} characters`,
  chooseFirst: 'Choose what to refund',
  leaveRefund: 'Close without a refund?',
  leaveRefundText: 'What you chose and wrote is not kept.',
  restockHint: 'All units of the order go back on the shelf. This can be done once.',
  toldCustomer: (note: string) => `To the customer: ${note}`,
  lineRestocked: (units: number, name: string) => `Back on the shelf: ${units} × ${name}`,
  restocked: 'The units of this order are back on the shelf',
  refundAsks: 'The money goes back to the card that paid. This cannot be taken back.',
  declined: 'Payment declined',
  refundStep: {
    asked: (amount: string) => `Refund of ${amount} requested`,
    done: (amount: string) => `Refunded ${amount}`,
    failed: (amount: string) => `Refund of ${amount} failed`,
  },
  trackingAdded: 'Tracking link added',
  trackingChanged: 'Tracking link changed',
  trackingRemoved: 'Tracking link removed',
  email: (kind: string, state: string) => `Email ${state.toLowerCase()}: ${kind}`,
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

export const refundStateLabels: Record<Schema<'Refund'>['state'], string> = {
  asked: 'On its way',
  done: 'Made',
  failed: 'Refused by the provider',
};

export const paymentStateLabels: Record<Schema<'OrderPayment'>['state'], string> = {
  creating: 'Being opened',
  open: 'Waiting to be paid',
  paid: 'Paid',
  expired: 'Expired',
  refunded: 'Refunded',
};

export const alarmMessages = { failure: 'Failed to fetch what needs attention' } as const;

export const paymentKeyMessages =
  'The payment provider refuses STRIPE_SECRET_KEY, so nobody can pay. Set the right key and restart the shop.';

/** Labels of the alarms. */
export const alarmLabels: Record<Schema<'Alarm'>['kind'], string> = {
  paid_undeliverable: 'Paid but undeliverable',
  paid_twice: 'Paid twice',
  event_refused: 'Payment event refused',
  mail_failed: 'Mail failed',
  mail_waiting: 'Emails are waiting',
  refund_failed: 'Refund failed',
  webhook_silent: 'No payment event for a day',
  payment_key_refused: 'Nobody can pay',
  large_hold: 'Much of the stock is held',
};
