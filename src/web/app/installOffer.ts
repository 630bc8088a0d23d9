import { listen } from '../browser/listen';
import { type InstallPrompt, installPrompt } from '../device/installPrompt';
import { earlyOfferKey } from './startNames';

/** Keeps the browser's install event for the shop's own offer (device/InstallOffer.tsx). */
export function storeInstallOffer(): void {
  const early = (window as { [earlyOfferKey]?: InstallPrompt })[earlyOfferKey];
  if (early) installPrompt.set(early);
  listen(window, 'beforeinstallprompt', (event: InstallPrompt) => {
    event.preventDefault(); // suppress the browser's own install bar on the first visit
    installPrompt.set(event);
  });
  listen(window, 'appinstalled', () => installPrompt.set(undefined));
}
