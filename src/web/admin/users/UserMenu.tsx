import { roleNames, userSays } from '../../../shared/users';
import { userStaffSays } from '../../../shared/usersStaff';
import type { Session } from '../../server/session';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { RowMenu } from '../table/RowMenu';
import type { ActionChoice, ActionEntry } from '../ui/ActionMenu';
import { type User, useUpdateEnabled, useUpdateRole } from './queries';

interface Props {
  user: User;
  me: Session;
  onInactivate: (user: User) => void;
}

/** An owner's row has none. Rule: docs/rules/back-office.md, Users */
export function UserMenu({ user, me, onInactivate }: Props) {
  const choice = usePermissions(user, me);
  const { mutate: setEnabled } = useUpdateEnabled();
  if (user.role === 'ROLE_OWNER') return null;
  const entries: ActionEntry[] = [{ label: 'View Profile', icon: 'eye', to: `/admin/view/user/${user.id}` }];
  if (me.role === 'ROLE_OWNER') {
    entries.push(
      user.isEnabled
        ? { label: 'Inactivate', icon: 'lock', isDangerous: true, onSelect: () => onInactivate(user) }
        : { label: 'Activate', icon: 'check', onSelect: () => setEnabled({ userId: user.id, isEnabled: true }) },
    );
  }
  return <RowMenu of={user.fullName} choice={choice} entries={entries} />;
}

/** Admin or User; nobody changes their own role. Rule: docs/rules/accounts.md, Roles */
function usePermissions({ id: userId, role }: User, me: Session): ActionChoice {
  const { mutate: setRole } = useUpdateRole();
  const whyOff = userId === me.id ? userSays.ownRole : undefined;
  return {
    heading: 'Permissions',
    chosen: roleNames[role],
    options: [
      { label: roleNames.ROLE_ADMIN, icon: 'shield', isOff: whyOff !== undefined, whyOff },
      { label: roleNames.ROLE_USER, icon: 'user', isOff: whyOff !== undefined },
    ],
    onChoose: (label) => {
      if (label === roleNames[role]) return;
      setRole({ userId, role: label === roleNames.ROLE_ADMIN ? 'ROLE_ADMIN' : 'ROLE_USER' });
    },
  };
}

export function InactivateDialog({ user: { id, fullName }, onClose }: { user: User; onClose: () => void }) {
  const { mutate } = useUpdateEnabled();
  return (
    <ConfirmDialog
      title={`Inactivate ${fullName}?`}
      text={userStaffSays.inactivateAsks}
      action="Inactivate"
      onConfirm={() => mutate({ userId: id, isEnabled: false })}
      onClose={onClose}
    />
  );
}
