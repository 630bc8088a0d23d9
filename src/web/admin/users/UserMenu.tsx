import { roleNames, userStaffMessages } from '../../../shared/usersStaff';
import type { Session } from '../../server/session';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { RowMenu } from '../table/RowMenu';
import type { ActionChoice, ActionEntry } from '../ui/ActionMenu';
import { type User, useUpdateEnabled, useUpdateRole } from './queries';

interface Props {
  user: User;
  me: Session;
  onInactivate: (user: User) => void;
  /** Called when the admin has become a customer. */
  onDemoted?: (userId: string) => void;
}

/** Owners have no menu. Rule: docs/rules/back-office.md, Users */
export function UserMenu({ user, me, onInactivate, onDemoted }: Props) {
  const choice = usePermissions(user, me, onDemoted);
  const { mutate: setEnabled } = useUpdateEnabled();
  if (user.role === 'ROLE_OWNER') return null;
  const entries: ActionEntry[] = [{ label: 'View Profile', icon: 'eye', to: `/admin/view/user/${user.id}` }];
  if (me.role === 'ROLE_OWNER') {
    entries.push(
      user.isEnabled
        ? { label: 'Deactivate', icon: 'lock', isDangerous: true, onSelect: () => onInactivate(user) }
        : { label: 'Activate', icon: 'check', onSelect: () => setEnabled({ userId: user.id, isEnabled: true }) },
    );
  }
  return <RowMenu of={user.fullName} choice={choice} entries={entries} />;
}

/** Admin or User; users cannot change their own role. Rule: docs/rules/accounts.md, Roles */
function usePermissions(
  { id: userId, role, isEmailProven }: User,
  me: Session,
  onDemoted: Props['onDemoted'],
): ActionChoice {
  const { mutate: setRole, mutateAsync: demote } = useUpdateRole();
  const isOwn = userId === me.id;
  const isUnproven = !isEmailProven && role === 'ROLE_CUSTOMER';
  const whyOff = isOwn ? userStaffMessages.ownRole : isUnproven ? userStaffMessages.unprovenRole : undefined;
  const chosen = role === 'ROLE_ADMIN' ? 'ROLE_ADMIN' : 'ROLE_USER'; // owners have no menu
  return {
    heading: 'Permissions',
    chosen,
    options: [
      { value: 'ROLE_ADMIN', label: roleNames.ROLE_ADMIN, icon: 'shield', isOff: whyOff !== undefined, whyOff },
      { value: 'ROLE_USER', label: roleNames.ROLE_USER, icon: 'user', isOff: isOwn },
    ],
    onChoose: (value) => {
      if (value === chosen) return;
      if (value === 'ROLE_ADMIN') return setRole({ userId, role: 'ROLE_ADMIN' });
      // not in the mutation's own onSuccess: a filtered list may have removed the row by then
      demote({ userId, role: 'ROLE_USER' }).then(
        () => onDemoted?.(userId),
        () => undefined,
      );
    },
  };
}

interface InactivateProps {
  user: User;
  onClose: () => void;
  onDone?: (userId: string) => void;
}

export function InactivateDialog({ user: { id, fullName }, onClose, onDone }: InactivateProps) {
  const { mutateAsync } = useUpdateEnabled();
  return (
    <ConfirmDialog
      title={`Deactivate ${fullName}?`}
      text={userStaffMessages.inactivateAsks}
      action="Deactivate"
      onConfirm={() =>
        void mutateAsync({ userId: id, isEnabled: false }).then(
          () => onDone?.(id), // the dialog is unmounted by then
          () => undefined,
        )
      }
      onClose={onClose}
    />
  );
}
