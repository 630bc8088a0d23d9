import { aboutCatalog } from '../../shared/deviceNames';
import { listen } from '../browser/listen';
import { db } from './db';
import { askToPersist } from './persist';
import { saved } from './saved';
import { registerServiceWorker } from './serviceWorker';

/** Saves the app itself on this device, so that it opens offline. */
export function saveShop(): void {
  void recallSaved().catch(() => undefined);
  // browsers don't evict an installed shop's data on their own
  if (isInstalled()) void askToPersist();
  listen(window, 'appinstalled', () => void askToPersist());
  void registerServiceWorker();
}

/** Restores what an earlier visit saved, if the catalog still exists: a database can be lost on its own. */
export async function recallSaved(): Promise<void> {
  const { about } = await db.ready();
  if ((await about.get(aboutCatalog))?.savedAt !== undefined) saved.recall();
}

const isInstalled = () => matchMedia('(display-mode: standalone)').matches || navigator.standalone === true;
