import { aboutCatalog } from '../../shared/deviceNames';
import { listen } from '../browser/listen';
import { db } from './db';
import { askToPersist } from './persist';
import { saved } from './saved';
import { registerServiceWorker } from './serviceWorker';

/** Keeps the app itself on this device, so that it opens without a connection. */
export function saveShop(): void {
  void recallKept().catch(() => undefined);
  // of an installed shop the browser clears nothing away by itself
  if (isInstalled()) void askToPersist();
  listen(window, 'appinstalled', () => void askToPersist());
  void registerServiceWorker();
}

/** What an earlier visit saved, if the catalog is there still: a database can be lost alone. */
export async function recallKept(): Promise<void> {
  const { about } = await db.ready();
  if ((await about.get(aboutCatalog))?.savedAt !== undefined) saved.recall();
}

const isInstalled = () => matchMedia('(display-mode: standalone)').matches || navigator.standalone === true;
