import { useShopFacts } from './shopFacts';

/**
 * The times of an order: those of the shop, wherever it is read, with the name of its time zone.
 * Rule: docs/rules/screens.md, Money and dates
 */
export function useShopTime() {
  const timeZone = knownZone(useShopFacts().timeZone);
  return {
    /** @returns 'Nov 14, 2026, 10:42 AM EST' */
    timeOf: (at: string): string => told(at, { ...short, year: 'numeric', timeZone }),
    /** @returns 'Nov 14, 10:42 AM EST' */
    shortTimeOf: (at: string): string => told(at, { ...short, timeZone }),
  };
}

const short = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;

const told = (at: string, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', parts).format(new Date(at));

/** A zone may be younger than a browser, which would refuse to tell any time in it. */
export function knownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
