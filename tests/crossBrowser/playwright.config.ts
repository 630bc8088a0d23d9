import { defineConfig } from 'playwright/test';
import type { EngineOptions } from './harness';

const { CI, SHOP_BROWSER, SHOP_FIREFOX, SHOP_WEBKIT, WALKS = '1' } = process.env;
const [iphone, keepsNothing, press] = ['**/iphone.spec.ts', '**/keepsNothing.spec.ts', '**/press.spec.ts'];
/** Run once, however often the rest is: the tests of the harness, and the long kitchen flow. */
const once = ['**/breaks.spec.ts', '**/hears.spec.ts', '**/kitchen.spec.ts', press];
const engines = [
  {
    name: 'firefox',
    testIgnore: [iphone],
    use: { engine: 'firefox' as const, program: SHOP_FIREFOX },
  },
  {
    name: 'webkit',
    // under WebDriver a press is no pointer event (webKitTab.ts); Playwright's own cannot disable storage
    testIgnore: [SHOP_WEBKIT ? press : keepsNothing],
    use: { engine: 'webkit' as const, program: SHOP_WEBKIT },
  },
  { name: 'chromium', testIgnore: [iphone, keepsNothing], use: { engine: 'chromium' as const, program: SHOP_BROWSER } },
];
const projects = engines.flatMap((engine) => [
  { ...engine, testIgnore: [...engine.testIgnore, ...once], repeatEach: Number(WALKS) },
  { ...engine, name: `${engine.name}, once`, testMatch: once },
]);

/** User flows in every engine. Started by src/tools/test.mjs, which finds the browsers. */
export default defineConfig<object, EngineOptions>({
  testDir: '.',
  outputDir: '../../.cache/engines',
  reporter: 'list',
  workers: 2,
  fullyParallel: true,
  retries: 0,
  timeout: 240_000, // many times what a flow takes: a busy machine is no fault
  forbidOnly: Boolean(CI),
  projects,
});
