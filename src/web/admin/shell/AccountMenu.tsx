import type { Role } from '../../../shared/auth';
import { useLogout } from '../../auth/queries';
import type { MenuButtonProps } from '../../ui/deferMenu';
import { ActionMenu } from '../ui/ActionMenu';
import { morePlaces } from './places';

/** On a phone the menu has the second group too, which the tab bar has no room for. */
const hasSidebar = () => window.matchMedia('(min-width: 1024px)').matches;

export function AccountMenu({ role, ...button }: MenuButtonProps & { role: Role }) {
  const { mutate: logout } = useLogout();
  const others = hasSidebar()
    ? []
    : morePlaces
        .filter(({ isForOwner }) => role === 'ROLE_OWNER' || !isForOwner)
        .map(({ label, icon, to }) => ({ label, icon, to }));
  return (
    <ActionMenu
      title="Account"
      entries={[
        { label: 'View Profile', icon: 'user', to: '/admin/view/profile' },
        ...others,
        { label: 'Logout', icon: 'logout', onSelect: () => logout(), isDangerous: true },
      ]}
      {...button}
    />
  );
}
