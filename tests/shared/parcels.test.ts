import { expect, test } from 'vitest';
import { newParcelForm, parcelChangeForm } from '../../src/shared/parcelForms';
import { recognizeCarrier, trackingLink } from '../../src/shared/parcels';

/** Rule: docs/rules/orders-and-payment.md, Parcels */
test.each([
  ['1Z 84F 29W 03 5518 2207', 'ups'],
  ['1z84f29w0355182207', 'ups'],
  ['9400 1118 9956 1842 7310 02', 'usps'],
  ['420303039400111899561842731002', 'usps'],
  ['LK123456785US', 'usps'],
  ['7712-3456-7890', 'fedex'],
  ['771234567890123', 'fedex'],
  ['9622 0019 0000 0000 0000 00', 'fedex'],
  ['1234567890', 'dhl'],
  ['JD014600006281230704', 'dhl'],
  ['1Z 84F', undefined],
  ['A-1042', undefined],
  ['', undefined],
])('the number %s is of the carrier %s', (number, carrier) => {
  expect(recognizeCarrier(number)).toBe(carrier);
});

test.each([
  ['usps', '9400 1118', 'https://tools.usps.com/go/TrackConfirmAction?tLabels=94001118'],
  ['ups', '1z 84f', 'https://www.ups.com/track?tracknum=1Z84F'],
  ['fedex', '7712-3456', 'https://www.fedex.com/fedextrack/?trknbr=77123456'],
  ['dhl', '1234567890', 'https://www.dhl.com/us-en/home/tracking.html?tracking-id=1234567890'],
  ['other', '1234567890', null],
  ['usps', null, null],
] as const)('a package of %s with the number %s is tracked at %s', (carrier, number, link) => {
  expect(trackingLink(carrier, number)).toBe(link);
});

test('blank numbers and links are none, and fields that are left out stay out', () => {
  const lines = [{ orderItemId: 'a73d0f5c-9e24-4b18-8d6f-1c5b2e7a9043', quantity: 1 }];
  const blank = { trackingNumber: ' ', trackingUrl: '' };
  expect(newParcelForm.parse({ lines, carrier: 'usps', ...blank })).toEqual({
    lines,
    carrier: 'usps',
    trackingNumber: null,
    trackingUrl: null,
  });
  expect(parcelChangeForm.parse({})).toEqual({});
});
