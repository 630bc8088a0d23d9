/**
 * What a browser keeps of the shop, as data: read from a device, and put onto another one. Both functions use nothing but
 * the browser's own objects, because they are also carried into a page of a real browser.
 */

export interface DeviceDump {
  databases: DatabaseDump[];
  localStorage: Record<string, string>;
  /** Names of caches, each with the addresses it has. */
  caches: Record<string, string[]>;
}
interface DatabaseDump {
  name: string;
  version: number;
  stores: StoreDump[];
}
interface StoreDump {
  name: string;
  keyPath: string | string[] | null;
  /** The key that the next row gets, where the database gives the keys. */
  nextKey?: number;
  indexes: { name: string; keyPath: string | string[]; unique: boolean; multiEntry: boolean }[];
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
    const work = db.transaction(name, 'readwrite');
    const store = work.objectStore(name);
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    const indexes = [...store.indexNames].map((each) => {
      const { keyPath, unique, multiEntry } = store.index(each);
      return { name: each, keyPath, unique, multiEntry };
    });
    // whoever takes the next key and gives the transaction up leaves the counter as it was
    const nextKey = store.autoIncrement ? Number(await done(store.add({}))) : undefined;
    work.abort();
    const rows = keys.map((key, place) => ({ key, value: values[place] as unknown }));
    return { name, keyPath: store.keyPath, ...(nextKey !== undefined && { nextKey }), indexes, rows };
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

/** Puts the databases and localStorage of a device in place of what is here. The caches are the worker's to fill. */
export async function restoreDevice(device: Pick<DeviceDump, 'databases' | 'localStorage'>): Promise<void> {
  localStorage.clear();
  for (const [key, value] of Object.entries(device.localStorage)) localStorage.setItem(key, value);
  for (const { name, version, stores } of device.databases) {
    await done(indexedDB.deleteDatabase(name));
    const opening = indexedDB.open(name, version);
    opening.addEventListener('upgradeneeded', () => stores.forEach((store) => createStore(opening.result, store)));
    const db = await done(opening);
    for (const store of stores) await fill(db, store);
    db.close();
  }

  function createStore(db: IDBDatabase, { name, keyPath, nextKey, indexes }: StoreDump): void {
    const store = db.createObjectStore(name, { keyPath, autoIncrement: nextKey !== undefined });
    for (const { name: index, keyPath: path, unique, multiEntry } of indexes)
      store.createIndex(index, path, { unique, multiEntry });
  }

  async function fill(db: IDBDatabase, { name, keyPath, nextKey, rows }: StoreDump): Promise<void> {
    const work = db.transaction(name, 'readwrite');
    const store = work.objectStore(name);
    const ended = new Promise<void>((resolve, reject) => {
      work.addEventListener('complete', () => resolve());
      work.addEventListener('abort', () => reject(work.error ?? new Error('given up')));
    });
    const put = (value: unknown, key: IDBValidKey) => store.put(value, keyPath === null ? key : undefined);
    for (const { key, value } of rows) put(value, key);
    if (nextKey !== undefined && typeof keyPath === 'string' && nextKey > 1)
      setCounter(store, keyPath, nextKey - 1, rows);
    await ended;
  }

  /** The counter goes behind the highest key that was ever put, and stays there when its row is deleted. */
  function setCounter(store: IDBObjectStore, keyPath: string, highest: number, rows: StoreDump['rows']): void {
    if (rows.some(({ key }) => key === highest)) return;
    const unlike = Object.fromEntries([...store.indexNames].map((name) => [name, `counter ${highest}`]));
    store.put({ ...unlike, [keyPath]: highest });
    store.delete(highest);
  }

  function done<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('the database gave no reason')));
      request.addEventListener('blocked', () => reject(new Error('another tab holds the database')));
    });
  }
}
