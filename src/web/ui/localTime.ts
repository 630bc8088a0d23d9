/** Times of this device's own actions and reads, in the device's time zone. For order times see shopTime.ts. */
const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });
const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const dayAndTime = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const dayMs = 24 * 60 * 60_000;
const near: Record<number, string> = { [-1]: 'yesterday at ', 0: '', 1: 'tomorrow at ' };

/** @param at in ms @returns 'Nov 20, 6:15 PM' */
export const dayTimeOf = (at: number): string => dayAndTime.format(at);

/** @param at in ms @returns '7:40 AM' for today, otherwise 'Nov 20, 7:40 AM' */
export const shortTime = (at: number, now: number = Date.now()): string =>
  daysFrom(now, at) === 0 ? time.format(at) : dayTimeOf(at);

/** @param at in ms @returns '7:40 AM' for today, 'tomorrow, 7:40 AM', 'Nov 14, 7:40 AM' */
export function nearTime(at: number, now: number = Date.now()): string {
  const day = near[daysFrom(now, at)];
  return day === undefined ? dayTimeOf(at) : `${day}${time.format(at)}`;
}

/** @param at in ms, or an ISO string @returns 'today, 8:12 AM', otherwise 'Nov 18, 2026' */
export function timeOrDate(at: number | string, now: number = Date.now()): string {
  const ms = new Date(at).getTime();
  return daysFrom(now, ms) === 0 ? `today at ${time.format(ms)}` : date.format(ms);
}

/** @param at in ms @returns 'Today', otherwise 'Nov 18, 2026' */
export const dateOf = (at: number, now: number = Date.now()): string =>
  daysFrom(now, at) === 0 ? 'Today' : date.format(at);

/** @returns the number of midnights in between; rounded, because daylight saving changes a day's length */
const daysFrom = (from: number, to: number): number => Math.round((midnight(to) - midnight(from)) / dayMs);
const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
