/** Days of the calendar, as 2026-12-01, on the shop's own clock, and the moments at which they begin. */

/** @returns the day that it is at a moment, in a time zone */
export const dayAt = (moment: Date, timeZone: string): string => clockOf(timeZone).format(moment);

const hourMs = 3_600_000;

/**
 * @param day as 2026-12-01
 * @returns the first moment that has this date there: a day begins at one o'clock where the clocks leave out midnight
 */
export function startOfDay(day: string, timeZone: string): Date {
  const clock = clockOf(timeZone);
  let [before, begun] = [Date.parse(day) - 26 * hourMs, Date.parse(day) + 26 * hourMs];
  while (begun - before > 1) {
    const middle = Math.floor((before + begun) / 2);
    if (clock.format(middle) < day) before = middle;
    else begun = middle;
  }
  return new Date(begun);
}

/** @returns the day after, 2026-12-01 for 2026-11-30 */
export const nextDay = (day: string): string => new Date(Date.parse(day) + 24 * hourMs).toISOString().slice(0, 10);

const clockOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
