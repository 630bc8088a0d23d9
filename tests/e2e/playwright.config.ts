import { defineConfig } from 'playwright/test';

const { CI, SHOP_BROWSER } = process.env;

/** Started by src/tools/test.mjs, which finds the browser; two screens. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../.cache/e2e',
  reporter: 'list',
  workers: 2, // each with a shop of its own
  retries: 0,
  timeout: 60_000,
  forbidOnly: Boolean(CI),
  use: {
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
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
  ],
});
