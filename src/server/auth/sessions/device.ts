/** Browser and system in a few words, as a person would name the device: for the user's own list of sessions. */

const maxRead = 400;

/** Order matters: most browsers also claim to be those further down. */
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const;

/** @returns 'Firefox on Linux'; empty when nothing is recognized. No text of the header itself is stored. */
export function describeDevice(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, maxRead);
  const named = (names: readonly (readonly [string, string])[]) => names.find(([sign]) => text.includes(sign))?.[1];
  const [browser, system] = [named(browsers), named(systems)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? '';
}
