import { useNavigate } from '@tanstack/react-router';
import type { Schema } from '../../../shared/contract';
import { usersList } from '../../../shared/usersList';
import { enabledUpdated, roleUpdated, userStaffMessages } from '../../../shared/usersStaff';
import { toast } from '../../ui/toast';
import { answer, api } from '../../server/client';
import { readCsv, useStaffChange, staffListQuery, staffQuery } from '../staffCalls';
import { pageQuery, exportQuery, type TableSearch } from '../table/tableSearch';
import { useBulkChange } from '../table/useBulkChange';

export type User = Schema<'User'>;

type Search = TableSearch<typeof usersList>;

export const usersQuery = (search: Search) =>
  staffListQuery(['users', search], async (signal) => {
    const query = pageQuery(usersList, search);
    return (await answer(api.GET('/admin/users', { params: { query }, signal }))).users;
  });

export const exportUsers = (search: Search): Promise<string> =>
  readCsv(api.GET('/admin/users/export', { params: { query: exportQuery(usersList, search) }, parseAs: 'text' }));

export const staffUserQuery = (id: string) =>
  staffQuery(
    ['user', id],
    async (signal) => (await answer(api.GET('/admin/users/{id}', { params: { path: { id } }, signal }))).user,
  );

/** How many promotions are shown. */
const promotionsShown = 100;

/** For the owner: the users whom this user made staff. Rule: docs/rules/back-office.md, Promotions */
export const promotionsQuery = (userId: string) =>
  staffQuery(['promotions', userId], (signal) => {
    const params = { path: { userId }, query: { size: promotionsShown } };
    return answer(api.GET('/admin/users/{userId}/promotions', { params, signal }));
  });

type Roles = { userId: string; role: Schema<'AssignableRole'> };

/** Makes a user an admin or a customer. Rule: docs/rules/accounts.md, Roles */
export function useUpdateRole() {
  return useStaffChange({
    send: ({ userId, role }: Roles, { header }) =>
      answer(api.PUT('/admin/users/{userId}/role', { params: { path: { userId }, query: { role }, header } })),
    onSuccess: (_, { role }) => toast.success(roleUpdated(role)),
    meta: userStaffMessages.updateUserRole,
  });
}

/** For owners. Rule: docs/rules/accounts.md, Roles */
export function useUpdateEnabled() {
  return useStaffChange({
    send: ({ userId, isEnabled }: { userId: string; isEnabled: boolean }, { header }) =>
      answer(api.PUT('/admin/users/{userId}/enabled', { params: { path: { userId }, header }, body: { isEnabled } })),
    onSuccess: (_, { isEnabled }) => toast.success(enabledUpdated(isEnabled)),
    meta: userStaffMessages.updateUserEnabled,
  });
}

/** The same for several users. Skips those already in that state, and the signed-in user. */
export function useUpdateEnabledOf(ownId: string) {
  return useBulkChange({
    change: async ({ id, isEnabled }: { id: string; isEnabled: boolean }, { header }) => {
      if (id === ownId) return undefined;
      const { user } = await answer(api.GET('/admin/users/{id}', { params: { path: { id } } }));
      if (user.isEnabled === isEnabled) return undefined;
      const params = { path: { userId: id }, header };
      await answer(api.PUT('/admin/users/{userId}/enabled', { params, body: { isEnabled } }));
      return { id, isEnabled: user.isEnabled };
    },
    sentence: (count, [first]) => userStaffMessages.changed(count, first?.isEnabled ?? false),
    meta: userStaffMessages.updateUserEnabled,
  });
}

export function useEndSessionsOf() {
  return useStaffChange({
    send: (userId: string, { header }) =>
      answer(api.DELETE('/admin/users/{userId}/sessions', { params: { path: { userId }, header } })),
    meta: userStaffMessages.endSessionsOfUser,
  });
}

/** @param onSaved called before the form is left */
export function useCreateUser(onSaved: () => void) {
  const navigate = useNavigate();
  return useStaffChange({
    send: (body: Schema<'NewUser'>, { header }) => answer(api.POST('/admin/users', { params: { header }, body })),
    onSuccess: () => {
      onSaved();
      return navigate({ to: '/user/management' });
    },
    meta: userStaffMessages.createUser,
  });
}

export function useInviteStaff(onSent: () => void) {
  return useStaffChange({
    send: (body: Schema<'NewInvitation'>, { header }) =>
      answer(api.POST('/admin/users/invite', { params: { header }, body })),
    onSuccess: onSent,
    meta: userStaffMessages.inviteStaff,
  });
}
