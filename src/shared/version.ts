/** The version of the shop's software. tests/web/admin/settings.test.ts compares it with package.json and CHANGELOG.md. */
export const version = '1.0.0';
