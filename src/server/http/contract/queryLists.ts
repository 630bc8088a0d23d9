/**
 * Parses lists in a query, in OpenAPI's style `form` without `explode`: `?origin=Java%2C%20Indonesia,Ghana`. Splits before
 * decoding, so that a comma within a value is not a separator. A parameter may also be repeated.
 * @param url the raw URL with its query
 * @param names the parameters that are lists
 * @returns the lists that were sent; text that cannot be decoded is returned unchanged
 */
export function splitLists(url: string, names: readonly string[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {};
  const start = url.indexOf('?');
  if (start < 0) return lists;
  for (const pair of url.slice(start + 1).split('&')) {
    const [name = '', ...rest] = pair.split('=');
    const known = names.find((each) => each === decode(name));
    if (known) lists[known] = [...(lists[known] ?? []), ...rest.join('=').split(',').map(decode)];
  }
  return lists;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
