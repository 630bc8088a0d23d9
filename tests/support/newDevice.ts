/**
 * Each test file begins on a device that has never heard of a shop. The files of a worker share what is loaded, so also the
 * device: without this, which file came before decided what a page found there.
 */
import 'fake-indexeddb/auto'; // here for all of them: Dexie, once loaded, never looks for a database again
import { afterAll } from 'vitest';

afterAll(async () => {
  if (!('localStorage' in globalThis)) return; // a file that asks for Node's environment
  await emptyDevice();
  localStorage.clear();
  sessionStorage.clear();
});

async function emptyDevice(): Promise<void> {
  const [{ db }, { kitchen }, { clearCatalog }, { saved }, { session }] = await Promise.all([
    import('../../src/web/device/db'),
    import('../../src/web/device/kitchen'),
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
