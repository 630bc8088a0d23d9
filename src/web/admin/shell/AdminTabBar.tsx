import { Link } from '@tanstack/react-router';
import { AdminIcon } from './AdminIcon';
import styles from './AdminTabBar.module.css';
import { isAt, mainPlaces } from './places';

/** The five main places at the thumb, below 1024 px. The others are in the account menu. */
export function AdminTabBar({ path }: { path: string }) {
  return (
    <nav className={styles['tabs']} aria-label="Admin tabs">
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
