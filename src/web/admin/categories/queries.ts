import { catalogStaffMessages, categoriesChanged } from '../../../shared/catalogStaff';
import { categoriesList } from '../../../shared/categoriesList';
import type { Schema } from '../../../shared/contract';
import { answer, api } from '../../server/client';
import { keyOfPart } from '../../server/keys';
import { changedFields } from '../changedFields';
import { readCsv, useStaffChange, staffListQuery, staffQuery } from '../staffCalls';
import { asked, askedUncut, type TableSearch } from '../table/tableSearch';
import { useBulkChange } from '../table/useBulkChange';

type Search = TableSearch<typeof categoriesList>;

export const staffCategoriesQuery = (search: Search) =>
  staffListQuery(['categories', search], async (signal) => {
    const query = asked(categoriesList, search);
    return (await answer(api.GET('/admin/categories', { params: { query }, signal }))).categories;
  });

export const exportCategories = (search: Search): Promise<string> =>
  readCsv(
    api.GET('/admin/categories/export', { params: { query: askedUncut(categoriesList, search) }, parseAs: 'text' }),
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
 * Changes what was changed in the form. The rest stays as it is now, whatever the form still shows of it. What is sent
 * depends on what was read just before, so a repeated change has the same key only with the same body.
 * @param before as the form began
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

/** One that is deleted is made again under its id when that is taken back: discount codes and reports know it by it. */
interface Deletion {
  id: string;
  former?: Schema<'CategoryForm'>;
}

/**
 * Deletes one or several, each if no product is in it, and offers to take it back.
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
