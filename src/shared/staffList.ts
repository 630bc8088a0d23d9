/**
 * A back office list is defined once, in `<things>List.ts`: its columns, filters, sorts and CSV file. The table, its
 * URL, the allowed sorts and the file use these names, labels and order. Each side adds one record with the same keys:
 * the web how to render a cell, the server the SQL to sort a column by and the content of a CSV cell. The contract is
 * written by hand; tests/shared/staffLists.test.ts keeps both consistent.
 * Rule: docs/rules/back-office.md, Lists
 */
import type { OperationId, QueryOf } from './contract';

export interface StaffList {
  /** The operation that reads a page. */
  call: OperationId;
  /** The heading: 'Orders'. */
  label: string;
  /** Label of the search box; without it the list has none. */
  searchLabel?: string;
  /** What the search finds, shown in the empty box instead of its label. */
  searchHint?: string;
  /** Whether the first column is the row number in the whole list. */
  isNumbered?: true;
  /** Table columns in order. The API sorts by the same column names. */
  columns: Readonly<Record<string, ListColumn>>;
  /** Further sort keys of the API. */
  otherSorts?: readonly string[];
  /** By their names in the page's URL, in the order of the chips. */
  filters: Readonly<Record<string, ListFilter>>;
  file?: ListFile;
}

interface ListColumn {
  label: string;
  isSortable?: true;
  /** Numbers are right-aligned. */
  isFigure?: true;
}

interface FilterFacts {
  /** Label of the chip; without it the filter has none. */
  label?: string;
  /** Whether its values are days from a first to a last one, such as '2026-11-01_2026-11-20', which can be chosen freely. */
  isOfDays?: true;
  /** Maps a value to parameters of the call. By default the value is sent under the filter's name. */
  sends?: (value: string) => object | undefined;
}
/** The allowed values with their labels, or a check where only the page knows the labels. Other values are ignored. */
type ListFilter = FilterFacts & ({ values: Readonly<Record<string, string>> } | { takes: (text: string) => boolean });

interface ListFile {
  /** The operation that exports the filtered list. */
  call: OperationId;
  /** 'orders' for orders.csv */
  name: string;
  /** Prefix of the audit log action: 'orders' for `orders.exported`. */
  loggedAs: string;
  /** In the order of the file. Products use those of `productFields`. */
  headers?: Readonly<Record<string, string>>;
  /** The forms that it is offered in; without them it has one. */
  forms?: readonly FileForm[];
}

export interface FileForm {
  label: string;
  /** 'order-lines' for order-lines.csv */
  name: string;
  /** As the call's parameter `form`; left out, the call answers its first form. */
  form?: string;
}

export type ColumnOf<List extends StaffList> = keyof List['columns'] & string;
export type FilterOf<List extends StaffList> = keyof List['filters'] & string;
export type HeaderOf<List extends { file: { headers: object } }> = keyof List['file']['headers'] & string;

/** The sort keys of the API. */
export type SortOf<List extends StaffList> =
  | NamesOf<List['columns'], { isSortable: true }>
  | (List extends { otherSorts: readonly (infer Name extends string)[] } ? Name : never);

/** Filters whose values only the page knows. */
export type OpenFilterOf<List extends StaffList> = NamesOf<List['filters'], { label: string; takes: unknown }>;

type NamesOf<Facts, Kind> = { [Name in keyof Facts]: Facts[Name] extends Kind ? Name : never }[keyof Facts] & string;

/** The values of the filters that are set. */
export type FilterValues<List extends StaffList> = {
  readonly [Name in FilterOf<List>]?: List['filters'][Name] extends { values: infer Words }
    ? keyof Words & string
    : string;
};

/** The query of the list's call. */
export type ListQuery<List extends StaffList> = QueryOf<List['call']>;

/** @returns the columns that the table can be sorted by */
export const sortableColumns = ({ columns }: StaffList): string[] =>
  Object.keys(columns).filter((name) => columns[name]?.isSortable);

/** @returns whether a text from the URL is a value of the filter */
export const isValueOf = (filter: ListFilter, text: string): boolean =>
  'values' in filter ? Object.hasOwn(filter.values, text) : filter.takes(text);

/** @returns the parameters of the list's call for the filters that are set */
export function sentFilters<List extends StaffList>({ filters }: List, values: FilterValues<List>): object {
  const sent = Object.entries<string | undefined>(values).map(([name, value]) => {
    const sends = filters[name]?.sends;
    return value === undefined ? {} : sends ? sends(value) : { [name]: value };
  });
  return Object.assign({}, ...sent) as object;
}

export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** @returns whether a filter's text may be a value that staff typed */
export const isTextUpTo =
  (length: number) =>
  (text: string): boolean =>
    text.length <= length && !/\p{Cc}/u.test(text);

/** Parses the first and last day from a list's URL: '2026-11-01_2026-11-20'. */
export function parseDays(text: string | undefined): { from: string; to: string } | undefined {
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})_(\d{4}-\d{2}-\d{2})$/.exec(text ?? '') ?? [];
  return from && to ? { from, to } : undefined;
}

const isDays = (text: string): boolean => {
  const { from = '', to = '' } = parseDays(text) ?? {};
  return !Number.isNaN(Date.parse(from) + Date.parse(to));
};

export const daysFilter = { label: 'Date', isOfDays: true, takes: isDays, sends: parseDays } as const;
