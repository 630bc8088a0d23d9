/**
 * Engines and databases have several names for a time zone: Chromium lists `Asia/Calcutta`, Firefox `Asia/Kolkata`. The
 * shop stores one of them. Rule: docs/rules/back-office.md, Settings
 */

/** @returns the name that the shop stores for a zone; undefined when Intl does not know it */
export function canonicalTimeZone(name: string): string | undefined {
  const known = resolveTimeZone(name);
  return known && (ianaNames[known] ?? known);
}

/**
 * The available zones, sorted by name.
 * @param present the currently stored zone, which is included even if this browser does not know it
 */
export function timeZoneChoices(present: string): string[] {
  // Intl omits `UTC`
  const listed = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => canonicalTimeZone(name) ?? name);
  return [...new Set([...listed, present])].sort();
}

/** @returns the engine's name of the zone, with correct capitals; undefined if it is not a zone */
export function resolveTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Current IANA names of zones that Chromium and Node list under a former name. */
const ianaNames: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};
