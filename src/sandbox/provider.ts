import type { Clock } from './clock';
import type { Store } from './store';

/** What every part of the provider works with. */
export type Provider = {
  store: Store;
  clock: Clock;
  /** Base of the hosted pages' addresses, without a slash at the end. */
  publicUrl: string;
  shopName: string;
  /** Whether anybody listens to events; what happens while nobody does is listed, but not sent later. */
  hasWebhook: () => boolean;
};

/** The version of the provider's API that is spoken here: the one that `stripe` 23.1.0 asks for. */
export const apiVersion = '2026-10-28.endive';
