import { useShopFacts } from './shopFacts';

/**
 * Order times, always in the shop's time zone, with its name.
 * Rule: docs/rules/screens.md, Money and dates
 */
export function useShopTime() {
  const timeZone = knownZone(useShopFacts().timeZone);
  return {
    /** @returns 'Nov 14, 2026, 10:42 AM EST' */
    timeOf: (at: string): string => format(at, { ...short, year: 'numeric', timeZone }),
    /** @returns 'Nov 14, 10:42 AM EST' */
    shortTimeOf: (at: string): string => format(at, { ...short, timeZone }),
  };
}

const short = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

const format = (at: string, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', parts).format(new Date(at));

/** Falls back to UTC for a time zone newer than the browser, which would throw. */
export function knownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
