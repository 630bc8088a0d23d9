import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { pageSize, parsePage } from '../../../shared/paging';

/** What of a list is shown. All of it stands in the page's address, so that Back brings it back and a link shares it. */
export interface TableSearch {
  q: string;
  /** A column's id with a minus before it for the largest first; undefined for the server's own order. */
  sort: string | undefined;
  /** From 1. */
  page: number;
  size: number;
  /** One value of each filter that is set. */
  filters: Readonly<Record<string, string>>;
}

export const pageSizes = [10, 25, 50, 100] as const;
const maxSearchLength = 100;

/** The filters of a list, by their keys in the address, and which values each takes: any other counts as none. */
export type FilterRules = Readonly<Record<string, (value: string) => boolean>>;

export const oneOf = (values: readonly string[]) => (value: string) => values.includes(value);
export const matching = (pattern: RegExp) => (value: string) => pattern.test(value);

/**
 * @param rules of its filters; other keys of the address are left alone
 * @param sortNames the columns that can be sorted by
 */
export function parseTableSearch(
  raw: Record<string, unknown>,
  rules: FilterRules,
  sortNames: readonly string[],
): TableSearch {
  const text = (name: string) => [raw[name] ?? ''].flat().map(String).join(',').trim();
  const size = Number(text('size'));
  const sort = text('sort');
  const filters = Object.entries(rules).flatMap(([name, takes]) =>
    text(name) && takes(text(name)) ? [[name, text(name)] as const] : [],
  );
  return {
    q: text('q')
      .replace(/\p{Cc}/gu, '')
      .slice(0, maxSearchLength),
    sort: sortNames.includes(sort.replace(/^-/, '')) ? sort : undefined,
    page: parsePage(text('page')),
    size: pageSizes.find((each) => each === size) ?? pageSize,
    filters: Object.fromEntries(filters),
  };
}

/** @returns the list's part of a call's query; filters are added by who knows their kinds */
export function asked({ q, sort, page, size }: TableSearch) {
  return { ...askedUncut({ q, sort }), page: page - 1, size };
}

/** The same without pages, for an export of all rows. The sort is one of the columns' names: that is checked already. */
export function askedUncut({ q, sort }: Pick<TableSearch, 'q' | 'sort'>) {
  const direction = sort?.startsWith('-') ? ('desc' as const) : ('asc' as const);
  return { ...(q && { q }), ...(sort && { sort: sort.replace(/^-/, '') as never, direction }) };
}

type Change = Partial<Omit<TableSearch, 'filters'>> & { filters?: Readonly<Record<string, string | undefined>> };

/** @returns what the address says of the list, and how to change it: a change of anything but the page leads to the first */
export function useTableSearch(rules: FilterRules, sortNames: readonly string[]) {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => parseTableSearch(raw, rules, sortNames), [raw, rules, sortNames]);
  const change = ({ filters, ...own }: Change, { replace = false } = {}) => {
    const { page = 1, ...others } = own;
    // of what the address says by then: a search waits for a pause in the typing
    const next = (before: Record<string, unknown>) => {
      const { size, q, ...rest } = { ...before, ...others, ...filters, page: page > 1 ? page : undefined };
      return { ...rest, ...(size !== pageSize && { size }), ...(q !== '' && { q }) };
    };
    void navigate({ to: '.', search: next as never, replace, resetScroll: 'page' in own });
  };
  return [search, change] as const;
}

/** @returns which entry of the browser's history is shown: Back leads to the same one */
export const useHistoryKey = (): string =>
  useLocation({ select: ({ state }) => (state as { __TSR_key?: string }).__TSR_key ?? '' });
