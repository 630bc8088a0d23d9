const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });
const dayAndTime = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const days: Record<number, string> = { [-1]: 'yesterday, ', 0: '', 1: 'tomorrow, ' };

/** @param ms a time of this device @returns '7:40 AM' of today, 'tomorrow, 7:40 AM', 'Nov 14, 7:40 AM' */
export function dayTime(ms: number, now = Date.now()): string {
  const day = days[Math.round((midnight(ms) - midnight(now)) / dayMs)];
  return day === undefined ? dayAndTime.format(ms) : `${day}${time.format(ms)}`;
}

const dayMs = 24 * 60 * 60_000;
/** One day is an hour longer or shorter, where the clock is changed. */
const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
