/**
 * Dumps what a browser stores of the shop. Uses only browser globals, because it is injected into a page of a real
 * browser.
 */

export interface DeviceDump {
  databases: DatabaseDump[];
  localStorage: Record<string, string>;
  /** Cache names, each with its URLs. */
  caches: Record<string, string[]>;
}
interface DatabaseDump {
  name: string;
  version: number;
  stores: StoreDump[];
}
interface StoreDump {
  name: string;
  rows: { key: IDBValidKey; value: unknown }[];
}

export async function dumpDevice(): Promise<DeviceDump> {
  const databases: DatabaseDump[] = [];
  for (const { name = '', version = 0 } of await indexedDB.databases()) {
    const db = await done(indexedDB.open(name));
    const stores: StoreDump[] = [];
    for (const each of db.objectStoreNames) stores.push(await dumpStore(db, each));
    databases.push({ name, version, stores });
    db.close();
  }
  return {
    databases,
    localStorage: Object.fromEntries<string>(Object.entries(localStorage)),
    caches: await dumpCaches(),
  };

  async function dumpStore(db: IDBDatabase, name: string): Promise<StoreDump> {
    const store = db.transaction(name).objectStore(name);
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    return { name, rows: keys.map((key, place) => ({ key, value: values[place] as unknown })) };
  }

  async function dumpCaches(): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {};
    if (typeof caches === 'undefined') return found;
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      found[name] = requests.map(({ url }) => url.slice(new URL(url).origin.length)).toSorted();
    }
    return found;
  }

  function done<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('the database gave no reason')));
    });
  }
}
