/**
 * How records look on the wire: the whole objects as the provider sends them, with null where nothing is.
 * They pass the provider's published schemas, its old one and the one of the present API version.
 */
import type { Payer } from './records';

export type WireObject = Record<string, unknown>;

export function address(payer: Payer): WireObject {
  return { city: null, country: 'US', line1: null, line2: null, postal_code: payer.postalCode, state: null };
}
