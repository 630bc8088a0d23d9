/** Carriers, their tracking pages and numbers, and the messages about parcels. Rule: docs/rules/orders-and-payment.md, Parcels */
import type { Schema } from './contract';

export type Carrier = Schema<'Carrier'>;

export const carriers = ['usps', 'ups', 'fedex', 'dhl', 'other'] as const satisfies readonly Carrier[];

export const carrierLabels: Record<Carrier, string> = {
  usps: 'USPS',
  ups: 'UPS',
  fedex: 'FedEx',
  dhl: 'DHL',
  other: 'Other carrier',
};

/** Maximum lengths of texts, in characters. The contract has the same limits. */
export const parcelLimits = { trackingNumber: 60, trackingUrl: 500 } as const;

/** The carriers' public tracking pages. */
const trackingPages: Record<Exclude<Carrier, 'other'>, string> = {
  usps: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
  ups: 'https://www.ups.com/track?tracknum=',
  fedex: 'https://www.fedex.com/fedextrack/?trknbr=',
  dhl: 'https://www.dhl.com/us-en/home/tracking.html?tracking-id=',
};

/** People write numbers in groups; carriers want them without. */
export const compactNumber = (number: string) => number.replaceAll(/[\s-]/g, '').toUpperCase();

/** @returns the carrier's page for the number; null without a number, or for another carrier */
export function trackingLink(carrier: Carrier, number: string | null): string | null {
  return number === null || carrier === 'other'
    ? null
    : `${trackingPages[carrier]}${encodeURIComponent(compactNumber(number))}`;
}

/** The formats that carriers give to the numbers on their labels. */
const numberFormats: readonly (readonly [Exclude<Carrier, 'other'>, RegExp])[] = [
  ['ups', /^1Z[0-9A-Z]{16}$/],
  ['usps', /^(?:420\d{5}(?:\d{4})?)?9[1-5]\d{18,20}$/],
  ['usps', /^[A-Z]{2}\d{9}US$/],
  ['fedex', /^(?:\d{12}|\d{15}|96\d{20})$/],
  ['dhl', /^(?:\d{10}|J?JD\d{16,20}|GM\d{16,20})$/],
];

/** @returns the carrier with such numbers; undefined: none of them */
export const recognizeCarrier = (number: string): Exclude<Carrier, 'other'> | undefined =>
  numberFormats.find(([, format]) => format.test(compactNumber(number)))?.[0];

/** How long any parcel may be deleted, also one that its customer is notified of. */
export const deleteParcelMs = 10_000;

export const parcelMessages = {
  createParcel: { success: 'Items shipped', failure: "Couldn't ship the items. Try again." },
  updateParcel: { success: 'Package updated', failure: "Couldn't update the package. Try again." },
  deleteParcel: { success: 'Package deleted', failure: "Couldn't delete the package. Try again." },
  notFound: 'Package not found',
  restRefunded: 'The rest was refunded',
  nothingLeft: 'Nothing in this order is left to ship',
  onlyLeft: (left: number, name: string) =>
    left > 0 ? `Only ${left} of ${name} left to ship` : `${name} has nothing left to ship`,
  isNoLine: "These items aren't part of this order",
  isTwice: 'List each item only once',
  isNotified: "The customer was notified of this package, so it can't be deleted. You can change its tracking number.",
  isOver: (status: string) => `This order is ${status}, so its packages can't be deleted`,
  isNoNumber: 'Use only letters, digits, spaces, and hyphens',
  chooseCarrier: 'Choose a carrier',
  chooseItems: 'Choose what goes in this package',
  recognized: (carrier: string) => `Recognized as ${carrier}.`,
  numberHint: 'Leave blank to ship without tracking.',
  linkHint: "Starts with https://. Leave blank to use the carrier's page.",
  otherLinkHint: 'Starts with https://. The customer sees it as Track.',
  notify: (firstName: string) => `Email ${firstName} that this package is on its way`,
  notifyHint: 'With its items, the carrier, and a Track link.',
  notifyAgain: (firstName: string) => `Email ${firstName} the new tracking`,
  isLast: 'This is the last package. The order becomes On Delivery.',
  title: (place: number, count: number) => (count === 1 ? 'Package' : `Package ${place} of ${count}`),
  shipped: (time: string, by: string | null) => (by ? `Shipped ${time} by ${by}.` : `Shipped ${time}.`),
  untracked: 'No tracking',
  place: (place: number) => `Package ${place}`,
  track: (place: number) => `Track package ${place}`,
  notShipped: 'Not shipped yet',
  shipAndPrint: 'Ship and print slip',
  notified: 'Customer notified.',
  notNotified: 'Customer not notified.',
  created: (place: number) => `Package ${place} shipped`,
  /** What happened to a package that the log names, but not which one. */
  changes: { created: 'Package shipped', changed: 'Package tracking changed', deleted: 'Package deleted' },
} as const;
