/** The forms of a parcel, for the server and the dialog. */
import * as z from './zod';
import { hasAtMost, matches, ruledText } from './addressForms';
import { linkRule } from './ordersForms';
import { carriers, parcelLimits, parcelMessages } from './parcels';

const emptyIsNull = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value);

const numberRule = ruledText(
  [
    [hasAtMost(parcelLimits.trackingNumber), `Use ${parcelLimits.trackingNumber} characters or fewer`],
    [matches(/^[A-Za-z0-9][A-Za-z0-9 -]*$/), parcelMessages.isNoNumber],
  ],
  z.string(parcelMessages.isNoNumber).trim(),
);

const trackingNumber = z.preprocess(emptyIsNull, numberRule.nullable());
const trackingUrl = z.preprocess(emptyIsNull, linkRule.nullable());

const carrier = z.enum(carriers, parcelMessages.chooseCarrier);

const parcelLines = z
  .array(z.looseObject({ orderItemId: z.string(), quantity: z.number() }))
  .refine(
    (lines) => new Set(lines.map(({ orderItemId }) => orderItemId.toLowerCase())).size === lines.length,
    parcelMessages.isTwice,
  );

/** How a parcel is tracked, as the dialogs enter it. */
export const trackingFields = z.object({ carrier, trackingNumber, trackingUrl, notify: z.boolean() });

export const newParcelForm = z.object({
  lines: parcelLines,
  carrier,
  trackingNumber: trackingNumber.optional(),
  trackingUrl: trackingUrl.optional(),
  notify: z.boolean().optional(),
});

export const parcelChangeForm = z.object({
  carrier: carrier.optional(),
  trackingNumber: trackingNumber.optional(),
  trackingUrl: trackingUrl.optional(),
  notify: z.boolean().optional(),
});
