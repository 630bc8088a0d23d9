/**
 * Whether this is a nightly run (`npm run test:nightly`, TEST_NIGHTLY=1): long lists, many rounds, every screen in
 * every size. Tests without a short form are in `*.nightly.test.ts`, which `npm test` leaves out.
 */
export const isNightly = Boolean(process.env['TEST_NIGHTLY']);
