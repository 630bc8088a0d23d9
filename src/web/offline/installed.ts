/** What an installed shop may ask of the device. */
import { session } from '../api/session';
import { outbox } from './outbox';

/** Asks that nothing kept here is cleared away by itself, and shows on the app's icon how many edits are unsent. */
export function serveInstalled(): void {
  if (isInstalled()) void askToPersist();
  window.addEventListener('appinstalled', () => void askToPersist());
  outbox.subscribe(showUnsent);
  showUnsent();
}

const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true;

async function askToPersist(): Promise<void> {
  const storage = navigator.storage as StorageManager | undefined; // absent where the shop is not served securely
  if (storage?.persist && !(await storage.persisted())) await storage.persist();
}

let shown = 0;

function showUnsent(): void {
  if (!('setAppBadge' in navigator)) return;
  const userId = session.get()?.id;
  const unsent = userId ? outbox.waiting(userId).length : 0;
  if (unsent === shown) return;
  shown = unsent;
  const done = unsent > 0 ? navigator.setAppBadge(unsent) : navigator.clearAppBadge();
  done.catch(() => undefined); // not installed: there is no icon to show it on
}
