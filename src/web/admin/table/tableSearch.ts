import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { pageSize, parsePage } from '../../../shared/paging';
import {
  type FilterValues,
  isValueOf,
  type ListQuery,
  type OpenFilterOf,
  sentFilters,
  sortableColumns,
  type StaffList,
} from '../../../shared/staffList';

/** A filter: its key in the URL, and its values with labels. */
export interface Filter {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** Whether any days can be chosen besides the options. */
  isOfDays?: boolean | undefined;
}

const optionsOf = (labels: Readonly<Record<string, string>>): Filter['options'] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/**
 * The list's filters as chips.
 * @param offered the values of filters that only the page knows; a filter without values gets no chip
 */
export const chipsOf = <List extends StaffList>(
  { filters }: List,
  offered: Readonly<Record<OpenFilterOf<List>, Filter['options'] | undefined>>,
): Filter[] =>
  Object.entries(filters).flatMap(([name, filter]) => {
    const options = 'values' in filter ? optionsOf(filter.values) : offered[name as OpenFilterOf<List>];
    const { label, isOfDays } = filter;
    return label !== undefined && options ? [{ name, label, options, isOfDays }] : [];
  });

/** The view of a list. All of it is in the page's URL, so that Back restores it and a link shares it. */
export interface TableSearch<List extends StaffList = StaffList> {
  q: string;
  /** The sorted column and its direction; undefined for the server's default order. */
  sort: { id: string; desc: boolean } | undefined;
  /** From 1. */
  page: number;
  size: number;
  filters: FilterValues<List>;
}

export const pageSizes = [10, 25, 50, 100] as const;
const maxSearchLength = 100;

/** Ignores other keys of the URL. */
function parseTableSearch<List extends StaffList>(raw: Record<string, unknown>, list: List): TableSearch<List> {
  const text = (name: string) => [raw[name] ?? ''].flat().map(String).join(',').trim();
  const q = text('q').replace(/\p{Cc}/gu, '');
  const size = Number(text('size'));
  const [, minus, column] = /^(-?)(.*)$/.exec(text('sort')) ?? [];
  const id = sortableColumns(list).find((each) => each === column);
  const set = Object.entries(list.filters).flatMap(([name, filter]) => {
    const value = text(name);
    return value && isValueOf(filter, value) ? [[name, value]] : [];
  });
  return {
    q: list.searchLabel ? q.slice(0, maxSearchLength) : '',
    sort: id === undefined ? undefined : { id, desc: minus === '-' },
    page: parsePage(text('page')),
    size: pageSizes.find((each) => each === size) ?? pageSize,
    filters: Object.fromEntries(set) as FilterValues<List>,
  };
}

/** @returns the call's query for one page */
export const pageQuery = <List extends StaffList>(list: List, search: TableSearch<List>): ListQuery<List> => ({
  ...exportQuery(list, search),
  page: search.page - 1,
  size: search.size,
});

/** The same without paging, for an export of all rows. A test checks the list's names against the contract. */
export function exportQuery<List extends StaffList>(list: List, { q, sort, filters }: TableSearch<List>) {
  const direction = sort?.desc ? ('desc' as const) : ('asc' as const);
  const order = sort && { sort: sort.id, direction };
  return { ...(q && { q }), ...order, ...sentFilters(list, filters) } as Omit<ListQuery<List>, 'page' | 'size'>;
}

type Change = Partial<Omit<TableSearch, 'filters'>> & { filters?: Readonly<Record<string, string | undefined>> };

/**
 * @returns the list's view from the URL, and a function that changes it; any change except of the page goes to the
 * first page
 */
export function useTableSearch<List extends StaffList>(list: List) {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => parseTableSearch(raw, list), [raw, list]);
  const change = ({ filters, page, ...own }: Change, { replace = false } = {}) => {
    const first = page === undefined || page <= 1;
    // reads the URL at call time, since a search waits for a pause in typing
    const next = (before: object) => ({ ...before, ...inAddress(own), ...filters, page: first ? undefined : page });
    void navigate({ to: '.', search: next, replace, resetScroll: page !== undefined });
  };
  return [search, change, list] as const;
}

/** Leaves default values out of the URL. */
function inAddress({ q, size, ...own }: Omit<Change, 'filters' | 'page'>) {
  return {
    ...(q !== undefined && { q: q || undefined }),
    ...(size !== undefined && { size: size === pageSize ? undefined : String(size) }),
    ...('sort' in own && { sort: own.sort && `${own.sort.desc ? '-' : ''}${own.sort.id}` }),
  };
}

/** @returns the key of the current history entry: Back leads to the same key */
export const useHistoryKey = (): string =>
  useLocation({ select: ({ state }) => (state as { __TSR_key?: string }).__TSR_key ?? '' });
