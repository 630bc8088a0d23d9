import { queryOptions } from '@tanstack/react-query';
import { pageSize } from '../../shared/paging';
import { answer, api } from '../api/client';

/** @param page from 1, as in the address of the page */
export const categoryProductsQuery = (categoryName: string, page: number) =>
  queryOptions({
    queryKey: ['products', categoryName, page],
    queryFn: async ({ signal }) => {
      const params = { path: { categoryName }, query: { page: page - 1, size: pageSize } };
      return (await answer(api.GET('/public/products/category/{categoryName}', { params, signal }))).products;
    },
  });

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: ['product', id],
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/public/products/{id}', { params: { path: { id } }, signal }))).product,
  });
