/**
 * Starts each test file on a fresh device. Files of a worker share loaded modules, and so the device: without this, the
 * order of files would decide what a page found there.
 */
import 'fake-indexeddb/auto'; // loaded here for all files: Dexie looks for a database only when it is loaded
import { afterAll } from 'vitest';

afterAll(async () => {
  if (!('localStorage' in globalThis)) return; // a file that runs in the Node environment
  await emptyDevice();
  localStorage.clear();
  sessionStorage.clear();
});

async function emptyDevice(): Promise<void> {
  const [{ db }, { kitchen }, { clearCatalog }, { saved }, { session }] = await Promise.all([
    import('../../src/web/device/db'),
    import('../../src/web/device/lists'),
    import('../../src/web/device/catalog'),
    import('../../src/web/device/saved'),
    import('../../src/web/server/session'),
  ]);
  session.clear();
  await Promise.all([db.ready(), kitchen.ready()]);
  await Promise.all([...db.tables, ...kitchen.tables].map((table) => table.clear()));
  clearCatalog();
  for (const part of ['catalog', 'pictures', 'worker'] as const) saved.set(part, false);
}
