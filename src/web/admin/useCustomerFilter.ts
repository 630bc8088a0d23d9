import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../server/client';
import { staffQuery } from './staffCalls';
import type { Filter } from './table/tableSearch';

/** The filter of a list by one customer, which only a link sets: its chip has the customer's name. */
export function useCustomerFilter(userId: string | undefined): Filter['options'] | undefined {
  const { data: name } = useQuery({ ...nameQuery(userId ?? ''), enabled: userId !== undefined });
  return userId === undefined ? undefined : [{ value: userId, label: name ?? 'this customer only' }];
}

const nameQuery = (id: string) =>
  staffQuery(
    ['customer name', id],
    async (signal) => (await answer(api.GET('/admin/users/{id}', { params: { path: { id } }, signal }))).user.fullName,
  );
