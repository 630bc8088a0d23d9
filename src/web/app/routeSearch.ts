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
 * Search parameters, validated by hand to keep zod out of the first load. Each key is set, if only to undefined: the
 * router merges the result over the parsed values, so an omitted key would keep its unvalidated value.
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
 * Search parameters of the back office: strings or lists of strings, as `parseSearch` returns them. Each page validates
 * its own, so that its rules aren't part of the first load.
 */
export const adminSearch = <Path extends string>(search: Raw) =>
  ({ ...search, ...pageSearch(search) }) as AdminSearch<Path>;
type AdminSearch<Path extends string> = ReturnType<typeof pageSearch> & {
  [Name in Path extends keyof AdminNames ? AdminNames[Path] : never]?: string | string[] | undefined;
};
export interface AdminNames {
  dashboard: 'period' | 'from' | 'to';
  products: ListNames | FilterOf<typeof productsList>;
  'admin/products/import': 'import' | 'step' | 'show';
  'product/category': ListNames;
  'user/management': ListNames | FilterOf<typeof usersList>;
  'ordered/products': ListNames | FilterOf<typeof ordersList>;
  'admin/orders/pick-list': 'ids';
  'admin/orders/packing-slips': 'ids';
  'admin/orders/ship': 'ids';
  'admin/holds': ListNames;
  'admin/reports': 'report' | 'period' | 'from' | 'to';
  'admin/reports/tax': 'period' | 'from' | 'to';
  'admin/reports/summary': 'by' | 'show' | 'period' | 'from' | 'to';
  'admin/discounts': ListNames | FilterOf<typeof discountsList>;
  'admin/messages': ListNames | FilterOf<typeof messagesList> | 'message';
  'admin/mail': ListNames | FilterOf<typeof mailsList>;
  'admin/delivery': 'method';
  'admin/tax': 'q' | 'collecting' | 'period' | 'from' | 'to';
  'admin/pages/$pageId': 'text';
  'admin/audit': ListNames | FilterOf<typeof auditList>;
}
type ListNames = 'q' | 'sort' | 'size';
/** A string with commas may have been parsed as a list. */
export const text = (value: unknown) => [value ?? ''].flat().map(String).join(',');

/**
 * Search parameters as plain text: `?page=2&heat=2,3&origin=The+Gambia`. The router's default is JSON, which would show
 * a list as `%5B2%2C3%5D` and parse a string of digits as a number. Each route converts to numbers and lists.
 */
type Search = Record<string, string | string[]>;

/** @returns per name its string, or the list of strings between commas; a comma inside a value is encoded as %2C */
export function parseSearch(text: string): Search {
  const search: Search = {};
  for (const pair of text.replace(/^\?/, '').split('&')) {
    const [name = '', ...rest] = pair.split('=');
    const values = rest.join('=').split(',').map(decode);
    if (name) search[decode(name)] = values.length > 1 ? values : (values[0] ?? '');
  }
  return search;
}

/** The inverse of parseSearch; undefined values are omitted. */
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
    return text; // an incomplete percent escape
  }
}
