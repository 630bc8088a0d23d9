import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { catalogStaffSays, productsChanged, type ProductsChangeName } from '../../../shared/catalogStaff';
import type { QueryOf, Schema } from '../../../shared/contract';
import { answer, api } from '../../api/client';
import { toast } from '../../ui/toast';
import { readCsv, staffKey, useStaffChange } from '../staffCalls';
import { asked, askedUncut, type FilterRules, matching, oneOf, type TableSearch } from '../table/tableSearch';

export type StaffProduct = Schema<'StaffProduct'>;

/** The filters of the list, by their keys in the address. The call has the same names. */
export const productFilters: FilterRules = {
  category: matching(/^[a-z0-9-]{1,40}$/),
  availability: oneOf(['available', 'notAvailable']),
  lowStock: oneOf(['true']),
  archived: oneOf(['yes', 'all']),
};
export const productSorts = ['name', 'price', 'availability', 'quantity', 'category'] as const;

type Filters = Pick<QueryOf<'exportProducts'>, 'category' | 'availability' | 'archived'> & { lowStock?: string };
const filtersOf = ({ filters }: TableSearch): QueryOf<'exportProducts'> => {
  const { category, availability, lowStock, archived } = filters as Filters;
  return {
    ...(category && { category }),
    ...(availability && { availability }),
    ...(lowStock && { lowStock: true }),
    ...(archived && { archived }),
  };
};

export const productsQuery = (search: TableSearch) =>
  queryOptions({
    queryKey: staffKey('products', search),
    queryFn: ({ signal }) =>
      answer(api.GET('/admin/products', { params: { query: { ...asked(search), ...filtersOf(search) } }, signal })),
    placeholderData: keepPreviousData,
  });

export const exportProducts = (search: TableSearch): Promise<string> =>
  readCsv(
    api.GET('/admin/products/export', {
      params: { query: { ...askedUncut(search), ...filtersOf(search) } },
      parseAs: 'text',
    }),
  );

/** While its new picture is being made, the product is asked for again each second. */
const pictureCheckMs = 1000;

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: staffKey('product', id),
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/admin/products/{id}', { params: { path: { id } }, signal }))).product,
    refetchInterval: ({ state }) => (state.data?.pictureUpload?.state === 'processing' ? pictureCheckMs : false),
  });

/** @param page from 1 */
export const stockQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: staffKey('stock', id, page),
    queryFn: ({ signal }) =>
      answer(api.GET('/admin/products/{id}/stock', { params: { path: { id }, query: { page: page - 1 } }, signal })),
    placeholderData: keepPreviousData,
  });

/** Up to a hundred. Source: specification §9 */
export const categoryChoicesQuery = () =>
  queryOptions({
    queryKey: staffKey('categories', 'all'),
    queryFn: async ({ signal }) => {
      const params = { query: { size: 100, sort: 'name' as const } };
      return (await answer(api.GET('/admin/categories', { params, signal }))).categories.content;
    },
  });

export const useCategoryChoices = () => useQuery(categoryChoicesQuery()).data ?? [];

/** Deletes a product and offers to take it back. Source: decisions §8 */
export function useArchiveProduct(onDone?: () => void) {
  const { mutate: restore } = useStaffChange({
    send: (id: string, { header }) =>
      answer(api.POST('/admin/products/{id}/restore', { params: { path: { id }, header } })),
    meta: catalogStaffSays.restoreProduct,
  });
  return useStaffChange({
    send: (id: string, { header }) => answer(api.DELETE('/admin/products/{id}', { params: { path: { id }, header } })),
    onSuccess: (_, id) => {
      toast.success(catalogStaffSays.archiveProduct.success, { label: 'Undo', onPress: () => restore(id) });
      onDone?.();
    },
    meta: { failure: catalogStaffSays.archiveProduct.failure },
  });
}

export function useRestoreProduct() {
  return useStaffChange({
    send: (id: string, { header }) =>
      answer(api.POST('/admin/products/{id}/restore', { params: { path: { id }, header } })),
    meta: catalogStaffSays.restoreProduct,
  });
}

const opposite: Record<ProductsChangeName, ProductsChangeName> = {
  archive: 'restore',
  restore: 'archive',
  makeAvailable: 'makeNotAvailable',
  makeNotAvailable: 'makeAvailable',
};

type Change = Schema<'ProductsChange'>;

/** Changes several products at once, all or none, and offers to undo it for those that it changed. */
export function useChangeProducts() {
  const send = async (body: Change, { header }: { header: { 'Idempotency-Key': string } }) =>
    answer(api.PUT('/admin/products/bulk', { params: { header }, body }));
  const { mutate: undo } = useStaffChange({
    send,
    onSuccess: ({ changedIds }, { change }) => toast.success(productsChanged(change, changedIds.length)),
    meta: catalogStaffSays.changeProducts,
  });
  return useStaffChange({
    send,
    onSuccess: ({ changedIds }, { change }) => {
      const sentence = productsChanged(change, changedIds.length);
      if (changedIds.length === 0) return toast.info(sentence);
      const onPress = () => undo({ ids: changedIds, change: opposite[change] });
      return toast.success(sentence, { label: 'Undo', onPress });
    },
    meta: catalogStaffSays.changeProducts,
  });
}
