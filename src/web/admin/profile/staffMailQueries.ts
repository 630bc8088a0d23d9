import { useQueryClient } from '@tanstack/react-query';
import { type StaffMails, staffMailsMessages } from '../../../shared/staffMails';
import { answer, api } from '../../server/client';
import { staffQuery, useStaffChange } from '../staffCalls';

const path = '/admin/users/{userId}/staff-mails';

export const staffMailsQuery = (userId: string) =>
  staffQuery(
    ['staff-mails'],
    async (signal) => (await answer(api.GET(path, { params: { path: { userId } }, signal }))).staffMails,
  );

/** Each change has all choices, and the last one counts. The page shows the result, so there is no toast. */
export function useSetStaffMails(userId: string) {
  const cache = useQueryClient();
  return useStaffChange({
    send: (body: StaffMails, { header }) => answer(api.PUT(path, { params: { path: { userId }, header }, body })),
    onSuccess: ({ staffMails }) => cache.setQueryData(staffMailsQuery(userId).queryKey, staffMails),
    scope: { id: 'staff-mails' },
    meta: { failure: staffMailsMessages.setStaffMails.failure },
  });
}
