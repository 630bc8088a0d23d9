import { expect } from 'playwright/test';
import { newAccount } from '../e2e/shop';
import { add, logIn, logOut, serverCart, signUp } from './people';
import { phone, type Tab, until } from './tab';
import { test, unanswered } from './harness';

test('after one visit, with the server down, every page opens cold', async ({ openBrowser, shop }) => {
  const { tab, forgive } = await openBrowser(phone);
  await tab.open('/');
  await tab.sees({ text: 'Saved for offline' }, 120_000);
  await shop.breakOff();
  const cold = await tab.newTab();
  await expectToOpen(cold, '/', 'Savory, Seasoning & Spices');
  await expectToOpen(cold, '/products/savory', 'Savory & Seasoning');
  await cold.press({ role: 'link', name: /Afra Grill Rub/ });
  await cold.sees({ role: 'heading', name: 'Afra Grill Rub' });
  await cold.reload();
  await cold.sees({ role: 'heading', name: 'Afra Grill Rub' });
  await expectPictures(cold);
  await expectToOpen(cold, '/search?q=cayene', /Results|Search/);
  await cold.sees({ text: 'Ground Cayenne Pepper' });
  await cold.open('/contact');
  await cold.sees({ role: 'button', name: 'Send' }); // the footer of each page has the heading too
  await expectToOpen(cold, '/login', 'Log in');
  await expectToOpen(cold, '/no/such/page', '404 not found');
  await shop.restore();
  // a response is reported after all earlier failures
  for (const each of [tab, cold]) await each.run(() => fetch('/healthz').then(({ ok }) => ok), null);
  await forgive(unanswered);
});

test('a cart changed without the server is sent once, later, and a logout leaves nothing', async ({
  openBrowser,
  shop,
}) => {
  const { tab, forgive } = await openBrowser(phone);
  const account = newAccount();
  const userId = await signUp(tab, account);
  await add(tab, 'savory', 'Afra Grill Rub');
  await tab.sees({ text: 'Saved for offline' }, 120_000);
  await tab.open('/customer/orders');
  await tab.sees({ text: 'No orders found.' });

  await test.step('without the server', async () => {
    await shop.breakOff();
    await tab.open('/products/spices');
    await tab.press({ role: 'button', name: 'Add Ground Cayenne Pepper to cart' });
    await tab.sees({ text: "Saved. We'll sync it when you're back online." });
    await tab.open('/cart');
    await tab.press({
      role: 'button',
      name: 'Increase',
      within: { role: 'group', name: /^Quantity of Afra Grill Rub/ },
    });
    await tab.sees({ text: '2 waiting to sync' }); // it is stored: leaving earlier would be before the confirmation
    await tab.sees({ text: 'Go online to check out' });
    await tab.open('/customer/orders');
    await tab.sees({ text: 'No orders found.' });
  });
  await test.step('with it again', async () => {
    await shop.restore();
    await tab.open('/cart');
    const wanted = { 'Afra Grill Rub': 2, 'Ground Cayenne Pepper': 1 };
    await until('the cart of the server', async () => isSame(await serverCart(tab, userId), wanted));
    await tab.misses({ text: "Saved. We'll sync it when you're back online." });
    await forgive(unanswered);
    await tab.reload();
    await tab.sees({ text: 'Ground Cayenne Pepper' });
    expect(await serverCart(tab, userId)).toEqual(wanted);
  });
  await test.step('logs out', async () => {
    const other = await tab.newTab();
    await other.open('/cart');
    await other.sees({ text: 'Ground Cayenne Pepper' });
    await logOut(tab);
    await other.sees({ role: 'heading', name: 'Log in' });
    expect(await tab.run(keptOf, userId)).toEqual([]);
    await tab.open('/cart');
    await tab.sees({ role: 'heading', name: 'Log in' });
  });
  await test.step('and logs in again', async () => {
    await logIn(tab, account);
    await tab.sees({ text: 'Ground Cayenne Pepper' });
  });
});

const isSame = (found: Record<string, number>, wanted: Record<string, number>) =>
  Object.keys(found).length === Object.keys(wanted).length &&
  Object.entries(wanted).every(([name, quantity]) => found[name] === quantity);

async function expectToOpen(tab: Tab, address: string, heading: string | RegExp): Promise<void> {
  await tab.open(address);
  await tab.sees({ role: 'heading', name: heading });
}

/** Those in view are loaded, not broken. */
async function expectPictures(tab: Tab): Promise<void> {
  const areDrawn = () => {
    const pictures = [...document.querySelectorAll<HTMLImageElement>('main img')].filter(
      (image) => image.getBoundingClientRect().top < innerHeight,
    );
    return pictures.length > 0 && pictures.every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
  };
  await until('pictures', () => tab.run(areDrawn, null));
}

/** Runs in the page. @returns where the device still has data of that user */
async function keptOf(userId: string): Promise<string[]> {
  const found: string[] = [];
  for (const [place, storage] of Object.entries({ localStorage, sessionStorage })) {
    if (JSON.stringify(storage).includes(userId)) found.push(place);
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) if (request.url.includes(userId)) found.push(request.url);
  }
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const asked = indexedDB.open('shop');
    asked.addEventListener('success', () => resolve(asked.result));
    asked.addEventListener('error', () => reject(new Error('no database')));
  });
  for (const store of database.objectStoreNames) {
    const rows = await new Promise((resolve) => {
      const asked = database.transaction(store).objectStore(store).getAll();
      asked.addEventListener('success', () => resolve(asked.result));
    });
    if (JSON.stringify(rows).includes(userId)) found.push(store);
  }
  database.close();
  return found;
}
