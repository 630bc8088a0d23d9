import type { Bucket } from '../../../shared/dashboard';

const parts: Record<Bucket, Intl.DateTimeFormatOptions> = {
  hour: { hour: 'numeric' },
  day: { month: 'short', day: 'numeric' },
  week: { month: 'short', day: 'numeric' },
  month: { month: 'short' },
};

/** @param label as the shop's clock said, such as 2026-03-01 or 2026-03-01T14:00 @returns 'Mar 1', '2 PM' or 'Mar' */
export function pointLabel(label: string, bucket: Bucket): string {
  if (!label) return ''; // the chart asks before it has points
  const at = new Date(label.includes('T') ? `${label}Z` : label);
  return new Intl.DateTimeFormat('en-US', { ...parts[bucket], timeZone: 'UTC' }).format(at);
}

/** Two years in a row have the same months: the table says which. */
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
