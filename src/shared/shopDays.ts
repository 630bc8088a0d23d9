/** Calendar days such as 2026-12-01 in the shop's time zone, and the moments when they start. */

/** @returns the calendar day of a moment in a time zone */
export const dayAt = (moment: Date, timeZone: string): string => clockOf(timeZone).format(moment);

const hourMs = 3_600_000;

/**
 * @param day as 2026-12-01
 * @returns the first moment of the day there: where clocks skip midnight, a day starts at one o'clock
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

/** @returns the next day, 2026-12-01 for 2026-11-30 */
export const nextDay = (day: string): string => new Date(Date.parse(day) + 24 * hourMs).toISOString().slice(0, 10);

const clockOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
