import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { contactSays, messageStateLabels } from '../../../shared/contact';
import type { Schema } from '../../../shared/contract';
import { answer, api } from '../../api/client';
import { staffKey, useStaffChange } from '../staffCalls';
import { asked, type FilterRules, oneOf, type TableSearch } from '../table/tableSearch';

export type Message = Schema<'InboxMessage'>;
export type MessageState = Schema<'MessageState'>;

export const messageFilters: FilterRules = { state: oneOf(Object.keys(messageStateLabels)) };

export const messagesQuery = ({ q, page, size, filters, sort }: TableSearch) =>
  queryOptions({
    queryKey: staffKey('messages', { q, page, size, filters }),
    queryFn: async ({ signal }) => {
      const { state } = filters as { state?: MessageState };
      const query = { ...asked({ q, page, size, sort, filters }), ...(state && { state }) };
      return (await answer(api.GET('/admin/messages', { params: { query }, signal }))).messages;
    },
    placeholderData: keepPreviousData,
  });

export const messageQuery = (messageId: string) =>
  queryOptions({
    queryKey: staffKey('message', messageId),
    queryFn: ({ signal }) =>
      answer(api.GET('/admin/messages/{messageId}', { params: { path: { messageId } }, signal })),
  });

type Change = { messageId: string; state: MessageState };
const setState = ({ messageId, state }: Change, { header }: { header: { 'Idempotency-Key': string } }) =>
  answer(api.PUT('/admin/messages/{messageId}/state', { params: { path: { messageId }, header }, body: { state } }));

export const useSetState = () => useStaffChange({ send: setState, meta: contactSays.setMessageState });

/** A message that is opened is read: nobody needs to be told. */
export const useMarkAsRead = () =>
  useStaffChange({ send: setState, meta: { failure: contactSays.setMessageState.failure } });

/** @param onSent the text is not needed any more */
export function useReply(messageId: string, onSent: () => void) {
  return useStaffChange({
    send: (body: Schema<'NewReply'>, { header }) =>
      answer(api.POST('/admin/messages/{messageId}/reply', { params: { path: { messageId }, header }, body })),
    onSuccess: onSent,
    meta: contactSays.replyToMessage,
  });
}
