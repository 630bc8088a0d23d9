import type { Clock } from './clock';
import type { Store } from './store';

/** A PNG picture in twice its size. */
export type ShopLogo = { png: Buffer; width: number; height: number };

/** The parts shared by all of the provider's features. */
export type Provider = {
  store: Store;
  clock: Clock;
  /** Base of the payment pages' URLs, without a trailing slash. */
  publicUrl: string;
  shopName: string;
  /** Shown above the payment page's title. */
  logo?: ShopLogo | undefined;
  /** Whether there is a webhook; without one, events are listed but never sent. */
  hasWebhook: () => boolean;
};

/** The version of the provider's API that `stripe` 23.1.0 requests. */
export const apiVersion = '2026-10-28.endive';
