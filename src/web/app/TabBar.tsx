import { Link, useLocation } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { useLogout } from '../auth/queries';
import { DeferredMenu } from '../ui/DeferredMenu';
import { Icon, type IconName } from '../ui/Icon';
import { productEntries, settingsEntries } from './navigation';
import styles from './TabBar.module.css';

/** The entries of the shop at the thumb, below 1024 px. */
export function TabBar() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <nav className={styles['tabs']} aria-label="Shop">
      <Link to="/" activeOptions={{ exact: true, includeHash: true }}>
        <Icon name="home" size={24} />
        Home
      </Link>
      <Link to="/" hash="about" activeOptions={{ includeHash: true }}>
        <Icon name="leaf" size={24} />
        About
      </Link>
      <DeferredMenu
        title="Products"
        entries={productEntries}
        className={undefined}
        isCurrent={path.startsWith('/products/')}
      >
        <MenuLabel icon="jar" label="Products" />
      </DeferredMenu>
      <Link to="/contact">
        <Icon name="mail" size={24} />
        Contact
      </Link>
      <Account isCurrent={path.startsWith('/customer/')} />
    </nav>
  );
}

function Account({ isCurrent }: { isCurrent: boolean }) {
  const user = useSession();
  const logout = useLogout();
  if (!user) {
    return (
      <Link to="/login">
        <Icon name="user" size={24} />
        Login
      </Link>
    );
  }
  return (
    <DeferredMenu title="Settings" entries={settingsEntries(logout.mutate)} className={undefined} isCurrent={isCurrent}>
      <MenuLabel icon="settings" label="Settings" />
    </DeferredMenu>
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
