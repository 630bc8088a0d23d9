import { queryOptions, useQuery } from '@tanstack/react-query';
import { catalogStaffMessages, productsChanged, type ProductsChangeName } from '../../../shared/catalogStaff';
import type { Schema } from '../../../shared/contract';
import { productsList } from '../../../shared/productsList';
import { toast } from '../../ui/toast';
import { answer, api } from '../../server/client';
import type { KeyHeader } from '../../server/keys';
import { readCsv, staffKey, useStaffChange, staffListQuery, staffQuery } from '../staffCalls';
import { pageQuery, exportQuery, type TableSearch } from '../table/tableSearch';

export type StaffProduct = Schema<'StaffProduct'>;

type Search = TableSearch<typeof productsList>;

export const productsQuery = (search: Search) =>
  staffListQuery(['products', search], (signal) =>
    answer(api.GET('/admin/products', { params: { query: pageQuery(productsList, search) }, signal })),
  );

/** Suppliers and tags, the most common first, with how many of the listed products have them. */
export const productFiltersQuery = (archived: Search['filters']['archived']) =>
  staffQuery(['productFilters', archived ?? 'no'], (signal) =>
    answer(api.GET('/admin/products/filters', { params: { query: archived ? { archived } : {} }, signal })),
  );

export const exportProducts = (search: Search): Promise<string> =>
  readCsv(api.GET('/admin/products/export', { params: { query: exportQuery(productsList, search) }, parseAs: 'text' }));

/** The product is polled at this interval while a new photo is processed. */
const pictureCheckMs = 1000;

const isProcessing = (product: StaffProduct | undefined): boolean =>
  product?.pictureUpload?.state === 'processing' ||
  product?.photos.some(({ state }) => state === 'processing') === true;

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: staffKey('product', id),
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/admin/products/{id}', { params: { path: { id } }, signal }))).product,
    refetchInterval: ({ state }) => (isProcessing(state.data) ? pictureCheckMs : false),
  });

/** @param page from 1 */
export const stockQuery = (id: string, page: number) =>
  staffListQuery(['stock', id, page], (signal) =>
    answer(api.GET('/admin/products/{id}/stock', { params: { path: { id }, query: { page: page - 1 } }, signal })),
  );

/** All categories, at most 100. Rule: docs/rules/catalog.md, Categories */
export const categoryChoicesQuery = () =>
  staffQuery(['categories', 'all'], async (signal) => {
    const params = { query: { size: 100, sort: 'name' as const } };
    return (await answer(api.GET('/admin/categories', { params, signal }))).categories.content;
  });

/** For showing category titles; while they load, callers fall back to the short name. */
export const useCategoryChoices = () => useQuery(categoryChoicesQuery()).data ?? [];

/** Deletes a product, with Undo. Rule: docs/rules/catalog.md, Deleting a product */
export function useArchiveProduct(onDone?: () => void) {
  const { mutate: restore } = useRestoreProduct();
  return useStaffChange({
    send: (id: string, { header }) => answer(api.DELETE('/admin/products/{id}', { params: { path: { id }, header } })),
    onSuccess: (_, id) => {
      toast.success(catalogStaffMessages.archiveProduct.success, { label: 'Undo', onPress: () => restore(id) });
      onDone?.();
    },
    meta: { failure: catalogStaffMessages.archiveProduct.failure },
  });
}

export function useRestoreProduct() {
  return useStaffChange({
    send: (id: string, { header }) =>
      answer(api.POST('/admin/products/{id}/restore', { params: { path: { id }, header } })),
    meta: catalogStaffMessages.restoreProduct,
  });
}

const opposite: Record<ProductsChangeName, ProductsChangeName> = {
  archive: 'restore',
  restore: 'archive',
  makeAvailable: 'makeNotAvailable',
  makeNotAvailable: 'makeAvailable',
};

type Change = Schema<'ProductsChange'>;

/** Changes several products, all or none, with Undo for those that were changed. */
export function useChangeProducts() {
  const send = async (body: Change, { header }: KeyHeader) =>
    answer(api.PUT('/admin/products/bulk', { params: { header }, body }));
  const { mutate: undo } = useStaffChange({
    send,
    onSuccess: ({ changedIds }, { change }) => toast.success(productsChanged(change, changedIds.length)),
    meta: catalogStaffMessages.changeProducts,
  });
  return useStaffChange({
    send,
    onSuccess: ({ changedIds }, { change }) => {
      const sentence = productsChanged(change, changedIds.length);
      if (changedIds.length === 0) return toast.info(sentence);
      const onPress = () => undo({ ids: changedIds, change: opposite[change] });
      return toast.success(sentence, { label: 'Undo', onPress });
    },
    meta: catalogStaffMessages.changeProducts,
  });
}
