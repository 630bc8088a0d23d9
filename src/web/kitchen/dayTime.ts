const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });
const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

/** @returns 'today, 8:12 AM', and of another day 'Nov 18, 2026': where the cook is, since it was their own doing */
export function dayTime(at: string | number, now: number = Date.now()): string {
  const when = new Date(at);
  return when.toDateString() === new Date(now).toDateString() ? `today, ${time.format(when)}` : date.format(when);
}

/** @returns 'Today', and of another day 'Nov 18, 2026' */
export const dateOf = (at: number, now: number = Date.now()): string =>
  new Date(at).toDateString() === new Date(now).toDateString() ? 'Today' : date.format(at);
