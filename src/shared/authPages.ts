/** The addresses of the pages of login and registration: apart from auth.ts, since the first load needs none of it. */

/** What the login says of the form that led to it, when that was sent without JavaScript. */
export type SaidAtLogin = 'registered' | 'asked';

type Search = { redirect?: string | undefined; said?: SaidAtLogin };

/** @returns the page's address, with what of `search` is there */
export function withSearch(path: string, search: Search): string {
  const query = Object.entries(search)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
  return query ? `${path}?${query}` : path;
}
