import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '../../../../shared/contract';
import { customerMessages as messages } from '../../../../shared/customers';
import { answer, api } from '../../../server/client';
import { staffListQuery, staffQuery, useStaffChange } from '../../staffCalls';

export type Summary = Schema<'CustomerSummary'>;

export const summaryQuery = (id: string) =>
  staffQuery(
    ['customer', id],
    async (signal) =>
      (await answer(api.GET('/admin/users/{id}/summary', { params: { path: { id } }, signal }))).summary,
  );

/** How many orders and messages a customer's page shows together. */
export const rowsShown = 5;

/** @param page from 1 */
export const customerOrdersQuery = (customer: string, page: number) =>
  staffListQuery(['orders', 'of', customer, page], async (signal) => {
    const query = { customer, page: page - 1, size: rowsShown };
    return (await answer(api.GET('/admin/orders', { params: { query }, signal }))).orders;
  });

export const customerMessagesQuery = (customer: string) =>
  staffListQuery(['messages', 'of', customer], async (signal) => {
    const query = { customer, size: rowsShown };
    return (await answer(api.GET('/admin/messages', { params: { query }, signal }))).messages;
  });

/** The tags in use, the most common first. */
export const customerTagsQuery = () =>
  queryOptions({
    ...staffQuery(['customer tags'], async (signal) => (await answer(api.GET('/admin/users/tags', { signal }))).tags),
    staleTime: 60_000,
  });

/** @param onAdded gets the text exactly as typed, with leading and trailing blanks */
export function useAddCustomerNote(id: string, onAdded: (sent: Schema<'NewCustomerNote'>) => void) {
  return useStaffChange({
    send: (body: Schema<'NewCustomerNote'>, { header }) =>
      answer(api.POST('/admin/users/{id}/notes', { params: { path: { id }, header }, body })),
    onSuccess: (_, sent) => onAdded(sent),
    meta: messages.addCustomerNote,
  });
}

/** Sends the tags before and after the change, so that a colleague's change at the same time is kept. */
export function useSetCustomerTags(id: string) {
  return useStaffChange({
    send: (body: Required<Schema<'NewCustomerTags'>>, { header }) =>
      answer(api.PUT('/admin/users/{id}/tags', { params: { path: { id }, header }, body })),
    meta: { failure: messages.setCustomerTags.failure },
    scope: { id: `tags of ${id}` },
  });
}
