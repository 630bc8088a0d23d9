/** Pictures for offline on a metered connection: none is fetched automatically. */
import { QueryClient } from '@tanstack/react-query';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { pictures } from '../../../src/server/db/schema/tables';
import { aboutPicture, heroPicture } from '../../../src/shared/brandPictures.gen';
import { picturesWantedKey } from '../../../src/shared/deviceNames';
import { picturesMessages } from '../../../src/shared/install';
import { followCatalog } from '../../../src/web/device/syncCatalog';
import { journal } from '../../../src/web/lists/pages/journal';
import { missingPictures, picturesWanted } from '../../../src/web/device/picturesWanted';
import { saved } from '../../../src/web/device/saved';
import { reachability } from '../../../src/web/server/reachability';
import { openOwnShop, type TestShop } from '../../support/shop';
import { control, emptyCatalog, openTab, press, see, type Tab, until, waiting } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => {
  shop = await openOwnShop();
  for (let number = 1; number <= 3; number += 1) await stockPictured();
});
afterAll(() => shop.close());

const size = { width: 1280, height: 1280, widths: [160, 320, 640, 1280], placeholder: '#804020' };
const known = { keptAvifBytes: 150_000, keptWebpBytes: 300_000 };
const hashes: string[] = [];

/** A new product with its own picture. @returns the picture's file */
async function stockPictured(bytes: Partial<typeof known> = known): Promise<string> {
  const hash = `abc${hashes.length + 1}`;
  hashes.push(hash);
  await shop.db.insert(pictures).values({ hash, ...size, ...bytes, createdAt: shop.clock.now() });
  const { id } = await shop.stock({ pictureHash: hash });
  // the server caches its responses until a change is notified
  await vi.waitFor(async () => {
    const { changes } = (await shop.call('getCatalogChanges')).data;
    expect(changes.products.map((each) => each.id)).toContain(id);
  }, waiting);
  return `/pictures/${hash}-320.avif`;
}

/** The button with the size of all pictures: the products' and the home page's. */
const saveAll = (type: 'avif' | 'webp' = 'avif') => {
  const each = type === 'avif' ? known.keptAvifBytes : known.keptWebpBytes;
  return picturesMessages.saveToo(hashes.length * each + heroPicture.keptBytes[type] + aboutPicture.keptBytes[type]);
};
const ofHome = 2;

/** The fetched files, and the stored ones. */
let fetched: string[];
let kept: Map<string, Response>;
let drawsAvif: boolean;
/** What a fetch of a picture waits for. */
let slowly: Promise<void> | undefined;
beforeEach(async () => {
  [fetched, kept, drawsAvif, slowly] = [[], new Map(), true, undefined];
  const urlOf = (file: string) => new URL(file, 'http://localhost:3000').href;
  vi.stubGlobal('caches', {
    open: async () => ({
      keys: async () => [...kept.keys()].map((file) => ({ url: urlOf(file) })),
      put: async (file: string, answer: Response) => kept.set(file, answer),
      delete: async (file: string) => kept.delete(file),
    }),
  });
  vi.stubGlobal('fetch', async (file: string) => {
    fetched.push(file);
    await slowly;
    return new Response('picture', { headers: { 'content-type': `image/${file.split('.').pop()}` } });
  });
  vi.stubGlobal('createImageBitmap', async () => {
    if (!drawsAvif) throw new DOMException('cannot be decoded', 'InvalidStateError');
  });
  await emptyCatalog();
  saved.set('worker', true);
});
afterEach(() => {
  stop();
  tab.close();
  picturesWanted.set(false);
  missingPictures.set(undefined);
  for (const part of ['catalog', 'pictures', 'worker'] as const) saved.set(part, false);
  Reflect.deleteProperty(navigator, 'connection');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Facts = { saveData?: boolean; type?: string; effectiveType?: string };
let connection: EventTarget & Facts;
let stop = () => {};

/** A tab with such a connection, on a page without pictures. */
function openOn(facts: Facts): void {
  connection = Object.assign(new EventTarget(), facts);
  Object.defineProperty(navigator, 'connection', { configurable: true, value: connection });
  tab = openTab(shop, '/contact');
  stop = followCatalog(new QueryClient(), journal);
}

function changeConnection(facts: Facts): void {
  Object.assign(connection, facts);
  connection.dispatchEvent(new Event('change'));
}

/** As after a time without a network: the feed is requested again. */
async function reconnect(): Promise<void> {
  tab.network.isDown = true;
  await reachability.probe();
  tab.network.isDown = false;
  await reachability.probe();
}

/** Of the products, each once. */
const all = () => hashes.map((hash) => `/pictures/${hash}-320.avif`).toSorted();
const ofProducts = () => fetched.filter((file) => file.startsWith('/pictures/abc')).toSorted();

test.each<Facts>([{ saveData: true }, { type: 'cellular' }, { effectiveType: '2g' }])(
  'with a connection like %o the catalog is saved, and no picture is fetched for offline',
  async (facts) => {
    openOn(facts);
    await see('Catalog saved without photos');
    await control(saveAll());
    expect(fetched).toEqual([]);
  },
);

test('a browser without connection info fetches the pictures, unless data saving is on', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(new EventTarget(), { matches: query === '(prefers-reduced-data: reduce)' } as MediaQueryList),
  );
  tab = openTab(shop, '/contact');
  stop = followCatalog(new QueryClient(), journal);
  await see('Catalog saved without photos');
  expect(fetched).toEqual([]);
  stop();
  tab.close();
  vi.restoreAllMocks();
  tab = openTab(shop, '/contact');
  stop = followCatalog(new QueryClient(), journal);
  await see('Saved for offline');
  expect(ofProducts()).toEqual(all());
  expect(document.querySelector('footer button')).toBeNull();
});

test.each<Facts>([{ type: 'wifi', effectiveType: '4g' }, { effectiveType: '3g' }])(
  'with a connection like %o they are fetched automatically, and there is no button',
  async (facts) => {
    openOn(facts);
    await see('Saved for offline');
    expect(ofProducts()).toEqual(all());
    expect(document.querySelector('footer button')).toBeNull();
  },
);

test('a user who requests them gets them, and those of new products too', async () => {
  openOn({ saveData: true });
  await press(saveAll());
  await see('Saved for offline');
  expect(ofProducts()).toEqual(all());
  await control('Stop saving photos');
  const added = await stockPictured();
  await reconnect();
  await until(() => kept.has(added));
});

test('a user who turns it off keeps the stored ones, and nothing new is fetched', async () => {
  openOn({ saveData: true });
  await press(saveAll());
  await see('Saved for offline');
  await press('Stop saving photos');
  await control('Save new photos too');
  const before = kept.size;
  const added = await stockPictured();
  await reconnect();
  await see('Saved for offline, except 1 photo');
  await control(picturesMessages.saveToo(known.keptAvifBytes));
  expect(kept.size).toBe(before);
  expect(fetched).not.toContain(added);
});

test('a choice in another tab applies in this one', async () => {
  openOn({ saveData: true });
  await see('Catalog saved without photos');
  localStorage.setItem(picturesWantedKey, 'yes');
  window.dispatchEvent(new StorageEvent('storage', { key: picturesWantedKey }));
  await see('Saved for offline');
  expect(ofProducts()).toEqual(all());
});

test('a double click counts once', async () => {
  openOn({ saveData: true });
  const button = await control(saveAll());
  button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
  button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
  await see('Saved for offline');
  await control('Stop saving photos');
});

test('they are fetched automatically once the connection is not metered, and stop once it is', async () => {
  openOn({ type: 'cellular' });
  await see('Catalog saved without photos');
  let letGo = () => {};
  slowly = new Promise((resolve) => (letGo = resolve));
  changeConnection({ type: 'wifi' });
  await until(() => fetched.length === 4); // as many as are requested in parallel
  changeConnection({ type: 'cellular' });
  letGo();
  await see(picturesMessages.without({ count: hashes.length + ofHome - 4, isAll: false }));
  expect(fetched).toHaveLength(4);
  changeConnection({ type: 'wifi' });
  await until(() => kept.size === hashes.length + ofHome);
  expect(fetched).toHaveLength(kept.size); // none of them twice
});

test('the size is that of the files which this browser uses', async () => {
  drawsAvif = false;
  openOn({ saveData: true });
  await press(saveAll('webp'));
  await see('Saved for offline');
  expect(fetched.every((file) => file.endsWith('.webp'))).toBe(true);
});

test('without a connection it says what is stored, and offers nothing', async () => {
  openOn({ saveData: true });
  await control(saveAll());
  tab.network.isDown = true;
  await reachability.probe();
  await until(() => document.querySelector('footer button') === null);
  await see('Catalog saved without photos');
});

test('where the shop does not know a picture’s size, no size is shown', async () => {
  await stockPictured({});
  openOn({ saveData: true });
  await control('Save photos too');
});
