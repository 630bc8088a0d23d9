import { expect } from 'playwright/test';
import { makeNextRelease, removeRelease } from '../e2e/nextRelease';
import { phone, until } from './tab';
import { test } from './walked';

test('a new version is offered, and taken when asked for', async ({ openBrowser, shop }) => {
  const { tab, forgive } = await openBrowser(phone);
  const next = await makeNextRelease();
  await tab.open('/');
  await tab.sees({ text: 'Saved for offline' }, 120_000);
  await tab.open('/products/spices');
  const version = () =>
    tab.run(() => /\/assets\/index-[^"']{1,60}\.js/.exec(document.documentElement.outerHTML)?.[0], null);
  const before = await version();
  await shop.restart(next);
  await forgive(/./); // the shop was away for a moment
  await tab.run(
    () => navigator.serviceWorker.getRegistration().then((found) => found?.update().then(() => true)),
    null,
  );
  await tab.sees({ text: 'A new version is ready.' });
  expect(await version()).toEqual(before);
  await tab.press({ role: 'button', name: 'Update' });
  await until('the new version', async () => (await version()) !== before);
  await tab.sees({ role: 'heading', name: 'Spices' });
  await tab.misses({ text: 'A new version is ready.' });
  await shop.restart();
  await forgive(/./);
  await removeRelease(next);
});
