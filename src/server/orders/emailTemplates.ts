/** The emails about an order. They use the order's own copy of names and prices. */
import { addressLines } from '../../shared/addressLines';
import { formatMoney } from '../../shared/money';
import { unitsOf } from '../../shared/orderUnits';
import { carrierLabels } from '../../shared/parcels';
import { refundParts } from '../../shared/receipt';
import { nameWithSize } from '../../shared/sizes';
import { orderLines, type TotalLine } from '../../shared/totalLines';
import type { MailRow } from '../mail/outbox';
import type { EmailContent, EmailParts } from '../mail/render';
import { linkOf, presentParts, presentRefund } from './present';
import { findOrder, type FullOrder, type OrderParcel } from './repository';

export async function confirmOrder(mail: MailRow, parts: EmailParts): Promise<EmailContent> {
  const order = await requireOrder(mail, parts);
  const { units } = parts.sender;
  const lines = orderLines(presentParts(order));
  return {
    subject: `Order #${order.orderNumber} confirmed`,
    preheader: "Thanks for your order. We'll email you when it ships.",
    paragraphs: [
      `Thanks for your order, ${firstNameOf(order)}! We got your payment for order #${order.orderNumber}.`,
      "We'll email you when it ships.",
      ...(order.deliveryNote ? [`Delivery instructions: ${order.deliveryNote}`] : []),
    ],
    table: {
      rows: [
        ...order.items.map((item) => ({
          label: `${item.quantity} × ${nameWithSize(item, units)}`,
          amount: formatMoney(item.totalCents),
        })),
        ...lines.map(asRow),
      ],
      total: { label: 'Total', amount: formatMoney(order.totalCents) },
    },
    block: addressOf(order),
    action: { label: 'View your orders', url: `${parts.publicUrl.origin}/customer/orders` },
    why: 'ordered',
  };
}

/** `facts.parcelId` names the parcel. An older mail without it is about all that was shipped. */
export async function notifyDelivery(mail: MailRow, parts: EmailParts): Promise<EmailContent | undefined> {
  const order = await requireOrder(mail, parts);
  const { parcelId, isUpdate = false } = mail.facts as { parcelId?: string; isUpdate?: boolean };
  const parcel = order.parcels.find(({ id }) => id === parcelId);
  if (parcelId !== undefined && !parcel) return undefined; // deleted meanwhile
  const { units } = parts.sender;
  const unitsById = unitsOf(order);
  const left = order.items.reduce((sum, { id }) => sum + (unitsById.get(id)?.leftToShip ?? 0), 0);
  const unitsIn = ({ id }: { id: string }) =>
    parcel
      ? (parcel.lines.find(({ orderItemId }) => orderItemId === id)?.quantity ?? 0)
      : (unitsById.get(id)?.shipped ?? 0);
  const shipped = order.items
    .map((item) => ({ name: nameWithSize(item, units), units: unitsIn(item) }))
    .filter((line) => line.units > 0);
  const isPart = parcel !== undefined && (left > 0 || order.parcels.length > 1);
  const what = `${isPart ? 'Part of order' : 'Order'} #${order.orderNumber}`;
  const link = parcel ? linkOf(parcel) : order.shipmentTrackingUrl;
  return {
    subject: isUpdate ? `New tracking for order #${order.orderNumber}` : `${what} is on its way`,
    preheader: "Here's what's in it and where it's going.",
    paragraphs: [
      isUpdate
        ? `Here's the new tracking for order #${order.orderNumber}.`
        : `Good news, ${firstNameOf(order)}! ${what} is on its way to you.`,
      ...(parcel ? trackingSentences(parcel) : []),
      ...(left > 0 ? ["We'll email you when the rest ships."] : []),
    ],
    table: {
      rows: shipped.map((line) => ({ label: line.name, amount: String(line.units) })),
      total: { label: 'Total items', amount: String(shipped.reduce((sum, line) => sum + line.units, 0)) },
    },
    block: addressOf(order),
    action: link
      ? { label: 'Track package', url: link }
      : { label: 'View your orders', url: `${parts.publicUrl.origin}/customer/orders` },
    why: 'ordered',
  };
}

const trackingSentences = ({ carrier, trackingNumber }: OrderParcel): string[] => {
  if (carrier === 'other') return trackingNumber === null ? [] : [`Tracking number: ${trackingNumber}`];
  const by = `It ships with ${carrierLabels[carrier]}.`;
  return [trackingNumber === null ? by : `${by} Tracking number: ${trackingNumber}`];
};

/** `facts.refundId` names the refund: an order may have several. */
export async function notifyRefund(mail: MailRow, parts: EmailParts): Promise<EmailContent> {
  const order = await requireOrder(mail, parts);
  const { refundId } = mail.facts as { refundId: string };
  const refund = order.refunds.find(({ id }) => id === refundId);
  if (!refund) throw new Error(`email ${mail.id} refers to a refund that doesn't exist`);
  const amount = formatMoney(refund.amountCents);
  const { units } = parts.sender;
  const rows = refundParts(presentRefund(refund, order, false), units).map(asRow);
  return {
    subject: `Refund for order #${order.orderNumber}`,
    preheader: `${amount} is going back to the card you paid with.`,
    paragraphs: [
      `We've refunded ${amount} for order #${order.orderNumber}.`,
      // staff's reason is internal; the shop's own reasons are for the customer
      ...(refund.byUserId === null ? [`Reason: ${refund.reason}.`] : []),
      ...(refund.customerNote ? [refund.customerNote] : []),
      'The money goes back to the card you paid with. Banks usually take 5 to 10 days to show it.',
    ],
    ...(rows.length > 0 && { table: { rows, total: { label: 'Refunded', amount } } }),
    action: { label: 'View your orders', url: `${parts.publicUrl.origin}/customer/orders` },
    why: 'ordered',
  };
}

/** @returns 'Fatou' for Fatou Ceesay */
const firstNameOf = ({ customer }: FullOrder): string => customer.split(/\s/, 1)[0] ?? customer;

const asRow = ({ label, text }: TotalLine) => ({ label, amount: text });

const addressOf = (order: FullOrder) => ({
  title: 'Shipping address',
  lines: [order.customer, ...addressLines(order)],
});

async function requireOrder({ id, orderId }: MailRow, { db }: EmailParts): Promise<FullOrder> {
  const order = orderId ? await findOrder(db, orderId) : undefined;
  if (!order) throw new Error(`email ${id} refers to an order that doesn't exist`);
  return order;
}
