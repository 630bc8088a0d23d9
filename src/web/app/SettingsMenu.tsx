import { useLogout } from '../auth/queries';
import type { MenuButtonProps } from '../ui/deferMenu';
import { NavMenu } from '../ui/NavMenu';

export function SettingsMenu(button: MenuButtonProps) {
  const { mutate: logout } = useLogout();
  return (
    <NavMenu
      title="Settings"
      end="end"
      entries={[
        { label: 'Profile', icon: 'user', to: '/customer/view/profile' },
        { label: 'Edit Profile', icon: 'edit', to: '/customer/edit/profile' },
        { label: 'View Addresses', icon: 'pin', to: '/customer/view/addresses' },
        { label: 'Orders', icon: 'box', to: '/customer/orders' },
        { label: 'Logout', icon: 'logout', onSelect: logout, isDangerous: true },
      ]}
      {...button}
    />
  );
}
