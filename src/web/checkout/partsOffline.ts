import type { ReactNode } from 'react';
import type { Placing } from './usePlacing';

/** Of what says, without a connection, why nothing is placed: for the `aria-describedby` of the button. */
export const waitId = 'checkout-waits';

/** What the checkout shows without a connection, in place of its own or beside it. */
export interface PartsOffline {
  /** With the total by what this device knows. */
  placing: Placing;
  /** Above the address. */
  notice?: ReactNode;
  /** Where the addresses come from; beside their title. */
  from?: ReactNode;
  /** When the shop last said the cart; beside the title of the Cart Summary. */
  asOf?: ReactNode;
  /** What the Cart Summary gets. */
  summary?: { instead: ReactNode; foot: ReactNode };
}
