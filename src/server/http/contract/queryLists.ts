/**
 * Lists in a query, as OpenAPI's style `form` without `explode` writes them: `?origin=Java%2C%20Indonesia,Ghana`. The
 * commas between the values are told from those in a value before anything is decoded; a list may also be repeated.
 * @param url with its query, as it came
 * @param names of the parameters that are lists
 * @returns those that were sent; text that cannot be decoded stays as it is
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
