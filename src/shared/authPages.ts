/** URLs of the login and registration pages. Separate from auth.ts because the first load needs none of them. */

/** Why the login page opened, when the user came from a form sent without JavaScript. */
export type SaidAtLogin = 'registered' | 'asked';

type Search = { redirect?: string | undefined; said?: SaidAtLogin };

/** @returns the page's URL with those parameters of `search` that are set */
export function withSearch(path: string, search: Search): string {
  const query = Object.entries(search)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
  return query ? `${path}?${query}` : path;
}
