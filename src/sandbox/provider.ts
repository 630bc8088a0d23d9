import type { Clock } from './clock';
import type { Store } from './store';

/** The parts that every feature of the provider shares. */
export type Provider = {
  store: Store;
  clock: Clock;
  /** Base of the payment pages' URLs, without a slash at the end. */
  publicUrl: string;
  shopName: string;
  /** Whether there is a webhook; events that happen without one are listed, but never sent. */
  hasWebhook: () => boolean;
};

/** The version of the provider's API: the one that `stripe` 23.1.0 asks for. */
export const apiVersion = '2026-10-28.endive';
