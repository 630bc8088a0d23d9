/**
 * Engines and databases know a time zone by several names: Chromium lists `Asia/Calcutta`, Firefox `Asia/Kolkata`. The
 * shop keeps one of them. Rule: docs/rules/back-office.md, Settings
 */

/** @returns the name under which the shop keeps a zone; undefined when Intl does not know it */
export function canonicalTimeZone(name: string): string | undefined {
  const known = resolveTimeZone(name);
  return known && (ianaNames[known] ?? known);
}

/**
 * The zones to choose from, by name.
 * @param present the one that is kept now, which is offered even where this browser does not know it
 */
export function timeZoneChoices(present: string): string[] {
  // Intl leaves `UTC` out of its list
  const listed = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => canonicalTimeZone(name) ?? name);
  return [...new Set([...listed, present])].sort();
}

/** @returns the name as this engine has it, in the right capitals; undefined for no zone */
export function resolveTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Today's IANA names of the zones that Chromium and Node list by a former one. */
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
