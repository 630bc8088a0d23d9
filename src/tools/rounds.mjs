/** Which tests each round of src/tools/test.mjs runs, by the beginning of their names. */

/** What has a long form, or no short one: the long round runs these. tests/tools/rounds.test.ts finds one that is missing. */
export const longForms = [
  '.long.test.ts',
  'tests/sandbox/durability',
  'tests/server/db/migratesInUse',
  'tests/server/http/hostile',
  'tests/server/orders/everywhere',
  'tests/server/reports/reports',
  'tests/server/running/abuse',
  'tests/server/running/drill',
  'tests/server/running/kills',
  'tests/web/checkout/waitingPages',
  'tests/web/checkout/waitingProperty',
  'tests/web/outbox/lists',
  'tests/web/outbox/property',
  'tests/web/outbox/twoReleases',
];
/**
 * Of these, what asks whether a crowd is served in time: beside others it would be the machine's fault when it is not. It is
 * run by itself, in its short form too.
 */
export const alone = ['tests/server/running/abuse'];

/**
 * Of the API's tests, those to which another database makes no difference: they start one of their own, need none, or are
 * about a crowd, which is held back before the database.
 */
export const ownDatabase = [
  'tests/server/auth/fairQueue',
  'tests/server/db/openDatabase',
  'tests/server/db/ownPostgres',
  'tests/server/db/turns',
  'tests/server/http/contractBinding',
  'tests/server/http/csvTurns',
  'tests/server/http/keptUntilChanged',
  'tests/server/http/network',
  'tests/server/http/refusalPace',
  'tests/server/http/stalledReaders',
  'tests/server/pages/serviceWorker',
  'tests/server/payments/start',
  'tests/server/running/abuse',
  'tests/server/running/bundle',
  'tests/server/running/config',
  'tests/server/running/deploy',
  'tests/server/running/jobs.test',
  'tests/server/running/starters',
  'tests/server/security/loginCrowds',
  'tests/server/security/parts',
  'tests/server/security/patterns',
  'tests/server/security/table',
];
