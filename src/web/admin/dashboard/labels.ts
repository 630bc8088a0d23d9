import type { Bucket } from '../../../shared/dashboard';

const parts: Record<Bucket, Intl.DateTimeFormatOptions> = {
  hour: { hour: 'numeric' },
  day: { month: 'short', day: 'numeric' },
  week: { month: 'short', day: 'numeric' },
  month: { month: 'short' },
};

/** @param label in the shop's time zone, such as 2026-03-01 or 2026-03-01T14:00 @returns 'Mar 1', '2 PM' or 'Mar' */
export function pointLabel(label: string, bucket: Bucket): string {
  if (!label) return ''; // the chart calls this before it has points
  const at = new Date(label.includes('T') ? `${label}Z` : label);
  return new Intl.DateTimeFormat('en-US', { ...parts[bucket], timeZone: 'UTC' }).format(at);
}

/** Includes the year, because the same months appear in two consecutive years. */
export function longLabel(label: string, bucket: Bucket): string {
  if (!label) return '';
  const at = new Date(label.includes('T') ? `${label}Z` : label);
  const day = { month: 'short', day: 'numeric', year: 'numeric' } as const;
  const long =
    bucket === 'hour'
      ? { ...day, hour: 'numeric' as const }
      : bucket === 'month'
        ? ({ month: 'long', year: 'numeric' } as const)
        : day;
  return new Intl.DateTimeFormat('en-US', { ...long, timeZone: 'UTC' }).format(at);
}
