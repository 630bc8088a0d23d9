/**
 * Whether this is a nightly run (`npm run test:nightly`, TEST_NIGHTLY=1): long lists, many rounds, every screen in every
 * size. What has no short form is in files called `*.nightly.test.ts`, which `npm test` leaves out.
 */
export const isNightly = Boolean(process.env['TEST_NIGHTLY']);
