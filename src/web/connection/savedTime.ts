const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** @param savedAt in ms @returns 'Nov 14, 2026, 3:42 PM' */
export const savedTime = (savedAt: number): string => format.format(savedAt);
