import { Link, useLocation } from '@tanstack/react-router';
import { useSession } from '../server/session';
import { Icon } from '../ui/Icon';
import { Initials } from '../ui/Initials';
import { aboutLink, isProductPath, isAccountPath, ProductsMenu, SettingsMenu } from './navigation';
import styles from './TabBar.module.css';

/** The main navigation at the bottom of the screen, below 1024 px. */
export function TabBar() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <nav className={styles['tabs']} aria-label="Shop" data-bar="">
      <Link to="/" activeOptions={{ exact: true, includeHash: true }}>
        <Icon name="home" size={24} />
        Home
      </Link>
      <Link {...aboutLink} activeOptions={{ includeHash: true }}>
        <Icon name="leaf" size={24} />
        About
      </Link>
      <ProductsMenu className={undefined} isCurrent={isProductPath(path)}>
        <Icon name="jar" size={24} />
        <span className={styles['label']}>
          Products
          <Icon name="chevronUp" size={12} />
        </span>
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
      <Initials fullName={user.fullName} />
      <span className={styles['label']}>
        Account<span className="sr-only"> settings</span>
        <Icon name="chevronUp" size={12} />
      </span>
    </SettingsMenu>
  );
}
