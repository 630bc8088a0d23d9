import type { Schema } from '../../../shared/contract';
import { mailMessages } from '../../../shared/mail';
import { mailsList } from '../../../shared/mailsList';
import { answer, api } from '../../server/client';
import { useStaffChange, staffListQuery, staffQuery } from '../staffCalls';
import { pageQuery, type TableSearch } from '../table/tableSearch';

export type Mail = Schema<'Mail'>;
export type MailState = Schema<'MailState'>;

export const mailsQuery = (search: TableSearch<typeof mailsList>) =>
  staffListQuery(['mails', search], async (signal) => {
    const query = pageQuery(mailsList, search);
    return (await answer(api.GET('/admin/mails', { params: { query }, signal }))).mails;
  });

export const mailQuery = (mailId: string) =>
  staffQuery(['mail', mailId], (signal) =>
    answer(api.GET('/admin/mails/{mailId}', { params: { path: { mailId } }, signal })),
  );

export function useResendMail() {
  return useStaffChange({
    send: (mailId: string, { header }) =>
      answer(api.POST('/admin/mails/{mailId}/resend', { params: { path: { mailId }, header }, body: {} })),
    meta: mailMessages.resendMail,
  });
}
