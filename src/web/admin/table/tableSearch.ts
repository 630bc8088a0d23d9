import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { pageSize, parsePage } from '../../../shared/paging';

/** A filter as it is offered: its key in the address, and its values in words. */
export interface Filter {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
}

/** @returns each value that has a label, in the order of the labels */
export const optionsOf = (labels: Readonly<Record<string, string>>): Filter['options'] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** What can be asked of a list: filters, by their keys in the address, and the columns that it can be sorted by. */
export interface ListRules<Filters extends Texts, Sort extends string> {
  /** Which values each filter takes: any other counts as none. */
  filters: { readonly [Name in keyof Filters]: (text: string) => text is Filters[Name] };
  sorts: readonly Sort[];
}
type Texts = Record<string, string>;

/** What of a list is shown. All of it stands in the page's address, so that Back brings it back and a link shares it. */
export interface TableSearch<Filters extends Texts = Texts, Sort extends string = string> {
  q: string;
  /** A column, and whether the largest comes first; undefined for the server's own order. */
  sort: { id: Sort; desc: boolean } | undefined;
  /** From 1. */
  page: number;
  size: number;
  /** One value of each filter that is set. */
  filters: Readonly<Partial<Filters>>;
}
export type SearchOf<Rules> = Rules extends ListRules<infer Filters, infer Sort> ? TableSearch<Filters, Sort> : never;

export const pageSizes = [10, 25, 50, 100] as const;
const maxSearchLength = 100;

/** Other keys of the address are left alone. */
export const listRules = <const Filters extends Texts, const Sort extends string>(rules: ListRules<Filters, Sort>) =>
  rules;

export const oneOf =
  <const Value extends string>(values: readonly Value[]) =>
  (text: string): text is Value =>
    values.some((value) => value === text);
export const keyOf =
  <Key extends string>(labels: Readonly<Record<Key, unknown>>) =>
  (text: string): text is Key =>
    Object.hasOwn(labels, text);
export const passing =
  (test: (text: string) => boolean) =>
  (text: string): text is string =>
    test(text);

function parseTableSearch<Filters extends Texts, Sort extends string>(
  raw: Record<string, unknown>,
  { filters, sorts }: ListRules<Filters, Sort>,
): TableSearch<Filters, Sort> {
  const text = (name: string) => [raw[name] ?? ''].flat().map(String).join(',').trim();
  const size = Number(text('size'));
  const [, minus, column] = /^(-?)(.*)$/.exec(text('sort')) ?? [];
  const id = sorts.find((each) => each === column);
  const set: Partial<Filters> = {};
  for (const name in filters) {
    const value = text(name);
    if (value && filters[name](value)) set[name] = value;
  }
  return {
    q: text('q')
      .replace(/\p{Cc}/gu, '')
      .slice(0, maxSearchLength),
    sort: id && { id, desc: minus === '-' },
    page: parsePage(text('page')),
    size: pageSizes.find((each) => each === size) ?? pageSize,
    filters: set,
  };
}

/** @returns the list's part of a call's query; filters are added by who knows their kinds */
export function asked<Sort extends string>(search: TableSearch<Texts, Sort>) {
  return { ...askedUncut(search), page: search.page - 1, size: search.size };
}

/** The same without pages, for an export of all rows. */
export function askedUncut<Sort extends string>({ q, sort }: Pick<TableSearch<Texts, Sort>, 'q' | 'sort'>) {
  const direction = sort?.desc ? ('desc' as const) : ('asc' as const);
  return { ...(q && { q }), ...(sort && { sort: sort.id, direction }) };
}

type Change = Partial<Omit<TableSearch, 'filters'>> & { filters?: Readonly<Record<string, string | undefined>> };

/** @returns what the address says of the list, and how to change it: a change of anything but the page leads to the first */
export function useTableSearch<Filters extends Texts, Sort extends string>(rules: ListRules<Filters, Sort>) {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => parseTableSearch(raw, rules), [raw, rules]);
  const change = ({ filters, page, ...own }: Change, { replace = false } = {}) => {
    const first = page === undefined || page <= 1;
    // reads the URL at that moment, since a search waits for a pause in the typing
    const next = (before: object) => ({ ...before, ...inAddress(own), ...filters, page: first ? undefined : page });
    void navigate({ to: '.', search: next, replace, resetScroll: page !== undefined });
  };
  return [search, change, rules.sorts] as const;
}

/** What is as without saying stays out of the address. */
function inAddress({ q, size, ...own }: Omit<Change, 'filters' | 'page'>) {
  return {
    ...(q !== undefined && { q: q || undefined }),
    ...(size !== undefined && { size: size === pageSize ? undefined : String(size) }),
    ...('sort' in own && { sort: own.sort && `${own.sort.desc ? '-' : ''}${own.sort.id}` }),
  };
}

/** @returns which entry of the browser's history is shown: Back leads to the same one */
export const useHistoryKey = (): string =>
  useLocation({ select: ({ state }) => (state as { __TSR_key?: string }).__TSR_key ?? '' });
