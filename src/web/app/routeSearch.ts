import { ownPath } from '../../shared/auth';
import { maxQuery } from '../../shared/catalog';
import { parsePage } from '../../shared/paging';

/**
 * What stands behind the `?`, checked by hand so that zod stays out of the first load. A key that is left out would keep
 * its unchecked value (the router lays the result over what it parsed), so each is named, if only as undefined.
 */
export const pageSearch = (search: Record<string, unknown>): { page?: number | undefined } => {
  const page = parsePage(search['page']);
  return { page: page > 1 ? page : undefined };
};
export const redirectSearch = (search: Record<string, unknown>): { redirect?: string | undefined } => ({
  redirect: ownPath(text(search['redirect'])),
});
export const searchSearch = (
  search: Record<string, unknown>,
): { q?: string | undefined; page?: number | undefined } => {
  const q = text(search['q'])
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxQuery);
  return { q: q === '' ? undefined : q, ...pageSearch(search) };
};
/** Text with commas in it may arrive as a list. */
export const text = (value: unknown) => [value ?? ''].flat().map(String).join(',');
