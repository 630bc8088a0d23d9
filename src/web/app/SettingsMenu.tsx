import { isStaff } from '../../shared/auth';
import { useLogout } from '../auth/queries';
import { useSession } from '../server/session';
import type { MenuButtonProps } from '../ui/deferMenu';
import { NavMenu } from '../ui/NavMenu';

const backOffice = { label: 'Back office', icon: 'desk', to: '/dashboard', isApart: true } as const;

/** Rule: docs/rules/screens.md, The frame */
export function SettingsMenu(button: MenuButtonProps) {
  const { mutate: logout } = useLogout();
  const user = useSession();
  return (
    <NavMenu
      title="Account settings"
      end="end"
      entries={[
        ...(user && isStaff(user.role) ? [backOffice] : []),
        { label: 'Profile', icon: 'user', to: '/customer/view/profile' },
        { label: 'Edit Profile', icon: 'edit', to: '/customer/edit/profile' },
        { label: 'View Addresses', icon: 'pin', to: '/customer/view/addresses' },
        { label: 'Orders', icon: 'box', to: '/customer/orders' },
        { label: 'My lists', icon: 'list', to: '/customer/lists' },
        { label: 'Updates', icon: 'history', to: '/customer/changes', isApart: true },
        { label: 'Logout', icon: 'logout', onSelect: logout, isDangerous: true },
      ]}
      {...button}
    />
  );
}
