import { Link } from '@tanstack/react-router';
import type { Role } from '../../../shared/auth';
import { useLogout } from '../../auth/queries';
import { Brand } from '../../ui/Brand';
import { AdminIcon } from '../ui/AdminIcon';
import tabStyles from './AdminTabBar.module.css';
import { type AdminPlace, isAt, mainPlaces, morePlaces, sellingPlaces } from './places';
import styles from './Sidebar.module.css';

/** All pages of the back office, from 1024 px up. */
export function Sidebar({ role, path }: { role: Role; path: string }) {
  const { mutate: logout } = useLogout();
  const isOwner = role === 'ROLE_OWNER';
  return (
    <aside className={styles['side']} aria-label="Back office">
      <div className={styles['sidebar']}>
        <Brand />
        <nav aria-label="Admin">
          {mainPlaces.map((place) => (
            <Place key={place.to} place={place} path={path} />
          ))}
        </nav>
        <nav aria-label="Selling" className={styles['more']}>
          {sellingPlaces.map((place) => (
            <Place key={place.to} place={place} path={path} />
          ))}
        </nav>
        <nav aria-label="More" className={styles['more']}>
          {morePlaces
            .filter(({ isForOwner }) => isOwner || !isForOwner)
            .map((place) => (
              <Place key={place.to} place={place} path={path} />
            ))}
        </nav>
        <button type="button" className={styles['logout']} onClick={() => logout()}>
          <AdminIcon name="logout" />
          Logout
        </button>
      </div>
    </aside>
  );
}

function Place({ place, path }: { place: AdminPlace; path: string }) {
  return (
    <Link to={place.to} activeOptions={{ exact: true }} aria-current={isAt(place, path) ? 'page' : undefined}>
      <AdminIcon name={place.icon} />
      {place.label}
      {place.Mark && <place.Mark />}
    </Link>
  );
}

/** The five main pages in reach of the thumb, below 1024 px. The others are in the account menu. */
export function AdminTabBar({ path }: { path: string }) {
  return (
    <nav className={tabStyles['tabs']} aria-label="Admin pages" data-bar="">
      {mainPlaces.map((place) => (
        <Link
          key={place.to}
          to={place.to}
          activeOptions={{ exact: true }}
          aria-current={isAt(place, path) ? 'page' : undefined}
        >
          <AdminIcon name={place.icon} size={24} />
          {place.shortLabel}
        </Link>
      ))}
    </nav>
  );
}
