import type { Role } from '../../../shared/auth';
import { useLogout } from '../../auth/queries';
import type { MenuButtonProps } from '../../ui/deferMenu';
import { NavMenu } from '../../ui/NavMenu';
import { AdminIcon } from '../ui/AdminIcon';
import { morePlaces, sellingPlaces } from './places';

/** On a phone the menu also has the groups that do not fit the tab bar. */
const hasSidebar = () => window.matchMedia('(min-width: 1024px)').matches;

/** Rule: docs/rules/back-office.md, Shell */
export function AccountMenu({ role, ...button }: MenuButtonProps & { role: Role }) {
  const { mutate: logout } = useLogout();
  const isWide = hasSidebar();
  const others = isWide
    ? []
    : [...sellingPlaces, ...morePlaces].filter(({ isForOwner }) => role === 'ROLE_OWNER' || !isForOwner);
  return (
    <NavMenu
      title="Account"
      end="end"
      entries={[
        { label: 'Shop', icon: <AdminIcon name="shop" />, to: '/', isApart: isWide },
        { label: 'View Profile', icon: 'user', to: '/admin/view/profile', isApart: !isWide },
        ...others.map(({ label, icon, to, Mark }) => ({
          label,
          icon: (
            <>
              <AdminIcon name={icon} />
              {Mark && <Mark />}
            </>
          ),
          to,
          isApart: to === others.at(-1)?.to,
        })),
        { label: 'Logout', icon: 'logout', onSelect: logout, isDangerous: true },
      ]}
      {...button}
    />
  );
}
