import { makeNextRelease, removeRelease } from '../nextRelease';
import { expect, test } from '../offlineShop';
import { isSamePage, offer, untilTakenOver, waitForUpdate } from '../update';

test('the worker of a first visit stores the app; a new version is offered to the open page, and installed on request', async ({
  page,
  shop,
}) => {
  await shop.start();
  const next = await makeNextRelease();
  await page.goto('/products/spices');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));

  await shop.start({}, next);
  await waitForUpdate(page);
  await expect(offer(page)).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Ground Cayenne Pepper' }).click();
  const heading = page.getByRole('heading', { level: 1, name: 'Ground Cayenne Pepper' });
  await expect(heading).toBeVisible();
  expect(await isSamePage(page), 'an open page goes on as it was').toBe(true);
  const version = () => page.evaluate(findVendorPart);
  const before = await version();
  await page.getByRole('button', { name: 'Update' }).click();
  await untilTakenOver(page);
  await expect.poll(() => isSamePage(page)).toBe(false);
  await expect(heading).toBeVisible();
  expect(before).toMatch(/vendor-/);
  await expect.poll(version).toMatch(/vendor-/);
  expect(await version()).not.toEqual(before);
  await expect(offer(page)).toHaveCount(0);
  await shop.start();
  await removeRelease(next);
});

/** In the browser. @returns the file of this page's libraries, different for each release */
const findVendorPart = () =>
  performance.getEntriesByType('resource').find(({ name }) => /\/assets\/vendor-[^/]+\.js$/.test(name))?.name;
