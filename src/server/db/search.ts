/** @returns a pattern for `like` and `ilike` that finds these very letters anywhere in a text */
export const containsText = (letters: string): string => `%${letters.replace(/[\\%_]/g, '\\$&')}%`;
