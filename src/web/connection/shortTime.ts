const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });
const dayAndTime = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** @returns 'Nov 20, 6:15 PM' */
export const dayTimeOf = (at: number): string => dayAndTime.format(at);

/** @returns '7:40 AM', and of another day 'Nov 20, 7:40 AM' */
export function shortTime(at: number, now: number = Date.now()): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? time.format(at) : dayTimeOf(at);
}
