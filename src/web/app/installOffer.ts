import { listen } from '../browser/listen';
import { createStore } from '../browser/store';
import { earlyOfferKey } from './startNames';

/** The browser's install event, stored until the install card uses it. */
export interface InstallOffer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

const offer = createStore<InstallOffer | undefined>(undefined);

export function storeInstallOffer(): void {
  const early = (window as { [earlyOfferKey]?: InstallOffer })[earlyOfferKey];
  if (early) offer.set(early);
  listen(window, 'beforeinstallprompt', (event: InstallOffer) => {
    event.preventDefault(); // suppress the browser's own install bar on the first visit
    offer.set(event);
  });
  listen(window, 'appinstalled', () => offer.set(undefined));
}

export const installOffer = {
  get: offer.get,
  subscribe: offer.subscribe,
  /** The browser's prompt works only once. */
  use: (): void => offer.set(undefined),
};
