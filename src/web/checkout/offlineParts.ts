import type { ReactNode } from 'react';
import type { Placing } from './usePlacing';

/** The id of the offline notice that says why the order cannot be placed, for the button's `aria-describedby`. */
export const waitId = 'checkout-waits';

/** What the checkout shows offline, in place of its own parts or beside them. */
export interface PartsOffline {
  /** With the total computed from what this device knows. */
  placing: Placing;
  /** Shown above the address. */
  notice?: ReactNode;
  /** Where the addresses come from; shown beside their title. */
  from?: ReactNode;
  /** When the server last returned the cart; shown beside the title of the Cart Summary. */
  asOf?: ReactNode;
  /** Props for the Cart Summary. */
  summary?: { instead: ReactNode; foot: ReactNode };
}
