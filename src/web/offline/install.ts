/** The browser's offer to install the shop, kept from the moment it comes until the install card makes it. */
export interface InstallOffer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let offer: InstallOffer | undefined;
const listeners = new Set<() => void>();

/** Where a page that the server drew keeps an offer that came before the app did: it comes once. */
export const earlyOfferKey = 'shopInstallOffer';

export function keepInstallOffer(): void {
  const early = (window as { [earlyOfferKey]?: InstallOffer })[earlyOfferKey];
  if (early) setOffer(early);
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault(); // no bar of the browser's own on the first visit
    setOffer(event as InstallOffer);
  });
  window.addEventListener('appinstalled', () => setOffer(undefined));
}

export const installOffer = {
  get: (): InstallOffer | undefined => offer,

  /** It can be made once. */
  use: (): void => setOffer(undefined),

  /** @returns how to stop listening */
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

function setOffer(next: InstallOffer | undefined): void {
  offer = next;
  for (const notify of listeners) notify();
}
