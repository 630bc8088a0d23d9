import { expect } from 'playwright/test';
import { makeNextRelease, removeRelease } from '../e2e/nextRelease';
import { phone, until } from './tab';
import { test } from './harness';

/** Sooner than the shop gives up. */
const endAfterMs = 4000;

test('a new version is offered, and installed on request', async ({ openBrowser, shop }) => {
  const { tab, forgive } = await openBrowser(phone);
  const next = await makeNextRelease();
  await tab.open('/');
  await tab.sees({ text: 'Saved for offline' }, 120_000);
  await tab.open('/products/spices');
  const version = () =>
    tab.run(() => /\/assets\/index-[^"']{1,60}\.js/.exec(document.documentElement.outerHTML)?.[0], null);
  const before = await version();
  await shop.restart(next);
  await tab.run(
    () => navigator.serviceWorker.getRegistration().then((found) => found?.update().then(() => true)),
    null,
  );
  await tab.sees({ text: 'An update is ready.' });
  await forgive(/./); // the shop was away for a moment
  expect(await version()).toEqual(before);
  await tab.press({ role: 'button', name: 'Update' });
  const pressedAt = Date.now();
  await until('the new version', async () => {
    if ((await version()) !== before) return true;
    // Chromium may have restarted the former worker once more: the new one then waits for minutes
    if (Date.now() - pressedAt > endAfterMs) await tab.endWorkers();
    return false;
  });
  await tab.sees({ role: 'heading', name: 'Spices' });
  await tab.misses({ text: 'An update is ready.' });
  await shop.restart();
  await forgive(/./);
  await removeRelease(next);
});
