import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Schema } from '../../../shared/contract';
import { mailSays, mailStateLabels } from '../../../shared/mail';
import { answer, api } from '../../api/client';
import { staffKey, useStaffChange } from '../staffCalls';
import { type FilterRules, oneOf, type TableSearch } from '../table/tableSearch';

export type Mail = Schema<'Mail'>;
export type MailState = Schema<'MailState'>;

export const mailFilters: FilterRules = { state: oneOf(Object.keys(mailStateLabels)) };

export const mailsQuery = ({ page, size, filters }: TableSearch) =>
  queryOptions({
    queryKey: staffKey('mails', { page, size, filters }),
    queryFn: async ({ signal }) => {
      const { state } = filters as { state?: MailState };
      const query = { page: page - 1, size, ...(state && { state }) };
      return (await answer(api.GET('/admin/mails', { params: { query }, signal }))).mails;
    },
    placeholderData: keepPreviousData,
  });

export const mailQuery = (mailId: string) =>
  queryOptions({
    queryKey: staffKey('mail', mailId),
    queryFn: ({ signal }) => answer(api.GET('/admin/mails/{mailId}', { params: { path: { mailId } }, signal })),
  });

export function useResendMail() {
  return useStaffChange({
    send: (mailId: string, { header }) =>
      answer(api.POST('/admin/mails/{mailId}/resend', { params: { path: { mailId }, header }, body: {} })),
    meta: mailSays.resendMail,
  });
}
