import { serveInstalled } from './installed';
import { recallSaved } from './saved';
import { registerServiceWorker } from './serviceWorker';

/** Keeps the app itself on this device, so that it opens without a connection. */
export function keepShop(): void {
  recallSaved();
  serveInstalled();
  void registerServiceWorker();
}
