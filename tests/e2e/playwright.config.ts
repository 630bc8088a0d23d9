import { defineConfig } from 'playwright/test';
import { isNightly } from '../support/nightly';

const { CI, SHOP_BROWSER } = process.env;

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const desktop = { viewport: { width: 1440, height: 900 } };
const flows = '**/flows/*.spec.ts';
const moreFlows = '**/flows/*.ci.spec.ts';
const offline = ['**/offline*.spec.ts', '**/kitchen.spec.ts'];
const staff = '**/admin*.spec.ts';
const shoppers = '**/storefront.spec.ts';
const screens = '**/screens.spec.ts';
const widths = '**/widths.spec.ts';

/** Each on its most common screen, a phone unless the list says otherwise; the slowest come first. */
const once = [
  { name: 'flows', testMatch: flows, testIgnore: moreFlows, use: phone },
  { name: 'moreFlows', testMatch: moreFlows, use: phone },
  { name: 'offline', testMatch: offline, testIgnore: flows, use: phone },
  { name: 'desktop', testMatch: staff, use: desktop },
  { name: 'phone', testIgnore: [...offline, staff, screens, widths, flows], use: phone },
];
/** In the others, storage, server rendering and login do not depend on the screen. */
const onTheOtherScreen = [
  { name: 'phone', testMatch: staff, use: phone },
  { name: 'desktop', testMatch: shoppers, use: desktop },
];

/** Started by src/tools/test.mjs, which finds the browser. */
export default defineConfig({
  testDir: '.',
  globalSetup: './runningShop.ts',
  outputDir: '../../.cache/e2e',
  reporter: 'list',
  workers: 2, // each with its own shop
  fullyParallel: true,
  retries: 0,
  timeout: 240_000, // many times what a test takes: a busy machine is no fault
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(CI),
  use: {
    serviceWorkers: 'block', // each test starts as a first visit, except the offline ones
    actionTimeout: 60_000, // otherwise a press on a missing element waits for the end of its test, and the reason is lost
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(SHOP_BROWSER && { executablePath: SHOP_BROWSER }),
      args: [
        '--no-sandbox', // root, as in most containers, gets none
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    ...(isNightly ? onTheOtherScreen : once),
    { name: 'screens', testMatch: screens },
    { name: 'widths', testMatch: widths },
  ],
});
