import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { roleLabels } from '../../../shared/account';
import { roles } from '../../../shared/auth';
import { stateNames, userSays } from '../../../shared/users';
import { userStaffSays } from '../../../shared/usersStaff';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import type { Session } from '../../api/session';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { focusHeading } from '../../ui/focusHeading';
import { AdminHead } from '../shell/AdminHead';
import type { BulkAction } from '../table/BulkBar';
import { DataTable } from '../table/DataTable';
import { ExportButton } from '../table/ExportButton';
import { useTableSearch } from '../table/tableSearch';
import { InactivateDialog } from './InactivateDialog';
import { exportUsers, type User, userFilters, userSorts, usersQuery, useUpdateEnabledOf } from './queries';
import { userColumns } from './userColumns';
import { bulkMost } from '../useBulkChange';

const route = getRouteApi('/admin');

export function AdminUsersPage() {
  const { user: me } = route.useRouteContext();
  const search = useTableSearch(userFilters, userSorts);
  const [asked] = search;
  const list = useQuery(usersQuery(asked));
  const [leaving, setLeaving] = useState<User>();
  const bulk = useBulkActions(me);
  const columns = useMemo(() => userColumns(me, setLeaving), [me]);
  return (
    <>
      <AdminHead title="Users">
        <ButtonLink to="/new/user">
          <Icon name="plus" />
          Add new User
        </ButtonLink>
      </AdminHead>
      <DataTable
        label="Users"
        columns={columns}
        list={list}
        search={search}
        rowId={({ id }) => id}
        rowName={({ fullName }) => fullName}
        empty={userStaffSays.noUsers}
        failure={userSays.listUsers.failure}
        searchLabel="Search users"
        filters={[
          { name: 'role', label: 'Role', options: roles.map((role) => ({ value: role, label: roleLabels[role] })) },
          {
            name: 'state',
            label: 'Status',
            options: [
              { value: 'active', label: stateNames.on },
              { value: 'inactive', label: stateNames.off },
            ],
          },
        ]}
        bulkActions={bulk.actions}
        tools={<ExportButton fileName="users.csv" read={() => exportUsers(asked)} />}
      />
      {bulk.dialog}
      {leaving && <InactivateDialog user={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

/** For owners. Source: decisions §1 */
function useBulkActions(me: Session) {
  const { mutate } = useUpdateEnabledOf(me.id);
  const [asksAbout, setAsksAbout] = useState<{ ids: string[]; clear: () => void }>();
  const change = (ids: string[], isEnabled: boolean, clear: () => void) =>
    mutate(
      ids.map((id) => ({ id, isEnabled })),
      {
        onSuccess: () => {
          clear();
          focusHeading(); // the button that had the focus goes
        },
      },
    );
  const actions: BulkAction<User>[] = [
    { label: 'Activate', most: bulkMost, act: (ids, _, clear) => change(ids, true, clear) },
    { label: 'Inactivate', isDangerous: true, most: bulkMost, act: (ids, _, clear) => setAsksAbout({ ids, clear }) },
  ];
  const dialog = asksAbout && (
    <ConfirmDialog
      title={asksAbout.ids.length === 1 ? 'Inactivate 1 user?' : `Inactivate ${asksAbout.ids.length} users?`}
      text={userStaffSays.inactivateAsks}
      action="Inactivate"
      onConfirm={() => change(asksAbout.ids, false, asksAbout.clear)}
      onClose={() => setAsksAbout(undefined)}
    />
  );
  return { actions: me.role === 'ROLE_OWNER' ? actions : [], dialog };
}
