/**
 * Records as the objects that the provider sends, with null for every missing field.
 * They pass the provider's published schemas, the old one and that of the present API version.
 */
import type { Payer } from './records';

export type WireObject = Record<string, unknown>;

export function address(payer: Payer): WireObject {
  return { city: null, country: 'US', line1: null, line2: null, postal_code: payer.postalCode, state: null };
}
