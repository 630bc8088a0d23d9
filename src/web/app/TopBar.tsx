import { Link, useLocation } from '@tanstack/react-router';
import { useRef } from 'react';
import { useSession } from '../server/session';
import { CartLink } from '../cart/CartLink';
import { Icon } from '../ui/Icon';
import { useAfterLoad } from '../ui/afterLoad';
import { Initials } from '../ui/Initials';
import { Brand } from '../ui/Brand';
import { aboutLink, isProductPath, ProductsMenu, SettingsMenu } from './navigation';
import styles from './TopBar.module.css';

const loadSearch = () => import('../search/SearchOpener');

/** The brand, the cart, and from 1024 px up the main navigation (below that it is in the tab bar). */
export function TopBar() {
  const searchLink = useRef<HTMLAnchorElement>(null);
  const search = useAfterLoad(loadSearch);
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <header className={styles['top']}>
      <div className={styles['bar']}>
        <Brand />
        <nav className={styles['entries']} aria-label="Main">
          <Link to="/" activeOptions={{ exact: true, includeHash: true }}>
            Home
          </Link>
          <Link {...aboutLink} activeOptions={{ includeHash: true }}>
            About
          </Link>
          <ProductsMenu className={styles['entry']} isCurrent={isProductPath(path)}>
            Products <Icon name="chevronDown" size={16} />
          </ProductsMenu>
          <Link to="/contact">Contact</Link>
        </nav>
        <div className={styles['tools']}>
          <Link ref={searchLink} to="/search" className={styles['tool']} aria-label="Search" aria-keyshortcuts="/">
            <Icon name="search" />
          </Link>
          {search && <search.SearchOpener link={searchLink} />}
          <OrdersLink />
          <CartLink />
          <Account />
        </div>
      </div>
    </header>
  );
}

function OrdersLink() {
  const user = useSession();
  return (
    user && (
      <Link to="/customer/orders" className={styles['tool']} aria-label="Orders">
        <Icon name="box" />
      </Link>
    )
  );
}

function Account() {
  const user = useSession();
  if (!user) {
    return (
      <Link to="/login" className={styles['account']}>
        Login
      </Link>
    );
  }
  return (
    <SettingsMenu className={styles['account']}>
      <Initials fullName={user.fullName} />
      <span>
        Account<span className="sr-only"> settings</span>
      </span>
      <Icon name="chevronDown" size={16} />
    </SettingsMenu>
  );
}
