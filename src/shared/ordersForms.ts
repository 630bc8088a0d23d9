/** Forms that staff use on an order. */
import * as z from './zod';
import { hasAtMost, matches, requiredText, ruledText } from './addressForms';
import { orderLimits, orderMessages } from './orders';

/** An https URL with a host, but no user name before an @ and no invisible characters. */
const httpsLink = /^https:\/\/[^\s\p{C}/@:?#\\.]+(?:\.[^\s\p{C}/@:?#\\.]+)+(?::\d{1,5})?(?:[/?#][^\s\p{C}\\]*)?$/u;

export const linkRule = ruledText(
  [
    [hasAtMost(orderLimits.trackingUrl), `Use ${orderLimits.trackingUrl} characters or fewer`],
    [matches(httpsLink), orderMessages.isNoTrackingUrl],
  ],
  z.string(orderMessages.isNoTrackingUrl).trim(),
);

/** An empty link becomes null. */
export const trackingForm = z.object({
  shipmentTrackingUrl: z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    linkRule.nullable(),
  ),
});

export const orderNoteForm = z.object({ text: requiredText(orderLimits.note, 'Enter a note') });
