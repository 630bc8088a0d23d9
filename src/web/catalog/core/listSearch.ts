import { countryOf, formLabels, type FormName, type ProductSort, sortLabels } from '../../../shared/catalog';
import { parsePage } from '../../../shared/paging';

/**
 * The visible part of a category: one page of the products that pass its filters, sorted.
 * Rule: docs/rules/catalog.md, Filters, Sorting
 */
export interface ListSearch {
  /** From 1; omitted for the first page. */
  page?: number | undefined;
  /** Any of these. */
  heat?: number[] | undefined;
  /** Any of these. */
  origin?: string[] | undefined;
  /** Any of these. */
  form?: FormName[] | undefined;
  /** Matches products without any of these. */
  allergens?: string[] | undefined;
  /** Only products with a former price. */
  onSale?: true | undefined;
  /** Only what can be bought now. */
  inStock?: true | undefined;
  /** Omitted for the featured order. */
  sort?: ProductSort | undefined;
}

/**
 * Parsed by hand, to keep zod out of the first load. Drops what the server would reject, and normalizes each list:
 * sorted, without duplicates. A key that is missing here would keep its unchecked value.
 */
export function listSearch(search: Record<string, unknown>): ListSearch {
  const page = parsePage(search['page']);
  const heat = texts(search['heat']).filter((text) => /^[0-5]$/.test(text));
  const sort = String(search['sort']);
  return {
    page: page > 1 ? page : undefined,
    heat: orNone(heat.map(Number)),
    origin: orNone(texts(search['origin'], 80).slice(0, 30)),
    form: orNone(texts(search['form'], 6).filter((each) => Object.hasOwn(formLabels, each)) as FormName[]),
    allergens: orNone(texts(search['allergens'], 40).slice(0, 20)),
    onSale: isTrue(search['onSale']),
    inStock: isTrue(search['inStock']),
    sort: sort !== 'featured' && Object.hasOwn(sortLabels, sort) ? (sort as ProductSort) : undefined,
  };
}

/** How many filter values are chosen. Origins of one country count once, as in the filters. */
export const countFilters = ({
  heat = [],
  origin = [],
  form = [],
  allergens = [],
  onSale,
  inStock,
}: ListSearch): number =>
  heat.length +
  form.length +
  allergens.length +
  new Set(origin.map(countryOf)).size +
  Number(onSale ?? 0) +
  Number(inStock ?? 0);

const isTrue = (value: unknown): true | undefined => String(value) === 'true' || undefined;

const texts = (value: unknown, maxLength = 1): string[] => {
  const all = value === undefined ? [] : [value].flat().map(String);
  return [...new Set(all)]
    .filter((text) => text.length > 0 && text.length <= maxLength && !/\p{Cc}/u.test(text))
    .sort();
};

const orNone = <Value>(values: Value[]): Value[] | undefined => (values.length > 0 ? values : undefined);
