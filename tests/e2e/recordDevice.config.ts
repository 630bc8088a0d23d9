import { defineConfig } from 'playwright/test';
import config from './playwright.config';

/** Records tests/data/device-1 again: see the README there. */
export default defineConfig({
  ...config,
  testMatch: 'recordDevice.ts',
  testIgnore: [],
  projects: [{ name: 'record', use: { viewport: { width: 390, height: 844 }, hasTouch: true, timezoneId: 'UTC' } }],
});
