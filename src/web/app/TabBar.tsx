import { Link, useLocation } from '@tanstack/react-router';
import { useSession } from '../server/session';
import { Icon, type IconName } from '../ui/Icon';
import { aboutLink, isProductPath, isAccountPath, ProductsMenu, SettingsMenu } from './navigation';
import styles from './TabBar.module.css';

/** The main navigation at the bottom of the screen, below 1024 px. */
export function TabBar() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <nav className={styles['tabs']} aria-label="Shop">
      <Link to="/" activeOptions={{ exact: true, includeHash: true }}>
        <Icon name="home" size={24} />
        Home
      </Link>
      <Link {...aboutLink} activeOptions={{ includeHash: true }}>
        <Icon name="leaf" size={24} />
        About
      </Link>
      <ProductsMenu className={undefined} isCurrent={isProductPath(path)}>
        <MenuLabel icon="jar" label="Products" />
      </ProductsMenu>
      <Link to="/contact">
        <Icon name="mail" size={24} />
        Contact
      </Link>
      <Account path={path} />
    </nav>
  );
}

function Account({ path }: { path: string }) {
  const user = useSession();
  if (!user) {
    return (
      <Link to="/login" aria-current={path === '/register' ? 'true' : undefined}>
        <Icon name="user" size={24} />
        Login
      </Link>
    );
  }
  return (
    <SettingsMenu className={undefined} isCurrent={isAccountPath(path)}>
      <MenuLabel icon="settings" label="Settings" />
    </SettingsMenu>
  );
}

function MenuLabel({ icon, label }: { icon: IconName; label: string }) {
  return (
    <>
      <Icon name={icon} size={24} />
      <span className={styles['label']}>
        {label}
        <Icon name="chevronUp" size={12} />
      </span>
    </>
  );
}
