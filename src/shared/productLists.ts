/**
 * Filters, sorts and pages lists of products. The server does the same in SQL; a device with a copy of the catalog gets
 * identical results from these functions.
 */
import type { FormName, ProductSort } from './catalog';
import type { Schema } from './contract';

type Product = Schema<'Product'>;

/** A filter in canonical form: each list is sorted, without duplicates; an empty list does not filter. */
export type Filter = {
  heat: number[];
  origin: string[];
  form: FormName[];
  allergens: string[];
  onSale: boolean;
  inStock: boolean;
};

/**
 * @param query already validated against the contract @returns the same result for the same values in any order
 * Rule: docs/rules/catalog.md, Filters
 */
export const filterOf = ({
  heat,
  origin,
  form,
  allergens,
  onSale = false,
  inStock = false,
}: Partial<Filter>): Filter => ({
  heat: canonical(heat),
  origin: canonical(origin),
  form: canonical(form),
  allergens: canonical(allergens?.map((allergen) => allergen.toLowerCase())),
  onSale,
  inStock,
});

type Filtered = Pick<Product, 'heatLevel' | 'origin' | 'form' | 'compareAtPrice' | 'allergens' | 'availability'>;

/** @returns whether the product passes the filter; allergens are compared without case */
export function passesFilter(product: Filtered, { heat, origin, form, allergens, onSale, inStock }: Filter): boolean {
  if (inStock && !product.availability) return false;
  if (onSale && !product.compareAtPrice) return false;
  if (form.length > 0 && !(product.form && form.includes(product.form))) return false;
  if (heat.length > 0 && (product.heatLevel === null || !heat.includes(product.heatLevel))) return false;
  if (origin.length > 0 && (product.origin === null || !origin.includes(product.origin))) return false;
  return !product.allergens.some((allergen) => allergens.includes(allergen.toLowerCase()));
}

/** @returns the filter options of a category, from all its products that are sold */
export const facetsOf = (products: readonly Product[]): Schema<'Facets'> =>
  presentFacets({
    heatLevels: canonical(products.flatMap(({ heatLevel }) => heatLevel ?? [])),
    origins: canonical(products.flatMap(({ origin }) => origin ?? [])),
    allergens: canonical(products.flatMap(({ allergens }) => allergens.map((allergen) => allergen.toLowerCase()))),
    forms: canonical(products.flatMap(({ form }) => form ?? [])),
    onSale: products.some(({ compareAtPrice }) => compareAtPrice),
  });

/** @returns the facets without those that no product has, as far as they may be missing */
export const presentFacets = ({ forms, onSale, ...facets }: Required<Schema<'Facets'>>): Schema<'Facets'> => ({
  ...facets,
  ...(forms.length > 0 && { forms }),
  ...(onSale && { onSale }),
});

/** Equal products, and how many there are. Those with the same `card` are counted as one. */
export type ProductGroup = Filtered & { products: number; card?: string | null | undefined };

/**
 * @param groups all products of a category
 * @param facets the values to count for
 * Rule: docs/rules/catalog.md, Filters
 */
export function countFilters(
  groups: readonly ProductGroup[],
  facets: Schema<'Facets'>,
  filter: Filter,
): Schema<'FilterCounts'> {
  const count = (changed: Partial<Filter>) => {
    const tried = { ...filter, ...changed };
    const passing = groups.filter((group) => passesFilter(group, tried));
    const cards = new Set(passing.flatMap(({ card }) => card ?? []));
    return passing.reduce((sum, { card, products }) => (card ? sum : sum + products), cards.size);
  };
  return {
    products: count({}),
    heatLevels: facets.heatLevels.map((level) => count({ heat: [level] })),
    origins: facets.origins.map((origin) => count({ origin: [origin] })),
    allergens: facets.allergens.map((allergen) => count({ allergens: [...filter.allergens, allergen] })),
    ...(facets.forms && { forms: facets.forms.map((form) => count({ form: [form] })) }),
    ...(facets.onSale && { onSale: count({ onSale: true }) }),
    inStock: count({ inStock: true }),
  };
}

/**
 * One product per group of sizes: the cheapest of those that can be bought now, else the cheapest.
 * @param products those of a list that pass its filter
 * @returns the shown products in the order of their cards
 * Rule: docs/rules/catalog.md, Cards
 */
export function cardsOf<One extends Product>(products: readonly One[], sort: ProductSort): One[] {
  const groups = new Map<string, One[]>();
  for (const product of products) {
    const group = product.sizeGroup ?? product.id;
    groups.set(group, [...(groups.get(group) ?? []), product]);
  }
  const order = comparatorOf[sort];
  const first = sort === 'newest' ? comparatorOf.featured : order;
  const isByShown = sort === 'price_asc' || sort === 'price_desc' || sort === 'heat' || sort === 'name';
  const cards = [...groups.values()].map((sizes) => {
    const shown = leastOf(sizes, byShown);
    return { shown, place: isByShown ? shown : leastOf(sizes, first) };
  });
  return cards.toSorted((one, other) => order(one.place, other.place)).map(({ shown }) => shown);
}

/**
 * One product per group of sizes, as in `cardsOf`.
 * @param found ranked, as in a search
 * @returns the shown products; a card stands where its first size does
 */
export function inCards<One extends Product>(found: readonly One[]): One[] {
  const cards = new Map<string, One>(); // keeps the order of the first sizes
  for (const product of found) {
    const group = product.sizeGroup ?? product.id;
    const shown = cards.get(group);
    if (!shown || byShown(product, shown) < 0) cards.set(group, product);
  }
  return [...cards.values()];
}

const byShown = (one: Product, other: Product) =>
  Number(other.availability) - Number(one.availability) || byPrice(one, other);

const leastOf = <One extends Product>(sizes: readonly One[], order: (one: One, other: One) => number): One =>
  sizes.reduce((least, size) => (order(size, least) < 0 ? size : least));

/** Comparators for `sort`. Rule: docs/rules/catalog.md, Sorting */
export const comparatorOf: Record<ProductSort, (one: Product, other: Product) => number> = {
  featured: (one, other) => byCreation(one, other),
  bestsellers: (one, other) => byFact(one, other, ({ bestsellerRank }) => bestsellerRank),
  newest: (one, other) => byCreation(other, one),
  price_asc: (one, other) => byPrice(one, other),
  price_desc: (one, other) => byPrice(other, one),
  heat: (one, other) => byFact(one, other, ({ heatLevel }) => heatLevel),
  name: (one, other) => compare(one.name.toLowerCase(), other.name.toLowerCase()) || compare(one.id, other.id),
};

const byPrice = (one: Product, other: Product) => compare(one.price, other.price) || compare(one.id, other.id);

/** Products without the fact come last. */
const byFact = (one: Product, other: Product, factOf: (product: Product) => number | null | undefined) =>
  compare(factOf(one) ?? Infinity, factOf(other) ?? Infinity) || byCreation(one, other);

/** Comparator for `sort`: the oldest first. */
export const byCreation = (one: Made, other: Made): number =>
  compare(one.createdAt, other.createdAt) || compare(one.id, other.id);

type Made = { createdAt: string; id: string };

/** Wraps one page of rows as in the contract. @param page from 0 */
export function cutPage<Row>(rows: readonly Row[], page: number, size: number) {
  const totalPages = Math.ceil(rows.length / size);
  const content = rows.slice(page * size, (page + 1) * size);
  return { content, pageable: { pageNumber: page, totalPages }, totalPages, totalElements: rows.length };
}

/** Sorts by code point, like the database. */
const canonical = <Value extends number | string>(values: readonly Value[] = []): Value[] =>
  [...new Set(values)].toSorted(compare);

const compare = <Value extends number | string>(one: Value, other: Value): number =>
  Number(one > other) - Number(one < other);
