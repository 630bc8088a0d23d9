/**
 * `npm test` runs each check once; `npm run test:long` (TEST_LONG) the long forms: whole lists, many rounds, every screen
 * in every size. What has no short form stands in files called `*.long.test.ts`, which only the long tests run.
 */
export const isLong = Boolean(process.env['TEST_LONG']);
