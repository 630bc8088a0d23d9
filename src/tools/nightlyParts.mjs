/**
 * The parts of the nightly tests, by name: their tests, and the code they cover. A change of either makes the part due.
 * `by` is the way to run it (nightly.mjs).
 */
const device = ['src/web/outbox', 'src/web/device', 'src/web/server', 'src/web/browser', 'sw'];

export const nightlyParts = {
  abuse: {
    by: 'vitest',
    tests: [
      'tests/server/running/abuse',
      'tests/server/running/pageRendering',
      'tests/server/security/loginCrowds',
      'tests/server/http/stalledReaders',
      'tests/server/contact/page',
    ],
    proves: ['src/server/http', 'src/server/auth/core/attemptLimits.ts', 'tests/security'],
  },
  kills: {
    by: 'vitest',
    tests: ['tests/server/running/kills', 'tests/server/running/processes', 'tests/chaos'],
    proves: [
      'src/server/main.ts',
      'src/server/process/shop.ts',
      'src/server/db',
      'src/server/orders',
      'src/server/payments',
    ],
  },
  chaos: {
    by: 'vitest',
    tests: ['tests/server/running/chaos', 'tests/chaos'],
    proves: ['src/server/orders', 'src/server/payments', 'src/server/discounts', 'src/server/stock'],
  },
  starters: {
    by: 'vitest',
    tests: ['tests/server/running/starters', 'tests/server/running/startup'],
    proves: ['src/tools/start.mjs', 'src/tools/endWithParent.mjs', 'src/server/main.ts', 'src/server/core/config.ts'],
  },
  database: {
    by: 'vitest',
    tests: [
      'tests/server/db/embeddedPostgres',
      'tests/server/db/openDatabase',
      'tests/server/db/appLogin',
      'tests/server/db/storageCases',
      'tests/server/db/turns',
      'tests/server/security/database',
      'tests/server/running/jobRunner',
      'tests/server/pictures/s3',
    ],
    proves: ['src/server/db', 'src/server/jobs/runnerSupervisor.ts'],
  },
  backups: {
    by: 'vitest',
    tests: ['tests/server/backup'],
    proves: ['src/server/backup', 'src/server/db/migrations', 'src/server/catalog/feed.ts'],
  },
  payments: {
    by: 'vitest',
    tests: [
      'tests/server/payments/',
      'tests/server/orders/',
      'tests/server/reports/',
      'tests/server/dashboard/',
      'tests/server/tax/',
      'tests/sandbox/',
    ],
    proves: [
      'src/server/payments',
      'src/server/orders',
      'src/server/reports',
      'src/server/tax',
      'src/sandbox',
      'src/shared/total.ts',
    ],
  },
  hostile: {
    by: 'vitest',
    tests: [
      'tests/server/http/hostile',
      'tests/server/http/contract',
      'tests/server/http/csv',
      'tests/server/security/patterns',
      'tests/support/hostile',
      'tests/data',
      'tests/server/catalog/search',
      'tests/web/admin/productImport',
    ],
    proves: ['src/server/http', 'openapi', 'src/server/catalog', 'src/shared/search.ts', 'src/web/admin/imports'],
  },
  imports: {
    by: 'vitest',
    tests: ['tests/server/imports/oldShops', 'tests/server/running/importKills', 'tests/web/catalog/unitPrices'],
    proves: [
      'src/server/imports',
      'src/server/pictures',
      'src/server/catalog',
      'src/shared/unitPrice.ts',
      'tests/chaos/importKills.ts',
      'tests/support/oldShops.ts',
    ],
  },
  outbox: {
    by: 'vitest',
    tests: ['tests/web/outbox/'],
    proves: device,
  },
  waitingOrder: {
    by: 'vitest',
    tests: ['tests/web/checkout/waiting'],
    proves: ['src/web/checkout', 'src/web/waiting', 'src/shared/intent.ts'],
  },
  screens: {
    by: 'browser',
    tests: ['tests/e2e/screens', 'tests/e2e/screens.spec.ts'],
    proves: ['src/web/ui', 'src/web/app'],
  },
  widths: {
    by: 'browser',
    tests: ['tests/e2e/screens/', 'tests/e2e/widths.spec.ts'],
    proves: ['src/web'],
  },
  crossBrowser: {
    by: 'crossBrowser',
    tests: ['tests/crossBrowser'],
    proves: device,
  },
};
