/** Answers the catalog's queries from the device's own catalog, in the shapes of the contract. */
import type { ProductSort } from '../../../shared/catalog';
import type { DataOf, Schema } from '../../../shared/contract';
import {
  comparatorOf,
  countFilters,
  cutPage,
  facetsOf,
  type Filter,
  filterOf,
  passesFilter,
} from '../../../shared/productLists';
import { asCardProduct, chooseGoesWellWith } from '../../../shared/pairs';
import { asSize, bySize } from '../../../shared/sizes';
import { type DeviceCatalog, readCatalog } from '../../device/catalog';

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
    const products = sold
      .filter((product) => passesFilter(product, wanted))
      .toSorted(comparatorOf[sort])
      .map((product) => withCategory(catalog, product));
    const { id, title } = category;
    return { products: cutPage(products, page, size), category: { id, name, title }, facets: facetsOf(sold) };
  });

export const filterCounts = (name: string, filter: Partial<Filter>): FromDevice<Schema<'FilterCounts'>> =>
  fromCatalog((catalog) => {
    const category = catalog.categories.find((each) => each.name === name);
    const sold = soldOf(catalog, category?.id);
    const groups = sold.map((product) => ({ ...product, products: 1 }));
    return category && countFilters(groups, facetsOf(sold), filterOf(filter));
  });

const soldOf = ({ products }: DeviceCatalog, categoryId: string | undefined) =>
  products.filter(({ archived, productCategory }) => !archived && productCategory.id === categoryId);

export const firstProducts = (size: number): FromDevice<Schema<'Product'>[]> =>
  fromCatalog((catalog) =>
    catalog.products
      .filter(({ archived }) => !archived)
      .slice(0, size)
      .map((product) => withCategory(catalog, product)),
  );

export const bestsellers = (size: number): FromDevice<Schema<'Product'>[]> =>
  fromCatalog((catalog) =>
    catalog.products
      .filter(({ archived, availability }) => !archived && availability)
      .toSorted(comparatorOf.bestsellers)
      .slice(0, size)
      .map((product) => withCategory(catalog, product)),
  );

export const productOf = (id: string): FromDevice<Schema<'Product'>> =>
  fromCatalog((catalog) => wholeProduct(catalog, (each) => each.id === id.toLowerCase()));

/** A former address is only known to the server. */
export const productBySlug = (slug: string): FromDevice<Schema<'Product'>> =>
  fromCatalog((catalog) => wholeProduct(catalog, (each) => each.slug === slug.toLowerCase()));

function wholeProduct(catalog: DeviceCatalog, isIt: (product: Schema<'Product'>) => boolean) {
  const product = catalog.products.find(isIt);
  return (
    product && { ...withCategory(catalog, product), ...sizesOf(catalog, product), ...sameCategoryAs(catalog, product) }
  );
}

/** What is ordered together is only known to the server. */
function sameCategoryAs(catalog: DeviceCatalog, product: Schema<'Product'>) {
  if (product.archived) return undefined;
  const candidates = soldOf(catalog, product.productCategory.id).toSorted(comparatorOf.bestsellers);
  const goesWellWith = chooseGoesWellWith(product, candidates).map(asCardProduct);
  return goesWellWith.length > 0 && { goesWellWith };
}

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
