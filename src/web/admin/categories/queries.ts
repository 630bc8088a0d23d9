import { catalogStaffMessages, categoriesChanged } from '../../../shared/catalogStaff';
import { categoriesList } from '../../../shared/categoriesList';
import type { Schema } from '../../../shared/contract';
import { answer, api } from '../../server/client';
import { keyOfPart } from '../keyOfPart';
import { changedFields } from '../changedFields';
import { readCsv, useStaffChange, staffListQuery, staffQuery } from '../staffCalls';
import { pageQuery, exportQuery, type TableSearch } from '../table/tableSearch';
import { useBulkChange } from '../table/useBulkChange';

type Search = TableSearch<typeof categoriesList>;

export const staffCategoriesQuery = (search: Search) =>
  staffListQuery(['categories', search], async (signal) => {
    const query = pageQuery(categoriesList, search);
    return (await answer(api.GET('/admin/categories', { params: { query }, signal }))).categories;
  });

export const exportCategories = (search: Search): Promise<string> =>
  readCsv(
    api.GET('/admin/categories/export', { params: { query: exportQuery(categoriesList, search) }, parseAs: 'text' }),
  );

export const categoryQuery = (id: string) =>
  staffQuery(
    ['category', id],
    async (signal) => (await answer(api.GET('/admin/categories/{id}', { params: { path: { id } }, signal }))).category,
  );

export function useCreateCategory() {
  return useStaffChange({
    send: (body: Schema<'CategoryForm'>, { header }) =>
      answer(api.POST('/admin/categories/create', { params: { header }, body })),
    meta: catalogStaffMessages.createCategory,
  });
}

/**
 * Sends only the fields changed in the form, on top of the category's current values. The body depends on what was just
 * read, so a repeated call keeps its idempotency key only with the same body.
 * @param before the form's initial values
 */
export function useUpdateCategory(id: string, before: Schema<'CategoryForm'>) {
  return useStaffChange({
    send: async (form: Schema<'CategoryForm'>, keyed) => {
      const params = { path: { id } };
      const { name, description, title } = (await answer(api.GET('/admin/categories/{id}', { params }))).category;
      const body = { name, description, title, ...changedFields(before, form) };
      const keyedByBody = { params: { ...params, ...keyOfPart(keyed, JSON.stringify(body)) }, body };
      return answer(api.PUT('/admin/categories/{id}', keyedByBody));
    },
    meta: catalogStaffMessages.updateCategory,
  });
}

/** Undo recreates a deleted category under the same id, because discount codes and reports refer to it. */
interface Deletion {
  id: string;
  former?: Schema<'CategoryForm'>;
}

/**
 * Deletes one or several categories, each only if it has no products, and offers Undo.
 * Rule: docs/rules/catalog.md, Categories
 */
export function useDeleteCategories(onDone?: () => unknown) {
  return useBulkChange({
    change: async ({ id, former }: Deletion, { header }): Promise<Deletion> => {
      if (former) {
        await answer(api.POST('/admin/categories/create', { params: { header }, body: { ...former, id } }));
        return { id };
      }
      const params = { path: { id } };
      const { name, description, title } = (await answer(api.GET('/admin/categories/{id}', { params }))).category;
      await answer(api.DELETE('/admin/categories/{id}', { params: { ...params, header } }));
      return { id, former: { name, description, title } };
    },
    sentence: (count, [first]) => categoriesChanged(count, first?.former !== undefined),
    onDone,
    meta: { failure: catalogStaffMessages.deleteCategory.failure },
  });
}
