import type { MenuEntry } from '../ui/NavMenu';

/** The entries behind Products and Settings, the same in the top bar and in the tab bar. */
export const productEntries: readonly MenuEntry[] = [
  { label: 'savory', icon: 'jar', to: '/products/savory' },
  { label: 'spices', icon: 'jar', to: '/products/spices' },
];

export function settingsEntries(logout: () => void): readonly MenuEntry[] {
  return [
    { label: 'Profile', icon: 'user', to: '/customer/view/profile' },
    { label: 'Edit Profile', icon: 'edit', to: '/customer/edit/profile' },
    { label: 'View Addresses', icon: 'pin', to: '/customer/view/addresses' },
    { label: 'Orders', icon: 'box', to: '/customer/orders' },
    { label: 'Logout', icon: 'logout', onSelect: logout, isDangerous: true },
  ];
}
