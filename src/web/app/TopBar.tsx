import { Link, useLocation } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { useLogout } from '../auth/queries';
import { CartLink } from '../cart/CartLink';
import { DeferredMenu } from '../ui/DeferredMenu';
import { Icon } from '../ui/Icon';
import { Brand } from './Brand';
import { productEntries, settingsEntries } from './navigation';
import styles from './TopBar.module.css';

/** The brand, the entries of the shop (from 1024 px up; below it they are in the tab bar) and the cart. */
export function TopBar() {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <header className={styles['top']}>
      <div className={styles['bar']}>
        <Brand />
        <nav className={styles['entries']} aria-label="Main">
          <Link to="/" activeOptions={{ exact: true, includeHash: true }}>
            Home
          </Link>
          <Link to="/" hash="about" activeOptions={{ includeHash: true }}>
            About
          </Link>
          <DeferredMenu
            title="Products"
            entries={productEntries}
            className={styles['entry']}
            isCurrent={path.startsWith('/products/')}
          >
            Products <Icon name="chevronDown" size={16} />
          </DeferredMenu>
          <Link to="/contact">Contact</Link>
        </nav>
        <div className={styles['tools']}>
          <CartLink />
          <Account isCurrent={path.startsWith('/customer/')} />
        </div>
      </div>
    </header>
  );
}

function Account({ isCurrent }: { isCurrent: boolean }) {
  const user = useSession();
  const logout = useLogout();
  if (!user) {
    return (
      <Link to="/login" className={styles['account']}>
        Login
      </Link>
    );
  }
  return (
    <DeferredMenu
      title="Settings"
      entries={settingsEntries(logout.mutate)}
      className={styles['account']}
      isCurrent={isCurrent}
    >
      Settings <Icon name="chevronDown" size={16} />
    </DeferredMenu>
  );
}
