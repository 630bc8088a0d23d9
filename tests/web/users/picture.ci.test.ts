import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bearer } from '../../support/accounts';
import { newCustomer, type SignedIn } from '../../support/auth';
import { fileForm, jpeg } from '../../support/pictures';
import { openShop, type TestShop } from '../../support/shop';
import { control, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
let photo: Buffer;
beforeAll(async () => {
  shop = await openShop();
  photo = await jpeg(300, 200);
});
afterEach(() => tab.close());
afterAll(() => shop.close());

const file = (bytes: Buffer, type = 'image/jpeg') => new File([new Uint8Array(bytes)], 'me.jpg', { type });
const shown = () => document.querySelector<HTMLImageElement>('main img[src^="/portraits/"]');

/** In the page itself: the header's button has them too. */
const hasInitials = () => document.querySelector('main')?.textContent.includes('AJ') ?? false;

async function choose(chosen: File): Promise<void> {
  await control('Edit Profile');
  await until(() => document.querySelector('input[type=file]') !== null);
  const input = document.querySelector('input[type=file]') as HTMLInputElement;
  Object.defineProperty(input, 'files', { value: [chosen], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

async function withPicture(): Promise<SignedIn> {
  const as = await newCustomer(shop);
  const { headers, body } = fileForm(photo);
  const path = { userId: as.user.id };
  await shop.call('setOwnPicture', { path, headers: { ...headers, ...bearer(as) }, body });
  return as;
}

test('a picture is uploaded when it is chosen, replaces the initials, and can be removed', async () => {
  tab = openTab(shop, '/customer/edit/profile', { as: await newCustomer(shop) });
  await until(hasInitials);
  await see("JPG, PNG, WebP, AVIF, or GIF, up to 10 MB. We'll crop it to a square.");
  await choose(file(photo));
  await see('Photo saved');
  await until(() => shown() !== null);
  expect((await shop.app.inject({ url: shown()?.getAttribute('src') ?? '' })).statusCode).toBe(200);
  expect(hasInitials()).toBe(false);
  await tab.go('/customer/view/profile');
  await until(() => shown() !== null);
  await tab.go('/customer/edit/profile');
  await until(() => document.activeElement?.textContent === 'Edit Profile'); // users press only after the page has its focus
  await press('Remove photo');
  await see('Photo removed');
  await until(hasInitials);
  await until(() => document.activeElement?.textContent === 'Choose photo');
});

test('an invalid picture is rejected before the upload, and what only the server can detect is reported by it', async () => {
  const begin = Buffer.from([0xff, 0xd8, 0xff]);
  tab = openTab(shop, '/customer/edit/profile', { as: await newCustomer(shop) });
  await choose(file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')));
  await see('Choose a JPG, PNG, WebP, AVIF, or GIF photo');
  await choose(file(Buffer.concat([begin, Buffer.alloc(10 * 1024 * 1024)])));
  await see('Photos can be up to 10 MB');
  expect(tab.calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  await choose(file(Buffer.concat([begin, Buffer.from('no picture at all')])));
  await see('Choose a JPG, PNG, WebP, AVIF, or GIF photo');
  await until(() => tab.calls.some(({ method, status }) => method === 'PUT' && status === 400));
  expect(shown()).toBeNull();
});

test('an unavailable picture, as without a connection, leaves the initials', async () => {
  tab = openTab(shop, '/customer/view/profile', { as: await withPicture() });
  await until(() => shown() !== null);
  shown()?.dispatchEvent(new Event('error'));
  await until(hasInitials);
  expect(shown()).toBeNull();
});

test('without a connection the picture stays unchanged, and the page says why', async () => {
  tab = openTab(shop, '/customer/edit/profile', { as: await withPicture() });
  await control('Change photo');
  await until(tab.isAtRest); // a late response would say that the shop is reachable
  tab.network.isDown = true;
  globalThis.dispatchEvent(new Event('offline'));
  await see('Go online to change your photo');
  const remove = await control('Remove photo');
  expect(remove.getAttribute('aria-disabled')).toBe('true');
  remove.click();
  expect(tab.calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test('in the back office the picture is in the header and in the user’s profile', async () => {
  const as = await shop.signIn({ role: 'ROLE_OWNER' });
  await shop.call('setOwnPicture', { as, path: { userId: as.userId }, ...fileForm(photo) });
  tab = openTab(shop, '/admin/view/profile', { as });
  await until(() => shown() !== null);
  expect(document.querySelector('header img')?.getAttribute('src')).toBe(shown()?.getAttribute('src'));
  await tab.go('/admin/edit/profile');
  await press('Remove photo');
  await see('Photo removed');
  await until(() => document.querySelector('img[src^="/portraits/"]') === null);
});
