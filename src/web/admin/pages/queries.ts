import { queryOptions } from '@tanstack/react-query';
import type { BodyOf } from '../../../shared/contract';
import type { ListedPage, StaffPage } from '../../../shared/pages';
import { pageStaffMessages as messages } from '../../../shared/pagesStaff';
import { answer, api } from '../../server/client';
import type { KeyHeader } from '../../server/keys';
import { toast } from '../../ui/toast';
import { keyOfPart } from '../keyOfPart';
import { staffListQuery, staffQuery, useStaffChange } from '../staffCalls';

export type PageBody = BodyOf<'updatePage'>;

/** All pages, drafts too; there are at most 50. */
const readPages = async (signal?: AbortSignal): Promise<ListedPage[]> => {
  const call = api.GET('/admin/pages', { params: { query: { size: 100 } }, ...(signal && { signal }) });
  return (await answer(call)).pages.content;
};

const readPage = async (id: string, signal?: AbortSignal): Promise<StaffPage> => {
  const call = api.GET('/admin/pages/{id}', { params: { path: { id } }, ...(signal && { signal }) });
  return (await answer(call)).page;
};

export const pagesQuery = () => staffQuery(['pages'], readPages);
export const pageQuery = (id: string) => staffQuery(['page', id], (signal) => readPage(id, signal));

/** A text as the shop will show it. The former preview stays until it is there. */
export const previewQuery = (markdown: string) =>
  queryOptions({
    ...staffListQuery(
      ['pagePreview', markdown],
      async (signal) => (await answer(api.POST('/admin/pages/preview', { body: { markdown }, signal }))).html,
    ),
    staleTime: Infinity,
  });

/** Omits the position: without it the server leaves the position unchanged. */
const formOf = ({ slug, title, markdown, isPublished }: StaffPage): PageBody => ({
  slug,
  title,
  markdown,
  isPublished,
});

/** The body depends on what was just read, so a repeated call keeps its idempotency key only with the same body. */
const put = (id: string, body: PageBody, keyed: KeyHeader) =>
  answer(api.PUT('/admin/pages/{id}', { params: { path: { id }, ...keyOfPart(keyed, JSON.stringify(body)) }, body }));

export function useCreatePage() {
  return useStaffChange({
    send: (body: PageBody, { header }) => answer(api.POST('/admin/pages', { params: { header }, body })),
    meta: messages.createPage,
  });
}

interface Saving {
  id: string;
  /** Without a version it replaces whatever the page is now. */
  body: PageBody;
  /** The user knows that it was deleted: saving restores it. */
  restores: boolean;
}

/** A page that a colleague has deleted is 404, because the call itself would restore it unseen. */
export function useSavePage() {
  return useStaffChange({
    send: async ({ id, body, restores }: Saving, keyed) => {
      if (!restores) await readPage(id);
      return put(id, body, keyed);
    },
    meta: { ...messages.updatePage, shownOnPage: ['page_changed', 'page_not_found'] },
  });
}

interface Change {
  page: Pick<ListedPage, 'id' | 'title'>;
  fields: Partial<Pick<PageBody, 'position' | 'isPublished'>>;
}

/** Moves a page, or publishes it or takes it back, with Undo, on top of what it is now. */
export function useChangePage() {
  const send = async ({ page: { id }, fields }: Change, keyed: KeyHeader) => {
    const now = await readPage(id);
    return put(id, { ...formOf(now), version: now.version, ...fields }, keyed);
  };
  const sentenceOf = ({ page: { title }, fields: { isPublished } }: Change) =>
    isPublished ? messages.published(title) : messages.unpublished(title);
  const meta = { failure: messages.updatePage.failure };
  const { mutate: undo } = useStaffChange({
    send,
    onSuccess: (_, change: Change) => toast.success(sentenceOf(change)),
    meta,
  });
  return useStaffChange({
    send,
    onSuccess: (_, change: Change) => {
      const { page, fields } = change;
      if (fields.isPublished === undefined) return;
      const onPress = () => undo({ page, fields: { isPublished: !fields.isPublished } });
      toast.success(sentenceOf(change), { label: 'Undo', onPress });
    },
    meta,
  });
}

/** Deletes a page, with Undo. */
export function useDeletePage(onDeleted: () => void) {
  const { mutate: restore } = useStaffChange({
    send: async (page: StaffPage, keyed) => {
      const isBack = (await readPages()).some(({ id }) => id === page.id); // a colleague has already restored it
      if (!isBack) await put(page.id, { ...formOf(page), position: page.position }, keyed);
    },
    onSuccess: () => toast.success(messages.restored),
    meta: { failure: messages.updatePage.failure },
  });
  return useStaffChange({
    send: (id: string, { header }) => answer(api.DELETE('/admin/pages/{id}', { params: { path: { id }, header } })),
    onSuccess: ({ page }) => {
      onDeleted();
      toast.success(messages.deletePage.success, { label: 'Undo', onPress: () => restore(page) });
    },
    meta: { failure: messages.deletePage.failure },
  });
}
