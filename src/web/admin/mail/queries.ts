import type { Schema } from '../../../shared/contract';
import { mailSays, mailStateLabels } from '../../../shared/mail';
import { answer, api } from '../../server/client';
import { useStaffChange, staffListQuery, staffQuery } from '../staffCalls';
import { keyOf, listRules, type SearchOf } from '../table/tableSearch';

export type Mail = Schema<'Mail'>;
export type MailState = Schema<'MailState'>;

export const mailRules = listRules({ filters: { state: keyOf(mailStateLabels) }, sorts: [] });

export const mailsQuery = ({ page, size, filters }: SearchOf<typeof mailRules>) =>
  staffListQuery(['mails', { page, size, filters }], async (signal) => {
    const query = { page: page - 1, size, ...filters };
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
    meta: mailSays.resendMail,
  });
}
