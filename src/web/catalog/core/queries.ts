import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { pageSize } from '../../../shared/paging';
import { answer, api } from '../../server/client';
import { deviceFirst } from './deviceFirst';
import type { ListSearch } from './listSearch';

/** Array parameters as the contract has them: one parameter, with values separated by commas. */
export const querySerializer = { array: { style: 'form', explode: false } } as const;

/** Lists for shoppers show one card per group of sizes. Rule: docs/rules/catalog.md, Cards */
export const grouped = 'grouped' as const;

/** The products of a category that pass the filters, sorted, with the category and its facets. */
export const categoryProductsQuery = (categoryName: string, { page = 1, ...asked }: ListSearch) => {
  const list = definedOf(asked);
  return queryOptions({
    queryKey: ['products', categoryName, page, list],
    queryFn: deviceFirst(
      (device) => device.categoryProducts(categoryName, page - 1, pageSize, list),
      (signal) => {
        const params = { path: { categoryName }, query: { page: page - 1, size: pageSize, sizes: grouped, ...list } };
        return answer(api.GET('/public/products/category/{categoryName}', { params, querySerializer, signal }));
      },
    ),
  });
};

/** @returns the parameters that are set, as a query has them */
export const definedOf = <Search extends object>(search: Search) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Search]?: NonNullable<Search[Name]>;
  };

const shelfSize = 5;

/** The row of products on the home page. */
export const firstProductsQuery = queryOptions({
  queryKey: ['products', 'first'],
  queryFn: deviceFirst(
    (device) => device.firstProducts(shelfSize),
    async (signal) =>
      (await answer(api.GET('/public/products', { params: { query: { size: shelfSize, sizes: grouped } }, signal })))
        .products.content,
  ),
});

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: ['product', id],
    queryFn: deviceFirst(
      (device) => device.productOf(id),
      async (signal) => (await answer(api.GET('/public/products/{id}', { params: { path: { id } }, signal }))).product,
    ),
  });

/** @param slug of the present or a former readable address */
export const productBySlugQuery = (slug: string) =>
  queryOptions({
    queryKey: ['product', slug],
    queryFn: deviceFirst(
      (device) => device.productBySlug(slug),
      async (signal) =>
        (await answer(api.GET('/public/products/by-slug/{slug}', { params: { path: { slug } }, signal }))).product,
    ),
  });

/** Menus show at most 100 categories. Rule: docs/rules/catalog.md, Categories */
const categoriesShown = 100;

export const categoriesQuery = queryOptions({
  queryKey: ['categories'],
  queryFn: deviceFirst(
    (device) => device.allCategories(),
    async (signal) => {
      const params = { query: { size: categoriesShown } };
      return (await answer(api.GET('/public/categories', { params, signal }))).categories.content;
    },
  ),
});

type Category = Pick<Schema<'Category'>, 'name' | 'title' | 'picture'>;

/**
 * The two categories that always exist: shown until the server answers, or if it does not.
 * Rule: docs/rules/catalog.md, Categories
 */
const firstCategories: readonly Category[] = [
  { name: 'savory', title: null },
  { name: 'spices', title: null },
];

/** @returns all categories, the two first ones first */
export function useCategories(): readonly Category[] {
  const { data = firstCategories } = useQuery(categoriesQuery);
  return data;
}
