const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

/** @returns 'Nov 14, 2026' where the reader is */
export const orderDate = (at: string): string => date.format(new Date(at));
