import { db } from './db';
import { serveInstalled } from './installed';
import { recallSaved } from './saved';
import { registerServiceWorker } from './serviceWorker';

/** Keeps the app itself on this device, so that it opens without a connection. */
export function keepShop(): void {
  void recallKept().catch(() => undefined);
  serveInstalled();
  void registerServiceWorker();
}

/** What an earlier visit saved, if the catalog is there still: a database can be lost alone. */
export async function recallKept(): Promise<void> {
  const { about } = await db.ready();
  if ((await about.get('catalog'))?.savedAt !== undefined) recallSaved();
}
