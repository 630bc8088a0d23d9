/** Answers the catalog's queries from the device's own catalog, in the shapes of the contract. */
import type { ProductSort } from '../../../shared/catalog';
import type { DataOf, Schema } from '../../../shared/contract';
import {
  cardsOf,
  comparatorOf,
  countFilters,
  cutPage,
  facetsOf,
  type Filter,
  filterOf,
  passesFilter,
} from '../../../shared/productLists';
import { asCardProduct, chooseGoesWellWith } from '../../../shared/pairs';
import { asSize, bySize } from '../../../shared/sizeGroups';
import { type DeviceCatalog, readCatalog } from '../../device/catalog';
import { readPage } from '../../device/pages';

/** Data from the device and its age; undefined if the device cannot answer. */
export type FromDevice<Data> = Promise<{ data: Data; asOf: number } | undefined>;

/** @param list the filter and the order */
export const categoryProducts = (
  name: string,
  page: number,
  size: number,
  { sort = 'featured', ...filter }: Partial<Filter> & { sort?: ProductSort },
): FromDevice<DataOf<'listProductsByCategory'>> =>
  fromCatalog((catalog) => {
    const category = catalog.categories.find((each) => each.name === name);
    if (!category) return undefined;
    const sold = soldOf(catalog, category.id);
    const wanted = filterOf(filter);
    const matching = sold.filter((product) => passesFilter(product, wanted));
    const { content, ...pages } = cutPage(cardsOf(matching, sort), page, size);
    const { id, title } = category;
    return {
      products: { content: content.map(asCard(catalog)), ...pages },
      category: { id, name, title },
      facets: facetsOf(sold),
    };
  });

export const filterCounts = (name: string, filter: Partial<Filter>): FromDevice<Schema<'FilterCounts'>> =>
  fromCatalog((catalog) => {
    const category = catalog.categories.find((each) => each.name === name);
    const sold = category ? soldOf(catalog, category.id) : [];
    const groups = sold.map((product) => ({ ...product, card: product.sizeGroup, products: 1 }));
    return category && countFilters(groups, facetsOf(sold), filterOf(filter));
  });

/** @param categoryId of one category; without it, those of all */
const soldOf = ({ products }: DeviceCatalog, categoryId?: string) =>
  products.filter(
    ({ archived, productCategory }) => !archived && (categoryId === undefined || productCategory.id === categoryId),
  );

/** The first cards, as on the home page. */
export const firstProducts = (size: number): FromDevice<Schema<'Product'>[]> =>
  fromCatalog((catalog) => firstCards(catalog, soldOf(catalog), 'featured', size));

export const bestsellers = (size: number): FromDevice<Schema<'Product'>[]> =>
  fromCatalog((catalog) => {
    const available = soldOf(catalog).filter(({ availability }) => availability);
    return firstCards(catalog, available, 'bestsellers', size);
  });

/** All products that are sold, each size on its own. */
export const soldProducts = (): FromDevice<Schema<'Product'>[]> =>
  fromCatalog((catalog) => soldOf(catalog).map((product) => withCategory(catalog, product)));

const firstCards = (
  catalog: DeviceCatalog,
  products: readonly Schema<'Product'>[],
  sort: ProductSort,
  size: number,
): Schema<'Product'>[] => cardsOf(products, sort).slice(0, size).map(asCard(catalog));

/** A page of the owner. */
export const pageAt = (slug: string): FromDevice<Schema<'ShopPage'>> => readPage(slug);

export const productOf = (id: string): FromDevice<Schema<'Product'>> =>
  fromCatalog((catalog) => wholeProduct(catalog, (each) => each.id === id.toLowerCase()));

/** A former address is only known to the server. */
export const productBySlug = (slug: string): FromDevice<Schema<'Product'>> =>
  fromCatalog((catalog) => wholeProduct(catalog, (each) => each.slug === slug.toLowerCase()));

function wholeProduct(catalog: DeviceCatalog, isIt: (product: Schema<'Product'>) => boolean) {
  const product = catalog.products.find(isIt);
  return product && { ...asCard(catalog)(product), ...sameCategoryAs(catalog, product) };
}

/** What is ordered together is only known to the server. */
function sameCategoryAs(catalog: DeviceCatalog, product: Schema<'Product'>) {
  if (product.archived) return undefined;
  const candidates = soldOf(catalog, product.productCategory.id).toSorted(comparatorOf.bestsellers);
  const goesWellWith = chooseGoesWellWith(product, candidates).map(asCardProduct);
  return goesWellWith.length > 0 && { goesWellWith };
}

/** @returns adds the current category and, if others of its group are sold, the sizes */
export const asCard =
  (catalog: DeviceCatalog) =>
  (product: Schema<'Product'>): Schema<'Product'> => ({
    ...withCategory(catalog, product),
    ...sizesOf(catalog, product),
  });

function sizesOf({ products }: DeviceCatalog, { archived, sizeGroup }: Schema<'Product'>) {
  if (archived || sizeGroup === undefined) return undefined;
  const sizes = products.filter((each) => each.sizeGroup === sizeGroup && !each.archived);
  return sizes.length > 1 && { sizes: sizes.map(asSize).toSorted(bySize) };
}

/** @returns the known products by id */
export const productsOf = (ids: readonly string[]): FromDevice<Map<string, Schema<'Product'>>> =>
  fromCatalog((catalog) => {
    const wanted = new Set(ids);
    const found = catalog.products.filter(({ id }) => wanted.has(id));
    return new Map(found.map((product) => [product.id, withCategory(catalog, product)]));
  });

/** @returns the products on sale of these groups of sizes */
export const productsOfGroups = (groups: ReadonlySet<string>): FromDevice<Schema<'Product'>[]> =>
  fromCatalog((catalog) =>
    catalog.products
      .filter(({ archived, sizeGroup }) => !archived && sizeGroup !== undefined && groups.has(sizeGroup))
      .map((product) => withCategory(catalog, product)),
  );

export const allCategories = (): FromDevice<Schema<'Category'>[]> =>
  fromCatalog(({ categories, products }) =>
    categories.map((category) => {
      const newest = products.findLast(
        ({ productCategory, picture, availability, archived }) =>
          productCategory.id === category.id && picture !== null && availability && !archived,
      );
      return { ...category, picture: newest?.picture ?? null };
    }),
  );

async function fromCatalog<Data>(find: (catalog: DeviceCatalog) => Data | undefined): FromDevice<Data> {
  const catalog = await readCatalog();
  const data = catalog && find(catalog);
  return catalog && data !== undefined ? { data, asOf: catalog.asOf } : undefined;
}

/** Adds the current category: the change feed sends a renamed category without its products. */
function withCategory({ categories }: DeviceCatalog, product: Schema<'Product'>): Schema<'Product'> {
  const category = categories.find(({ id }) => id === product.productCategory.id);
  if (!category) return product;
  const { id, name, title } = category;
  return { ...product, productCategory: { id, name, title } };
}
