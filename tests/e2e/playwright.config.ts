import { defineConfig } from 'playwright/test';

const { CI, SHOP_BROWSER } = process.env;

const eachScreen = '**/screens.spec.ts';
/** On a phone alone: neither what is kept, nor what the server draws, nor who is signed in depends on the screen. */
const onPhone = ['**/offline*.spec.ts', '**/rendering.spec.ts', '**/visitor.spec.ts'];

/** Started by src/tools/test.mjs, which finds the browser. A screen is looked at in both sizes at once, the rest in each. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../.cache/e2e',
  reporter: 'list',
  workers: 3, // each with a shop of its own; on two cores: much of a test is waiting
  retries: 0,
  timeout: 120_000, // many times what a test takes: a busy machine is no fault
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(CI),
  use: {
    serviceWorkers: 'block', // each test begins as a first visit; the offline ones say otherwise
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
    { name: 'screens', testMatch: eachScreen, fullyParallel: true },
    {
      name: 'phone',
      testIgnore: eachScreen,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
    { name: 'desktop', testIgnore: [eachScreen, ...onPhone], use: { viewport: { width: 1440, height: 900 } } },
  ],
});
