/**
 * What stands behind the `?`, as plain text: `?page=2&heat=2,3&origin=The+Gambia`. The router's own way is JSON, which
 * would show a list as `%5B2%2C3%5D` and read a name of digits as a number. Each route makes numbers and lists of it.
 */
type Search = Record<string, string | string[]>;

/** @returns each name's text, or the texts between its commas; a comma of a text itself was written as %2C */
export function parseSearch(text: string): Search {
  const search: Search = {};
  for (const pair of text.replace(/^\?/, '').split('&')) {
    const [name = '', ...rest] = pair.split('=');
    const values = rest.join('=').split(',').map(decode);
    if (name) search[decode(name)] = values.length > 1 ? values : (values[0] ?? '');
  }
  return search;
}

/** The other way round; what is undefined is left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encode(name)}=${[value].flat().map(encode).join(',')}`],
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

const encode = (value: unknown) => encodeURIComponent(String(value)).replaceAll('%20', '+');

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text; // a half of a code, typed by hand
  }
}
