/** Dates and times in the reader's time zone. For those of orders: src/web/ui/shopTime.ts. */
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const shortTime = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** @returns 'Nov 14, 2026' */
export const dayOf = (at: string): string => day.format(new Date(at));
/** @returns 'Nov 14, 2026, 10:42 AM' */
export const timeOf = (at: string): string => time.format(new Date(at));
/** @returns 'Nov 14' */
export const shortDayOf = (at: string): string => shortDay.format(new Date(at));
/** @returns 'Nov 14, 10:42 AM' */
export const shortTimeOf = (at: string): string => shortTime.format(new Date(at));

const named = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** @param from and `to` as 2026-11-01 @returns 'Nov 1, 2026' or 'Nov 1 – 20, 2026' */
export function daysInWords(from: string, to: string): string {
  const [first, last] = [new Date(from), new Date(to)];
  if (Number.isNaN(first.getTime()) || Number.isNaN(last.getTime())) return `${from} – ${to}`;
  return named.formatRange(first, last);
}
