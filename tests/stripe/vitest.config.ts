import { defineConfig } from 'vitest/config';

/** Of `npm run test:stripe` alone: these tests need a key and the network, and are no part of `npm test`. */
export default defineConfig({
  test: {
    root: '.',
    globalSetup: 'tests/support/globalSetup.ts',
    include: ['tests/stripe/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
