import { contactFormMessages } from '../../../shared/contact';
import type { Schema } from '../../../shared/contract';
import { messagesList } from '../../../shared/messagesList';
import { answer, api } from '../../server/client';
import type { KeyHeader } from '../../server/keys';
import { useStaffChange, staffListQuery, staffQuery } from '../staffCalls';
import { pageQuery, type TableSearch } from '../table/tableSearch';

export type Message = Schema<'InboxMessage'>;
export type MessageState = Schema<'MessageState'>;

export const messagesQuery = (search: TableSearch<typeof messagesList>) =>
  staffListQuery(['messages', search], async (signal) => {
    const query = pageQuery(messagesList, search);
    return (await answer(api.GET('/admin/messages', { params: { query }, signal }))).messages;
  });

export const messageQuery = (messageId: string) =>
  staffQuery(['message', messageId], (signal) =>
    answer(api.GET('/admin/messages/{messageId}', { params: { path: { messageId } }, signal })),
  );

type Change = { messageId: string; state: MessageState };
const setState = ({ messageId, state }: Change, { header }: KeyHeader) =>
  answer(api.PUT('/admin/messages/{messageId}/state', { params: { path: { messageId }, header }, body: { state } }));

export const useSetState = () => useStaffChange({ send: setState, meta: contactFormMessages.setMessageState });

/** Opening a message marks it as read, without a toast. */
export const useMarkAsRead = () =>
  useStaffChange({ send: setState, meta: { failure: contactFormMessages.setMessageState.failure } });

/** @param onSent gets the text exactly as typed, with leading and trailing blanks */
export function useReply(messageId: string, onSent: (sent: Schema<'NewReply'>) => void) {
  return useStaffChange({
    send: (body: Schema<'NewReply'>, { header }) =>
      answer(api.POST('/admin/messages/{messageId}/reply', { params: { path: { messageId }, header }, body })),
    onSuccess: (_, sent) => onSent(sent),
    meta: contactFormMessages.replyToMessage,
  });
}
