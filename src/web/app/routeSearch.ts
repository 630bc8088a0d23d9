import type { auditList } from '../../shared/auditList';
import { ownPath } from '../../shared/auth';
import type { SaidAtLogin } from '../../shared/authPages';
import { maxQuery } from '../../shared/catalog';
import type { discountsList } from '../../shared/discountsList';
import type { mailsList } from '../../shared/mailsList';
import type { messagesList } from '../../shared/messagesList';
import type { ordersList } from '../../shared/ordersList';
import { parsePage } from '../../shared/paging';
import type { productsList } from '../../shared/productsList';
import type { FilterOf } from '../../shared/staffList';
import type { usersList } from '../../shared/usersList';

type Raw = Record<string, unknown>;

/**
 * What stands behind the `?`, checked by hand so that zod stays out of the first load. A key that is left out would keep
 * its unchecked value (the router lays the result over what it parsed), so each is named, if only as undefined.
 */
export const pageSearch = (search: Raw): { page?: number | undefined } => {
  const page = parsePage(search['page']);
  return { page: page > 1 ? page : undefined };
};
export const redirectSearch = (search: Raw): { redirect?: string | undefined } => ({
  redirect: ownPath(text(search['redirect'])),
});
export const loginSearch = ({
  said,
  ...search
}: Raw): ReturnType<typeof redirectSearch> & { said?: SaidAtLogin | undefined } => ({
  ...redirectSearch(search),
  said: said === 'registered' || said === 'asked' ? said : undefined,
});
export const searchSearch = (search: Raw): { q?: string | undefined; page?: number | undefined } => {
  const q = text(search['q'])
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxQuery);
  return { q: q === '' ? undefined : q, ...pageSearch(search) };
};
/**
 * What the addresses of the back office hold: texts and lists of them, as `parseSearch` reads them. Each page checks its
 * own, since its rules are no part of the first load.
 */
export const adminSearch = <Path extends string>(search: Raw) =>
  ({ ...search, ...pageSearch(search) }) as AdminSearch<Path>;
type AdminSearch<Path extends string> = ReturnType<typeof pageSearch> & {
  [Name in Path extends keyof AdminNames ? AdminNames[Path] : never]?: string | string[] | undefined;
};
interface AdminNames {
  dashboard: 'period' | 'from' | 'to';
  products: ListNames | FilterOf<typeof productsList>;
  'product/category': ListNames;
  'user/management': ListNames | FilterOf<typeof usersList>;
  'ordered/products': ListNames | FilterOf<typeof ordersList>;
  'admin/holds': ListNames;
  'admin/reports': 'report' | 'period' | 'from' | 'to';
  'admin/discounts': ListNames | FilterOf<typeof discountsList>;
  'admin/messages': ListNames | FilterOf<typeof messagesList> | 'message';
  'admin/mail': ListNames | FilterOf<typeof mailsList>;
  'admin/delivery': 'method';
  'admin/tax': 'q' | 'collecting' | 'period' | 'from' | 'to';
  'admin/audit': ListNames | FilterOf<typeof auditList>;
}
type ListNames = 'q' | 'sort' | 'size';
/** A text with commas may be parsed as a list. */
export const text = (value: unknown) => [value ?? ''].flat().map(String).join(',');

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
    return text; // an incomplete percent code
  }
}
