/** Limits and messages of the catalog. Rule: docs/rules/catalog.md, Limits */

/** A category's name is part of its URL: /products/{name}. */
export const categoryNamePattern = /^[a-z0-9-]{1,40}$/;

/** The titles of the two built-in categories, known before the first response of the server. */
const firstTitles: Record<string, string> = { savory: 'Savory & Seasoning', spices: 'Spices' };

/** Whether the menu has this category even before the server has answered. @param name of a category */
export const isFirstCategory = (name: string): boolean => Object.hasOwn(firstTitles, name);

/**
 * The display name of a category. Its `name` is a part of URLs.
 * @returns its title, else its name in words: 'Whole grains' for `whole-grains`
 * Rule: docs/rules/catalog.md, Categories
 */
export const categoryTitle = ({ name, title }: { name: string; title?: string | null | undefined }): string =>
  title ?? firstTitles[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');

/** The longest search text, in characters. The contract has the same limit. */
export const maxQuery = 100;

/** Pages show 'Only N left' at or below this many units. */
export const lowStock = 10;

/**
 * @param quantity whole units
 * @returns 'Out of Stock', 'Only 3 left', or undefined when more are left
 */
export function stockNote({ availability, quantity }: { availability: boolean; quantity: number }): string | undefined {
  if (!availability || quantity <= 0) return catalogMessages.outOfStock;
  return quantity <= lowStock ? onlyLeft(quantity) : undefined;
}

export const onlyLeft = (units: number): string => `Only ${units} left`;

/** @returns the country of an origin: 'Senegal' for 'Casamance, Senegal' */
export const countryOf = (origin: string): string => origin.slice(origin.lastIndexOf(',') + 1).trim();

/** The orders of a product list, as the menu names them. Rule: docs/rules/catalog.md, Sorting */
/** The forms of a product, as stored, with their labels. */
export const formLabels = {
  whole: 'Whole',
  ground: 'Ground',
  blend: 'Blend',
  paste: 'Paste',
  liquid: 'Liquid',
  leaf: 'Leaf',
} as const;
export type FormName = keyof typeof formLabels;

export const sortLabels = {
  featured: 'Featured',
  bestsellers: 'Bestsellers',
  newest: 'Newest',
  price_asc: 'Price, low to high',
  price_desc: 'Price, high to low',
  heat: 'Heat, mild to hot',
  name: 'Name, A to Z',
} as const;
export type ProductSort = keyof typeof sortLabels;

/** Messages of public pages. Messages that only staff see are in catalogStaff.ts, so public pages do not load them. */
export const catalogMessages = {
  listCategories: { success: 'Categories found', failure: 'Failed to fetch category' },
  getProduct: { success: 'Product found', failure: 'Failed to fetch product' },
  listProducts: { success: 'Products found', failure: 'Failed to fetch products' },
  listProductsByCategory: { success: 'Products found', failure: 'Failed to fetch products by category' },
  getCatalogChanges: { success: 'Changes found', failure: "Couldn't load the latest changes" },
  noProducts: 'No products found. Try another search or fewer filters.',
  pageMissing: "We couldn't find that page. Search for a product, or browse a category.",
  productNotFound: 'Product not found',
  noLongerSold: 'This product is no longer sold',
  outOfStock: 'Out of Stock',
} as const;
