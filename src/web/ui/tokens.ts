/** Design tokens as Chakra writes them: each value in an object of its own. */
type Values = Record<string, { value: string }>;

export const values = (entries: Record<string, string>): Values =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, { value }]));

/** A token with a value by day and another one by night. */
export const lightDark = (_light: string, _dark: string) => ({ value: { _light, _dark } });
