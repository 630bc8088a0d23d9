/** The offer to install the shop, with the hints for Safari, which has no install prompt. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { installMessages } from '../../../src/shared/install';
import { connectionMessages } from '../../../src/shared/connection';
import { queuedMessages } from '../../../src/shared/outbox';
import { storeInstallOffer } from '../../../src/web/app/installOffer';
import { installPrompt } from '../../../src/web/device/installPrompt';
import { db } from '../../../src/web/device/db';
import { openShop, type TestShop } from '../../support/shop';
import { miss, openTab, press, see, type Tab } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(async () => {
  tab.close();
  Reflect.deleteProperty(navigator, 'standalone');
  vi.restoreAllMocks();
  installPrompt.set(undefined);
  await db.outbox.clear();
});
afterAll(() => shop.close());

/** @param standalone as Safari reports it; undefined in other browsers */
function openOn(facts: { standalone?: boolean; maxTouchPoints: number }, ...opening: Parameters<typeof openTab>): void {
  if ('standalone' in facts) Object.assign(navigator, { standalone: facts.standalone });
  vi.spyOn(navigator, 'maxTouchPoints', 'get').mockReturnValue(facts.maxTouchPoints);
  tab = openTab(...opening);
}
const iphone = { standalone: false, maxTouchPoints: 5 };
const mac = { standalone: false, maxTouchPoints: 0 };
const android = { maxTouchPoints: 5 };
const title = installMessages.title(true);

/** The browser can install the shop, as Chromium says. */
function offer() {
  const prompt = vi.fn(async () => ({ outcome: 'accepted' }) as const);
  storeInstallOffer();
  window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt }));
  return prompt;
}

test.each([
  ['an iPhone or iPad', iphone, installMessages.toHomeScreen, installMessages.toDock],
  ['a Mac', mac, installMessages.toDock, installMessages.toHomeScreen],
])('on %s, My lists explains how to install the shop manually', async (_, facts, said, ofOthers) => {
  openOn(facts, shop, '/customer/lists', { as: await shop.signIn() });
  await see(said);
  await see(installMessages.loginAgain); // the app shares nothing with the browser
  expect(document.body.textContent).not.toContain(ofOthers);
});

test('a browser’s own install prompt is used, once', async () => {
  openOn(android, shop, '/customer/lists', { as: await shop.signIn() });
  await see('New list');
  const prompt = offer();
  await see(installMessages.offer);
  expect(document.body.textContent).not.toContain(installMessages.toHomeScreen);
  await press(installMessages.install);
  await miss(title);
  expect(prompt).toHaveBeenCalledOnce();
});

test('‘Not now’ is for good on this device', async () => {
  const as = await shop.signIn();
  openOn(android, shop, '/customer/lists', { as });
  offer();
  await see(title);
  await press(installMessages.notNow);
  await miss(title);
  await tab.go('/contact');
  await see('Ask us about a spice');
  await tab.go('/customer/lists');
  await see('New list');
  offer();
  await miss(title);
});

test('it is never offered offline, and not on other pages', async () => {
  openOn(android, shop, '/customer/lists', { as: await shop.signIn() });
  offer();
  await see(title);
  await tab.setDown(true);
  await miss(title);
  await tab.setDown(false);
  await see(title);
  await tab.go('/contact');
  await see('Ask us about a spice');
  await miss(title);
});

test.each([{ standalone: true, maxTouchPoints: 5 }, { maxTouchPoints: 5 }])(
  'in the installed app, and where nothing can be installed, there is no offer: %o',
  async (facts) => {
    openOn(facts, shop, '/customer/lists', { as: await shop.signIn() });
    await see('New list');
    await miss(title);
  },
);

async function waitOffline(): Promise<void> {
  await see('Pepper');
  tab.network.isDown = true;
  await press('Add to cart');
  await see(queuedMessages.offline);
  await see(connectionMessages.unreachable);
}

test('Safari may delete the queue of a page that is not visited: the banner says so', async () => {
  const { id } = await shop.stock({ name: 'Pepper' });
  openOn(iphone, shop, `/customer/view/product/${id}`, { as: await shop.signIn() });
  await waitOffline();
  await see(connectionMessages.mayBeDeleted);
});

test.each([{ standalone: true, maxTouchPoints: 5 }, { maxTouchPoints: 0 }])(
  'an installed app and other browsers keep it, and no hint is shown: %o',
  async (facts) => {
    const { id } = await shop.stock({ name: 'Pepper' });
    openOn(facts, shop, `/customer/view/product/${id}`, { as: await shop.signIn() });
    await waitOffline();
    await miss(connectionMessages.mayBeDeleted);
  },
);
