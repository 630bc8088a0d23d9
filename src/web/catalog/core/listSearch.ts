import { parsePage } from '../../../shared/paging';

/**
 * The visible part of a category: one page of the products that pass its filters. Rule: docs/rules/catalog.md, Filters
 */
export interface ListSearch {
  /** From 1; omitted for the first page. */
  page?: number | undefined;
  /** Any of these. */
  heat?: number[] | undefined;
  /** Any of these. */
  origin?: string[] | undefined;
  /** Matches products without any of these. */
  allergens?: string[] | undefined;
}
export type FilterName = 'heat' | 'origin' | 'allergens';

/**
 * Parsed by hand, to keep zod out of the first load. Drops what the server would reject, and normalizes each list:
 * sorted, without duplicates. A key that is missing here would keep its unchecked value.
 */
export function listSearch(search: Record<string, unknown>): ListSearch {
  const page = parsePage(search['page']);
  const heat = texts(search['heat']).filter((text) => /^[0-5]$/.test(text));
  return {
    page: page > 1 ? page : undefined,
    heat: orNone(heat.map(Number)),
    origin: orNone(texts(search['origin'], 80).slice(0, 30)),
    allergens: orNone(texts(search['allergens'], 40).slice(0, 20)),
  };
}

export const isFiltered = ({ heat, origin, allergens }: ListSearch): boolean => Boolean(heat ?? origin ?? allergens);

/** @returns the search with one filter value added or removed, back on the first page */
export function withFilter(search: ListSearch, name: FilterName, value: string | number, isOn: boolean): ListSearch {
  const others = (search[name] ?? []).filter((each) => each !== value);
  return listSearch({ ...search, page: undefined, [name]: isOn ? [...others, value] : others });
}

const texts = (value: unknown, maxLength = 1): string[] => {
  const all = value === undefined ? [] : [value].flat().map(String);
  return [...new Set(all)]
    .filter((text) => text.length > 0 && text.length <= maxLength && !/\p{Cc}/u.test(text))
    .sort();
};

const orNone = <Value>(values: Value[]): Value[] | undefined => (values.length > 0 ? values : undefined);
