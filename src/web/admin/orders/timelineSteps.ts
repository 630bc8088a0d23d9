import type { Schema } from '../../../shared/contract';
import { mailKindLabels, mailStateLabels } from '../../../shared/mail';
import { formatMoney, toCents } from '../../../shared/money';
import { statusLabels } from '../../../shared/orders';
import { orderStaffMessages as messages } from '../../../shared/ordersStaff';
import { carrierLabels, parcelMessages } from '../../../shared/parcels';
import { refundParts } from '../../../shared/receipt';
import { nameWithSize } from '../../../shared/sizes';
import type { TotalLine } from '../../../shared/totalLines';
import type { Units } from '../../../shared/unitPrice';
import type { Order, StaffOrder } from './queries';
import { trackedAs } from './trackedAs';

export interface Step {
  at: string;
  what: string;
  /** Null: the shop itself, or the customer. */
  by: string | null;
  /** What more there is to say, a line each. */
  notes?: readonly (string | null)[];
  /** The parts of a refund. */
  parts?: readonly TotalLine[];
  /** A note of staff. */
  text?: string;
  /** An email that staff can send again. */
  unsentMailId?: string | undefined;
}
type Details = StaffOrder['details'];

/** All that happened to an order, oldest first. Rule: docs/rules/back-office.md, Orders */
export function stepsOf(order: Order, details: Details, units: Units): Step[] {
  const { payment, notes, emails = [] } = details;
  return [
    ...statusSteps(order),
    ...(payment?.declines ?? []).map(toDecline),
    ...order.refunds.map((refund) => toRefund(refund, units)),
    ...trackingSteps(order, details),
    ...parcelSteps(order, details),
    ...emails.map(toEmail),
    ...notes.map(({ at, by, text }) => ({ at, by, text, what: messages.noteAdded })),
  ].toSorted((one, other) => one.at.localeCompare(other.at));
}

function statusSteps({ timeline, totalAmount, paidAt }: Order): Step[] {
  const amount = formatMoney(toCents(totalAmount));
  const steps = timeline.map(({ status, at, by, note }, place): Step => {
    const isPayment = status === 'PAID' && by === null;
    const isLate = isPayment && timeline.slice(0, place).some((earlier) => earlier.status === 'CANCELLED');
    return {
      at,
      by,
      what: status === 'PENDING_PAYMENT' ? messages.placed : statusLabels[status],
      notes: [status === 'PENDING_PAYMENT' || isPayment ? amount : null, isLate ? messages.paidLate : null, note],
    };
  });
  // a canceled order that cannot be filled any more is refunded without becoming Paid
  const isRecorded = timeline.some(({ status }) => status === 'PAID');
  return paidAt === null || isRecorded
    ? steps
    : [...steps, { at: paidAt, by: null, what: messages.paymentArrived, notes: [amount, messages.paidLate] }];
}

/** The reason is the provider's own code, such as `insufficient_funds`. */
const toDecline = ({ at, reason }: Schema<'PaymentDecline'>): Step => ({
  at,
  what: messages.declined,
  by: null,
  notes: [reason?.replaceAll('_', ' ') ?? null],
});

function toRefund(refund: Order['refunds'][number], units: Units): Step {
  const { amount, state, by, createdAt, doneAt, reason, customerNote, isRestocked, lines } = refund;
  const restocked = lines.filter((line) => line.isRestocked);
  return {
    at: doneAt ?? createdAt,
    by,
    what: messages.refundStep[state](formatMoney(toCents(amount))),
    parts: refundParts(refund, units),
    notes: [
      reason,
      customerNote && messages.toldCustomer(customerNote),
      isRestocked ? messages.restocked : null,
      ...restocked.map((line) => messages.lineRestocked(line.quantity, nameWithSize(line, units))),
    ],
  };
}

/** The server does not store the link's earlier values. */
function trackingSteps({ shipmentTrackingUrl }: Order, { trackingChanges = [] }: Details): Step[] {
  return trackingChanges.map((change, place) => {
    const isLast = place === trackingChanges.length - 1;
    if (isLast && shipmentTrackingUrl === null) return { ...change, what: messages.trackingRemoved };
    return { ...change, what: place === 0 ? messages.trackingAdded : messages.trackingChanged };
  });
}

/** A parcel that was deleted since is only in the log of its changes. */
function parcelSteps({ parcels = [] }: Order, { parcelChanges = [] }: Details): Step[] {
  const made = parcels.map((parcel, place) => ({
    at: parcel.shippedAt,
    by: parcel.by,
    what: parcelMessages.created(place + 1),
    notes: [trackedAs(parcel)],
  }));
  const others = parcelChanges
    .filter(({ change, at }) => change !== 'created' || !parcels.some(({ shippedAt }) => shippedAt === at))
    .map(({ change, carrier, at, by }) => ({
      at,
      by,
      what: parcelMessages.changes[change],
      notes: [carrier === null || carrier === 'other' ? null : carrierLabels[carrier]],
    }));
  return [...made, ...others];
}

const toEmail = ({ id, kind, state, at, recipient }: Schema<'OrderEmail'>): Step => ({
  at,
  by: null,
  what: messages.email(mailKindLabels[kind], mailStateLabels[state]),
  notes: [recipient === undefined ? null : messages.emailTo(recipient)],
  unsentMailId: state === 'not_sent' || state === 'failed' ? id : undefined,
});
