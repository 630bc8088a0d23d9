/** Installation hints for Safari, which has no install prompt. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { installMessages } from '../../../src/shared/install';
import { connectionMessages } from '../../../src/shared/connection';
import { offlineMessages } from '../../../src/shared/offline';
import { installMoment } from '../../../src/web/app/installMoment';
import { installOffer, storeInstallOffer } from '../../../src/web/app/installOffer';
import { db } from '../../../src/web/device/db';
import { openShop, type TestShop } from '../../support/shop';
import { miss, openTab, press, see, type Tab, until } from '../openTab';

let shop: TestShop;
let tab: Tab;
beforeAll(async () => (shop = await openShop()));
afterEach(async () => {
  tab.close();
  Reflect.deleteProperty(navigator, 'standalone');
  vi.restoreAllMocks();
  installOffer.use();
  await db.outbox.clear();
});
afterAll(() => shop.close());

/** @param standalone as Safari reports it; undefined in other browsers */
function openOn(facts: { standalone?: boolean; maxTouchPoints: number }, ...opening: Parameters<typeof openTab>): void {
  if ('standalone' in facts) Object.assign(navigator, { standalone: facts.standalone });
  vi.spyOn(navigator, 'maxTouchPoints', 'get').mockReturnValue(facts.maxTouchPoints);
  vi.spyOn(installMoment, 'get').mockReturnValue(true);
  tab = openTab(...opening);
}
const iphone = { standalone: false, maxTouchPoints: 5 };
const mac = { standalone: false, maxTouchPoints: 0 };

test.each([
  ['an iPhone or iPad', iphone, installMessages.toHomeScreen, installMessages.toDock],
  ['a Mac', mac, installMessages.toDock, installMessages.toHomeScreen],
])('on %s the card explains how to install the shop manually', async (_, facts, said, ofOthers) => {
  openOn(facts, shop, '/contact');
  await see(said);
  expect(document.body.textContent).not.toContain(ofOthers);
  expect(document.body.textContent).not.toContain(installMessages.loginAgain); // a visitor
});

test('a logged-in user reads that the app asks for the login again, since it shares nothing with the browser', async () => {
  openOn(iphone, shop, '/contact', { as: await shop.signIn() });
  await see(installMessages.loginAgain);
});

test('a browser’s own install prompt is used', async () => {
  openOn({ maxTouchPoints: 5 }, shop, '/contact');
  await see('Message');
  const prompt = async () => ({ outcome: 'accepted' }) as const;
  storeInstallOffer();
  window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt }));
  await see(installMessages.offer);
  expect(document.body.textContent).not.toContain(installMessages.toHomeScreen);
});

test.each([{ standalone: true, maxTouchPoints: 5 }, { maxTouchPoints: 5 }])(
  'in the installed app, and where nothing can be installed, there is no card: %o',
  async (facts) => {
    openOn(facts, shop, '/contact');
    await see('Message');
    await until(() => vi.mocked(installMoment.get).mock.calls.length > 0); // it is rendered, and is empty
    expect(document.body.textContent).not.toContain(installMessages.title);
  },
);

async function waitOffline(): Promise<void> {
  await see('Pepper');
  tab.network.isDown = true;
  await press('Add to cart');
  await see(offlineMessages.queued);
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
