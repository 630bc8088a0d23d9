/** Where a user's small answers are in localStorage. */
export const savedKey = (userId: string): string => `answers:${userId}`;
