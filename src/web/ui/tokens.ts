/** Chakra's token format: each value in its own object. */
type Values = Record<string, { value: string }>;

export const values = (entries: Record<string, string>): Values =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, { value }]));

/** A token with one value for light mode and one for dark mode. */
export const lightDark = (_light: string, _dark: string) => ({ value: { _light, _dark } });
