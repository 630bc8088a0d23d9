import { expect } from 'playwright/test';
import { newAccount, proofLinkTo } from '../e2e/shop';
import { add, logIn, serverCart, signUp } from './people';
import { patience, phone, until } from './tab';
import { test, unanswered } from './harness';

/** Claims of docs/iphone.md about Safari that its engine can show. WebKit only: the others have their own tests. */
test('a mailed link asks for a login in Safari, and two devices are kept in sync', async ({ openBrowser, shop }) => {
  const [{ tab: app, forgive }, { tab: safari, forgive: forgiveSafari }] = [
    await openBrowser(phone),
    await openBrowser(phone),
  ];
  const account = newAccount();
  const userId = await signUp(app, account);
  const link = await proofLinkTo(shop, account.email);
  await safari.open(link);
  await safari.press({ role: 'button', name: 'Confirm' });
  await safari.sees({ text: /^Log in to your account in this browser first/ });

  await safari.open('/login');
  await logIn(safari, account);
  await safari.sees({ role: 'heading', name: /^Cart/ });
  await safari.open(link);
  await safari.press({ role: 'button', name: 'Confirm' });
  await safari.sees({ text: 'Your email is confirmed' });
  await safari.open('/cart');
  await add(app, 'savory', 'Afra Grill Rub');
  await safari.sees({ text: 'Afra Grill Rub' });
  await shop.breakOff();
  await safari.sees({ text: 'Go online to check out' });
  await shop.restore();
  await add(app, 'spices', 'Ground Cayenne Pepper');
  await safari.sees({ text: 'Ground Cayenne Pepper' });
  await forgive(unanswered);
  await forgiveSafari(unanswered);

  await test.step('after Safari deletes a page’s storage it asks for the login, and the app continues', async () => {
    // a page that is being left answers nothing: the next one continues
    await until('all that is stored to be gone', () => safari.run(deleteAll, null).then(() => true), 3 * patience);
    await safari.open('/cart');
    await safari.sees({ role: 'heading', name: 'Log in' });
    await app.open('/cart');
    await app.sees({ text: 'Afra Grill Rub' });
    await logIn(safari, account);
    await safari.sees({ text: 'Ground Cayenne Pepper' });
    expect(Object.keys(await serverCart(safari, userId))).toHaveLength(2);
    await forgiveSafari(/wants to delete database/); // reported at any time until its page is left
  });
});

test('pictures come automatically, and waiting changes are sent when the shop is opened the next time', async ({
  openBrowser,
  shop,
}) => {
  const { tab, forgive } = await openBrowser(phone);
  const lacks = () => !('SyncManager' in window) && !('connection' in navigator);
  await tab.open('/');
  expect(await tab.run(lacks, null)).toBe(true);
  const userId = await signUp(tab, newAccount());
  await tab.open('/products/spices');
  await tab.sees({ text: 'Saved for offline' }, 120_000);
  expect(await tab.run(typesOfPictures, null)).toEqual(['image/avif']);
  await shop.breakOff();
  await tab.press({ role: 'button', name: 'Add Ground Cayenne Pepper to cart' });
  await tab.sees({ text: '1 waiting to sync' });
  const next = await tab.newTab();
  await tab.close();
  await shop.restore();
  await next.open('/contact');
  await until('the cart', async () => (await serverCart(next, userId))['Ground Cayenne Pepper'] === 1);
  await forgive(unanswered);
});

/** Runs in the page: everything that scripts can store. */
async function deleteAll(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  for (const name of await caches.keys()) await caches.delete(name);
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
}

/** Runs in the page. @returns the types of the stored pictures, each once */
async function typesOfPictures(): Promise<(string | null)[]> {
  const types = new Set<string | null>();
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (!new URL(request.url).pathname.startsWith('/pictures/')) continue;
      types.add((await cache.match(request))?.headers.get('content-type') ?? null);
    }
  }
  return [...types];
}
