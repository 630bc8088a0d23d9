import { listen } from '../browser/listen';
import { createStore } from '../browser/store';
import { earlyOfferKey } from './startNames';

/** The browser's offer to install the shop, kept from the moment it comes until the install card makes it. */
export interface InstallOffer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

const offer = createStore<InstallOffer | undefined>(undefined);

export function keepInstallOffer(): void {
  const early = (window as { [earlyOfferKey]?: InstallOffer })[earlyOfferKey];
  if (early) offer.set(early);
  listen(window, 'beforeinstallprompt', (event: InstallOffer) => {
    event.preventDefault(); // no bar of the browser's own on the first visit
    offer.set(event);
  });
  listen(window, 'appinstalled', () => offer.set(undefined));
}

export const installOffer = {
  get: offer.get,
  subscribe: offer.subscribe,
  /** It can be made once. */
  use: (): void => offer.set(undefined),
};
