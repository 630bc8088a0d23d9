import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { formatCount } from '../../../shared/counts';
import { formatMoney, toCents } from '../../../shared/money';
import { usersList } from '../../../shared/usersList';
import { userStaffMessages } from '../../../shared/usersStaff';
import type { Session } from '../../server/session';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { Icon } from '../../ui/Icon';
import { lazyPart } from '../../ui/lazyPart';
import type { BulkAction } from '../table/BulkBar';
import { DataTable } from '../table/DataTable';
import { chipsOf, useTableSearch } from '../table/tableSearch';
import { useConfirmedAction } from '../table/useAskedAction';
import { maxBulkRows } from '../table/useBulkChange';
import { columnsOf } from '../table/useDataTable';
import { AdminHead } from '../ui/AdminHead';
import { dayOf } from '../ui/dates';
import { PromotionDialog } from './Promotions';
import { customerTagsQuery } from './customer/queries';
import { exportUsers, type User, usersQuery, useUpdateEnabledOf } from './queries';
import { RoleBadge, StateBadge } from './UserBadges';
import { InactivateDialog, UserMenu } from './UserMenu';
import styles from './users.module.css';

const InviteDialog = lazyPart(() => import('./InviteDialog'), 'InviteDialog');
const route = getRouteApi('/admin');

export function AdminUsersPage() {
  const { user: me } = route.useRouteContext();
  const search = useTableSearch(usersList);
  const [view] = search;
  const list = useQuery(usersQuery(view));
  const { data: tags } = useQuery(customerTagsQuery());
  const [inactivating, setInactivating] = useState<User>();
  const [isInviting, setInviting] = useState(false);
  const [left, setLeft] = useState<readonly string[]>();
  const [actions, question] = useBulkActions(me, setLeft);
  const onDemoted = useCallback((userId: string) => me.role === 'ROLE_OWNER' && setLeft([userId]), [me]);
  const columns = useMemo(() => userColumns(me, setInactivating, onDemoted), [me, onDemoted]);
  return (
    <>
      <AdminHead title="Users">
        <Button variant="outline" onClick={() => setInviting(true)}>
          Invite staff
        </Button>
        <ButtonLink to="/new/user">
          <Icon name="plus" />
          Add new User
        </ButtonLink>
      </AdminHead>
      <DataTable
        columns={columns}
        list={list}
        search={search}
        rowName={({ fullName }) => fullName}
        empty={userStaffMessages.noUsers}
        failure={userStaffMessages.listUsers.failure}
        filters={chipsOf(usersList, { tag: optionsOf(tags, view.filters.tag) })}
        bulkActions={actions}
        readFile={() => exportUsers(view)}
      />
      {question}
      {isInviting && (
        <Suspense>
          <InviteDialog onClose={() => setInviting(false)} />
        </Suspense>
      )}
      {inactivating && (
        <InactivateDialog user={inactivating} onClose={() => setInactivating(undefined)} onDone={onDemoted} />
      )}
      {left && <PromotionDialog userIds={left} onClose={() => setLeft(undefined)} />}
    </>
  );
}

/** The values of the filter by tag; undefined if no customer has a tag. */
function optionsOf(tags: readonly { value: string; customers: number }[] = [], set: string | undefined) {
  if (tags.length === 0 && set === undefined) return undefined;
  const offered = tags.map(({ value, customers }) => ({ value, label: `${value} (${formatCount(customers)})` }));
  const isOther = set !== undefined && !tags.some(({ value }) => value === set);
  return isOther ? [{ value: set, label: set }, ...offered] : offered;
}

/**
 * For owners. Rule: docs/rules/accounts.md, Roles
 * @param onInactivated gets the users who were deactivated
 */
function useBulkActions(
  me: Session,
  onInactivated: (userIds: readonly string[]) => void,
): [BulkAction[], question: ReactNode] {
  const { mutate } = useUpdateEnabledOf(me.id);
  const setEnabled =
    (isEnabled: boolean): BulkAction['act'] =>
    (ids, onSuccess) =>
      mutate(
        ids.map((id) => ({ id, isEnabled })),
        {
          onSuccess: () => {
            onSuccess();
            if (!isEnabled) onInactivated(ids);
          },
        },
      );
  const [inactivate, question] = useConfirmedAction({
    label: 'Deactivate',
    maxRows: maxBulkRows,
    names: ['user', 'users'],
    text: userStaffMessages.inactivateAsks,
    act: setEnabled(false),
  });
  const actions = [{ label: 'Activate', maxRows: maxBulkRows, act: setEnabled(true) }, inactivate];
  return [me.role === 'ROLE_OWNER' ? actions : [], question];
}

/** Rule: docs/rules/back-office.md, Lists */
const userColumns = (me: Session, onInactivate: (user: User) => void, onDemoted: (userId: string) => void) =>
  columnsOf<typeof usersList, User>(
    usersList,
    {
      fullName: {
        render: ({ id, fullName }) => (
          <Link to="/admin/view/user/$userId" params={{ userId: id }} className={styles['name']}>
            {fullName}
          </Link>
        ),
        onPhone: 'title',
      },
      email: { render: ({ email }) => email, isMuted: true },
      createdAt: { render: ({ createdAt }) => dayOf(createdAt), isMuted: true },
      orders: { render: ({ orders = 0 }) => formatCount(orders), onPhone: 'named' },
      spent: { render: ({ spent = 0 }) => formatMoney(toCents(spent)), onPhone: 'named' },
      status: { render: ({ isEnabled }) => <StateBadge isEnabled={isEnabled} /> },
      role: { render: ({ role }) => <RoleBadge role={role} /> },
    },
    (user) => <UserMenu user={user} me={me} onInactivate={onInactivate} onDemoted={onDemoted} />,
  );
