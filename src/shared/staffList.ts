/**
 * A list of the back office is defined once, in `<things>List.ts`: its columns, filters, sorts and CSV file. The table,
 * its address, the allowed sorts and the file take names, words and order from there. Each side adds one record with the
 * same names: the web how a cell looks, the server by which SQL a column is sorted and what a cell of the file holds. The
 * contract is written by hand; tests/shared/staffLists.test.ts holds the two together.
 * Rule: docs/rules/back-office.md, Lists
 */
import type { OperationId, QueryOf } from './contract';

export interface StaffList {
  /** Reads a page. */
  call: OperationId;
  /** What the rows are: 'Orders'. */
  label: string;
  /** The label of the search box; without it there is none. */
  searchLabel?: string;
  /** The first column is the row's number in the whole list. */
  isNumbered?: true;
  /** Of the table, in its order. A column's name is also the name by which the API sorts. */
  columns: Readonly<Record<string, ListColumn>>;
  /** What else the API sorts by. */
  otherSorts?: readonly string[];
  /** By their names in the page's address, in the order of the chips. */
  filters: Readonly<Record<string, ListFilter>>;
  file?: ListFile;
}

interface ListColumn {
  label: string;
  isSortable?: true;
  /** Figures stand at the right. */
  isFigure?: true;
}

interface FilterFacts {
  /** Of its chip; without it there is none. */
  label?: string;
  /** The call's parameters. Without it, the value is sent under the filter's own name. */
  sends?: (value: string) => object | undefined;
}
/** Its values with their words, or which values it takes where only the page knows the words. Any other counts as none. */
type ListFilter = FilterFacts & ({ values: Readonly<Record<string, string>> } | { takes: (text: string) => boolean });

interface ListFile {
  /** Exports what the list is filtered to. */
  call: OperationId;
  /** 'orders' for orders.csv */
  name: string;
  /** By which the audit log tells of an export: 'orders' for `orders.exported`. */
  loggedAs: string;
  /** In the order of the file. Products have those of `productFields`. */
  headers?: Readonly<Record<string, string>>;
}

export type ColumnOf<List extends StaffList> = keyof List['columns'] & string;
export type FilterOf<List extends StaffList> = keyof List['filters'] & string;
export type HeaderOf<List extends { file: { headers: object } }> = keyof List['file']['headers'] & string;

/** What the API sorts by. */
export type SortOf<List extends StaffList> =
  | NamesOf<List['columns'], { isSortable: true }>
  | (List extends { otherSorts: readonly (infer Name extends string)[] } ? Name : never);

/** The filters whose values only the page knows. */
export type OpenFilterOf<List extends StaffList> = NamesOf<List['filters'], { label: string; takes: unknown }>;

type NamesOf<Facts, Kind> = { [Name in keyof Facts]: Facts[Name] extends Kind ? Name : never }[keyof Facts] & string;

/** One value of each filter that is set. */
export type FilterValues<List extends StaffList> = {
  readonly [Name in FilterOf<List>]?: List['filters'][Name] extends { values: infer Words }
    ? keyof Words & string
    : string;
};

/** The query of the list's call. */
export type ListQuery<List extends StaffList> = QueryOf<List['call']>;

/** @returns what the table can be sorted by */
export const sortableColumns = ({ columns }: StaffList): string[] =>
  Object.keys(columns).filter((name) => columns[name]?.isSortable);

/** @returns whether a text of the address is a value of the filter */
export const isValueOf = (filter: ListFilter, text: string): boolean =>
  'values' in filter ? Object.hasOwn(filter.values, text) : filter.takes(text);

/** @returns the parameters of the list's call for what is set */
export function sentFilters<List extends StaffList>({ filters }: List, values: FilterValues<List>): object {
  const sent = Object.entries<string | undefined>(values).map(([name, value]) => {
    const sends = filters[name]?.sends;
    return value === undefined ? {} : sends ? sends(value) : { [name]: value };
  });
  return Object.assign({}, ...sent) as object;
}

export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Days from the first to the last, as a list's address has them: '2026-11-01_2026-11-20'. */
export function parseDays(text: string | undefined): { from: string; to: string } | undefined {
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})_(\d{4}-\d{2}-\d{2})$/.exec(text ?? '') ?? [];
  return from && to ? { from, to } : undefined;
}

const isDays = (text: string): boolean => {
  const { from = '', to = '' } = parseDays(text) ?? {};
  return !Number.isNaN(Date.parse(from) + Date.parse(to));
};

export const daysFilter = { label: 'Days', takes: isDays, sends: parseDays } as const;
