/**
 * Records as the provider's wire objects, with null for every missing field.
 * They match the provider's published schemas, both the old one and that of the current API version.
 */
import type { Payer } from './records';

export type WireObject = Record<string, unknown>;

export function address(payer: Payer): WireObject {
  return { city: null, country: 'US', line1: null, line2: null, postal_code: payer.postalCode, state: null };
}
